"""Does the size of a reply tell what it is about? No: all replies of a task are made equally long.

They are sent as they are (``no-transform``): packed, here or by a proxy, blanks would weigh nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from django.utils.html import escape

from toprung.web.core.access.kept_copies import send_as_it_is
from toprung.web.services.judging.offers import ShownPair
from toprung.web.services.judging.padding import REPLY, pad_json

FRAME = 12_288
"""More than the page takes without the texts of a pair."""


def pad_page(response: HttpResponse, pairs: Sequence[ShownPair]) -> HttpResponse:
    """Fill a page up to what the longest pair of its task would take."""
    wanted = FRAME + max(map(_size, pairs), default=0)
    before, after = b"\n<!--", b"-->\n"
    missing = wanted - len(response.content) - len(before) - len(after)
    if missing > 0:
        response.content += before + b" " * missing + after
    return _keep_size(response)


def _keep_size(response: HttpResponse) -> HttpResponse:
    send_as_it_is(response)
    return response


def _size(pair: ShownPair) -> int:
    """In bytes, as the page has it."""
    return len("".join(escape(each) for each in asdict(pair).values()).encode())


def padded_json(content: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """A reply in JSON, filled up with blanks. One that is longer is a whole task, and may be packed."""
    body = pad_json(content)
    response = HttpResponse(body, content_type="application/json", status=status)
    return response if len(body) > REPLY else _keep_size(response)

"""How is a model asked? A POST of JSON to an address of the web, whose reply is a few words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from toprung.errors import InputError
from toprung.net.request import Reply, exchange, without_query

MOST_BYTES = 4 << 20
"""An answer is a few words; more is no answer."""


def check_url(url: str) -> str:
    """The URL, if it is one of the web and holds no password."""
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # half an address in brackets, a port that is no number
        is_whole = False
    if not is_whole or not url.isascii() or not url.isprintable() or " " in url:
        raise InputError(f"Found endpoint {without_query(url)!r}; expected a URL such as https://host/v1.")
    if parts.username or parts.password:
        raise InputError("Found a password in the endpoint's URL; expected the key in an environment variable.")
    return url


def post_json(url: str, payload: Mapping[str, Any], *, headers: Mapping[str, str], timeout: float) -> Reply:
    """POST a JSON object; a `NoReplyError` if there was no whole reply in time."""
    return exchange(
        "POST",
        url,
        body=json.dumps(payload).encode(),
        headers={"Content-Type": "application/json", **headers},
        timeout=timeout,
        most_bytes=MOST_BYTES,
    )

"""How long may a feed, a badge or a card be kept on the way? An hour, if the board is for everyone."""

from __future__ import annotations

import hashlib
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags, quote_etag

from toprung.web.core.models.boards import Board

KEPT_SECONDS = 3600


def answer_kept(request: HttpRequest, board: Board, content: bytes, content_type: str) -> HttpResponse:
    """With a tag of what it is made of; who has it already gets an empty answer."""
    tag = quote_etag(hashlib.sha256(content).hexdigest()[:32])
    has_it = {tag, f"W/{tag}"} & set(parse_etags(request.headers.get("If-None-Match", "")))
    response = HttpResponse(status=HTTPStatus.NOT_MODIFIED) if has_it else HttpResponse(content)
    if not has_it:
        response.headers["Content-Type"] = content_type
    response.headers["ETag"] = tag
    if board.is_public:
        patch_cache_control(response, public=True, max_age=KEPT_SECONDS)
    else:
        patch_cache_control(response, private=True, no_store=True)
    return response

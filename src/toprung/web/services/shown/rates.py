"""How often may somebody have a pair compared, or a picture painted? Counted by person, or by address without account.

Looking at a comparison that was made costs nothing; having one made takes the worker's time, so it is made once,
however many ask, and asked for only so often. Painting takes the web server's, and addresses of pictures can be made
up without end.
"""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest

from toprung.web.core.access.rate_limits import is_within
from toprung.web.core.models.boards import Board

ASKED_FOR_SECONDS = 600
"""How long a request stands; when it has failed by then, somebody may ask again."""


def may_ask(request: HttpRequest) -> bool:
    """Count this request; the limits stand in the settings."""
    return is_within(request, _by_whom(request, "compare"))


def may_have_painted(request: HttpRequest) -> bool:
    """The same of a picture that nobody asked for lately."""
    return is_within(request, _by_whom(request, "paint"))


def _by_whom(request: HttpRequest, action: str) -> str:
    return action if request.user.is_authenticated else f"{action}_anonymously"


def is_first_to_ask(board: Board, key: str) -> bool:
    """Whether nobody has asked for this pair yet; from now on somebody has."""
    return cache.add(_cache_key(board, key), True, ASKED_FOR_SECONDS)


def was_asked(board: Board, key: str) -> bool:
    return cache.get(_cache_key(board, key)) is not None


def _cache_key(board: Board, key: str) -> str:
    """Of the board as it is shown: with newer results a pair is asked for anew."""
    return f"compare:{board.pk}:{board.results_done}:{key.replace(' ', ':')}"

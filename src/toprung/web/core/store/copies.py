"""What is a copy of a board? The pages that everyone sees, with the results of one time, and they say so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.urls import reverse

from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience

POLICY = (
    "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file: data:; "
    "font-src 'self' file:; base-uri 'none'; form-action 'none'"
)
"""As a board's own, for pages that ask no server for anything; ``file:`` since a page on a disk is its own self only to
some browsers. Who may frame a page can only be said by a server.
"""


@dataclass(frozen=True, kw_only=True)
class Copy:
    """What the pages of a copy say of themselves."""

    title: str
    home: str
    """The leaderboard, as a path."""
    results_of: datetime | None
    """When they were computed; None where there are none yet."""
    address: str
    """Where the board itself is; empty where nobody else could come."""

    @property
    def policy(self) -> str:
        return POLICY


def copy_of(board: Board, *, site: str) -> Copy:
    """With the time of the board's results, so that a copy made again is the same."""
    home = reverse("leaderboard", args=[board.slug])
    found = board.results.filter(kind="board", audience=Audience.PUBLIC).order_by("-computed_at").first()
    return Copy(
        title=board.title,
        home=home,
        results_of=None if found is None else found.computed_at,
        address=f"{site}{home}" if site else "",
    )


def find_copy(request: HttpRequest) -> Copy | None:
    """What the page is to be a copy of: set on requests that publishing makes, on none that comes over the network."""
    return getattr(request, "copy", None)

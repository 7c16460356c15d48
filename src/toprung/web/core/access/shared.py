"""What of a board may go elsewhere, such as to a feed reader or into a preview? What everyone sees, and no more.

A public board is looked up without asking who looks, so that anything on the way may keep the answer.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from toprung.web.core.access.boards import get_board_for_viewer, public_boards
from toprung.web.core.access.namer import Namer
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.boards import Board


def get_board_to_share(request: HttpRequest, slug: str) -> Viewer:
    """The board as everyone sees it; 404 where who asks may not see it at all."""
    public = public_boards().filter(slug=slug).first()
    return as_everyone(public or get_board_for_viewer(request.user, slug))


def as_everyone(board: Board) -> Viewer:
    """Without a role and without a team."""
    return Viewer(board=board, namer=Namer.of(board, AnonymousUser()), version=board.shown_version)

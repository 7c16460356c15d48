"""What if a board's hidden labels are not on this server? It came without them, and takes nothing that needs them."""

from __future__ import annotations

from toprung.errors import InputError
from toprung.web.core.models.boards import Board

LACKS_LABELS = (
    "Found a board that came to this server without its hidden labels; expected them first: "
    "toprung host restore-labels."
)


def require_labels(board: Board) -> None:
    if board.lacks_labels:
        raise InputError(LACKS_LABELS)


def has_labels(board_pk: int) -> bool:
    """Without them what was computed elsewhere stays as it is; with them, what is due is asked for again."""
    return not Board.objects.get(pk=board_pk).lacks_labels

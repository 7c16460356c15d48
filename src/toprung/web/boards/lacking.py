"""What if a board's hidden labels are not on this server? It came without them, and takes nothing that needs them."""

from __future__ import annotations

from toprung.errors import InputError
from toprung.web.boards.models import Board

LACKS_LABELS = (
    "Found a board that came to this server without its hidden labels; expected them first: "
    "toprung host restore-labels."
)


def require_labels(board: Board) -> None:
    if board.lacks_labels:
        raise InputError(LACKS_LABELS)

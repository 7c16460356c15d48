"""How is a board closed? By its day, or by its organisers, who type its address; then it takes no runs."""

from __future__ import annotations

from django.utils import timezone

from toprung.errors import InputError
from toprung.web.core.models.boards import Board
from toprung.web.core.models.people import User
from toprung.web.core.queue import finish
from toprung.web.core.store.audit import record
from toprung.web.core.store.locks import lock_board


class ClosingRefusedError(InputError):
    """Nothing was changed, and why."""


def close_board(board: Board, *, typed: str, by: User) -> Board:
    """From this moment on it takes no runs; what came before is scored, and then the standings are final."""
    with lock_board(board.pk) as held:
        if typed.strip() != held.slug:
            raise ClosingRefusedError(f"Found “{typed.strip()[:80]}”; expected the address of the board, {held.slug}.")
        if held.is_closed:
            raise ClosingRefusedError(f"Found a board that is closed since {held.closes_at:%Y-%m-%d}.")
        held.closes_at = timezone.now()
        held.opens_at = min(held.opens_at, held.closes_at)
        held.save(update_fields=["closes_at", "opens_at"])
        record(held, by, "Closed the board", closes_at=held.closes_at.isoformat())
        finish.enqueue(held.pk)
    return held

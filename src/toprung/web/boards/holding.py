"""Who may change a board now? One transaction at a time: it holds the board's row until it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from toprung.web.boards.models import Board


@contextmanager
def hold_board(pk: int) -> Iterator[Board]:
    """The board as it is now, for this transaction alone; SQLite takes its one lock when the transaction begins."""
    with transaction.atomic():
        yield Board.objects.select_for_update().get(pk=pk)

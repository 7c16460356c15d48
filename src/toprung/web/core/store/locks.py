"""Who may change a board now? One transaction at a time: it locks the board's row until it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from toprung.web.core.models.boards import Board


@contextmanager
def lock_board(pk: int) -> Iterator[Board]:
    """The board as it is now, for this transaction alone; SQLite takes its one lock when the transaction begins.

    PostgreSQL locks the row, and not its key: who adds what refers to the board, such as a file, need not wait. Two who
    each hold a row and then add what refers to the other's would else wait for each other.
    """
    with transaction.atomic():
        yield Board.objects.select_for_update(no_key=True).get(pk=pk)

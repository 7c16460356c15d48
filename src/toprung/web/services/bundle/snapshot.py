"""How is a board read while others write? As it was at one moment, and nobody waits for the reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """All that is read inside is of one moment; nothing may be written."""
    if connection.in_atomic_block:  # who called holds one already
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")  # `atomic` would take the lock of who writes
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")

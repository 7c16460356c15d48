"""What was a page made of? Every question that it asked the database, and what the answer was.

A page whose questions are all answered as they were is the page that would be made now: each question follows from the
address and the answers before it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import DatabaseError, OperationalError, connection

from toprung.web.core.asked import NotedAnswer, noted

TOLD_APART = {type(None), bool, int, float, str, bytes, date, datetime, time, timedelta, Decimal, UUID}
"""Values that are written out whole: two are the same if and only if they read the same."""


class CannotTellError(Exception):
    """An answer holds a value that is not one of them."""


@dataclass(frozen=True, kw_only=True)
class NotedQuery:
    """One query, and a digest of its rows."""

    sql: str
    values: Any
    digest: bytes

    @property
    def size(self) -> int:
        return len(self.sql) + len(repr(self.values))


@dataclass(kw_only=True)
class PageReading:
    """What one page asked."""

    questions: list[NotedQuery] = field(default_factory=list)
    asked: list[NotedAnswer] = field(default_factory=list)
    is_only_reading: bool = True
    """Nothing was written, and every answer can be compared."""

    @contextmanager
    def noting(self) -> Iterator[None]:
        with noted() as self.asked, connection.execute_wrapper(self._note):
            yield

    def is_answered_so(self) -> bool:
        """Whether all of it would be answered as it was; the first that is not ends it."""
        return all(each.is_answered_so() for each in self.asked) and self._reads_the_same()

    def _reads_the_same(self) -> bool:
        try:
            with connection.cursor() as cursor:
                return all(each.digest == _answer(cursor, each) for each in self.questions)
        except OperationalError:  # it is away: the page would wait for it as long again
            raise
        except (DatabaseError, CannotTellError):  # the page itself says what is wrong
            return False

    @property
    def size(self) -> int:
        return sum(each.size for each in self.questions)

    def _note(self, execute: Callable[..., Any], sql: str, values: Any, many: bool, context: dict[str, Any]) -> Any:
        """Called by Django around each statement: the rows are fetched here, so that they are those the page sees."""
        answer = execute(sql, values, many, context)
        if many or not sql.startswith("SELECT "):
            self.is_only_reading = False
            return answer
        cursor = context["cursor"]
        inner = cursor.cursor.inner if isinstance(cursor.cursor, FetchedRows) else cursor.cursor
        rows = inner.fetchall()
        cursor.cursor = FetchedRows(inner, rows)
        try:
            self.questions.append(NotedQuery(sql=sys.intern(sql), values=values, digest=digest_of(rows)))
        except CannotTellError:
            self.is_only_reading = False
        return answer


class FetchedRows:
    """A cursor whose rows were fetched already."""

    def __init__(self, inner: Any, rows: Sequence[Any]) -> None:
        self.inner, self.rows, self.place = inner, rows, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.fetchall())

    def fetchone(self) -> Any:
        found = self.fetchmany(1)
        return found[0] if found else None

    def fetchmany(self, size: int = 1) -> Sequence[Any]:
        found = self.rows[self.place : self.place + size]
        self.place += len(found)
        return found

    def fetchall(self) -> Sequence[Any]:
        found, self.place = self.rows[self.place :], len(self.rows)
        return found


def _answer(cursor: Any, question: NotedQuery) -> bytes:
    cursor.execute(question.sql, question.values)
    return digest_of(cursor.fetchall())


def digest_of(rows: Sequence[Any]) -> bytes:
    if not {type(value) for row in rows for value in row} <= TOLD_APART:
        raise CannotTellError
    return hashlib.blake2b(repr(rows).encode(errors="surrogatepass"), digest_size=16).digest()

"""What does a page depend on beside the database, such as the clock? What it asks by these functions.

Who keeps a page asks again before it is sent once more: see docs/design/kept-pages.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

from django.utils import timezone

MARK = "is_same_for_everyone"


@dataclass(frozen=True, kw_only=True)
class NotedAnswer:
    """A question, and what the answer was."""

    question: Callable[[], object]
    answer: object

    def is_answered_so(self) -> bool:
        return self.question() == self.answer


_NOTED: ContextVar[list[NotedAnswer] | None] = ContextVar("noted", default=None)


@contextmanager
def noted() -> Iterator[list[NotedAnswer]]:
    """All that is asked meanwhile."""
    found: list[NotedAnswer] = []
    token = _NOTED.set(found)
    try:
        yield found
    finally:
        _NOTED.reset(token)


def ask[T](question: Callable[[], T]) -> T:
    """The answer; noted where a page is made that will be kept."""
    answer = question()
    notes = _NOTED.get()
    if notes is not None:
        notes.append(NotedAnswer(question=question, answer=answer))
    return answer


def has_come(moment: datetime) -> bool:
    return ask(partial(_has_come, moment))


def today() -> date:
    """By UTC."""
    return ask(_today)


def _has_come(moment: datetime) -> bool:
    return moment <= timezone.now()


def _today() -> date:
    return timezone.now().date()


def same_for_everyone[**P, R](view: Callable[P, R]) -> Callable[P, R]:
    """Mark a view that makes its page, for who has no account, of address, database and what is asked here alone."""
    setattr(view, MARK, True)  # decorators above hand it on
    return view


def is_same_for_everyone(view: Callable[..., Any]) -> bool:
    return bool(getattr(view, MARK, False))

"""For whom is a chart drawn? How runs are called there, where their marks lead, and how wide it may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

PHONE = 356
"""The width of a drawing for a small screen, in its units."""
HALF = 560
"""The width of a figure that shares a row of the page, and of a paper's column."""
MOST_ROWS = 1_000
"""Runs or systems that a figure gives a row each."""
MARGIN = 4
"""Around a drawing, on every side."""


class Subject(NamedTuple):
    """What a mark stands for."""

    kind: Literal["run", "query", "pair", "team", "labels"]
    key: str
    other: str = ""
    """The second run of a pair."""


class Address(NamedTuple):
    """Where a mark leads, and the row of the page's table that tells of it."""

    href: str
    row: str = ""


def _own_name(run: str) -> str:
    return run


def _nowhere(_: Subject) -> Address | None:
    return None


@dataclass(frozen=True, kw_only=True)
class ChartSetting:
    """The page or the file that a chart is drawn for."""

    name_of: Callable[[str], str] = _own_name
    """What a run is called."""
    address_of: Callable[[Subject], Address | None] = _nowhere
    width: float | None = None
    """Of the whole drawing; None for the width that suits it best."""

    def fit(self, usual: float, beside: float = 0) -> float:
        """How wide a plot is: as usual, or what the width leaves beside it.

        >>> ChartSetting().fit(560, 40), ChartSetting(width=356).fit(560, 40)
        (560, 308)
        """
        return usual if self.width is None else min(usual, self.width - 2 * MARGIN - beside)

    @property
    def is_narrow(self) -> bool:
        return self.width is not None and self.width <= 1.5 * PHONE


def say_first_rows(n: int, what: str) -> str:
    """That only so many rows are drawn; empty where all are.

    >>> say_first_rows(2_000, "runs"), say_first_rows(1_000, "runs")
    (' Drawn: the first 1,000 of 2,000 runs.', '')
    """
    return f" Drawn: the first {MOST_ROWS:,} of {n:,} {what}." if n > MOST_ROWS else ""


PLAIN = ChartSetting()
"""A file: names as they were given, and nothing to lead to."""

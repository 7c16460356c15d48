"""Into which columns does a time fall? Months while they are few, then quarters, years, decades or centuries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Self

MOST_COLUMNS, MOST_YEARS = 36, 144
"""The second: of columns that are a year or more."""
MONTHS_OF_A_COLUMN = (1, 3, 12, 120, 1200)
MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, kw_only=True)
class CalendarColumns:
    """Columns of one of these numbers of months, from that of the first day to that of the last."""

    months: int
    first: int
    """The number of the first column since the year 0."""
    n: int

    @classmethod
    def over(cls, days: Iterable[date]) -> Self:
        """The finest columns that are few enough.

        >>> CalendarColumns.over([date(2020, 11, 5), date(2021, 2, 1)])
        CalendarColumns(months=1, first=24250, n=4)
        """
        numbers = [_number(day) for day in days]
        first, last = min(numbers), max(numbers)
        months = next(
            months
            for months in MONTHS_OF_A_COLUMN
            if last // months - first // months < (MOST_COLUMNS if months < 12 else MOST_YEARS)
        )
        return cls(months=months, first=first // months, n=last // months - first // months + 1)

    def place(self, day: date) -> int:
        """Which column a day falls into, from 0."""
        return _number(day) // self.months - self.first

    def label(self, place: int) -> str:
        """What a column is called within its year."""
        number = (self.first + place) * self.months
        names = {1: MONTH_NAMES[number % 12], 3: f"Q{number % 12 // 3 + 1}"}
        return names.get(self.months, str(number // 12))

    def full_name(self, place: int) -> str:
        """What a column is called by itself.

        >>> CalendarColumns(months=1, first=24250, n=4).full_name(1)
        'Dec 2020'
        """
        label = self.label(place)
        if self.months < 12:
            return f"{label} {(self.first + place) * self.months // 12}"
        return label if self.months == 12 else f"{label}s"

    def year(self, place: int) -> str:
        """The year where one begins, and in the first column; nothing elsewhere, or where columns are years."""
        number = (self.first + place) * self.months
        begins = place == 0 or number % 12 == 0
        return str(number // 12) if begins and self.months < 12 else ""


def _number(day: date) -> int:
    """Of a month since the year 0."""
    return 12 * day.year + day.month - 1

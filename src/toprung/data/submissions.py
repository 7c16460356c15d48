"""What was submitted, and when? Dated entries of a published leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, kw_only=True)
class DatedEntry:
    """One row of a leaderboard: ``run_id`` and ``name`` as published, either of which may be empty, not both."""

    run_id: str
    name: str
    team: str
    date: date
    score: float
    line: int

    @property
    def label(self) -> str:
        """The name, or the id where there is none that tells."""
        is_telling = bool(self.name) and self.name.lower() != "anonymous"
        return self.name if is_telling or not self.run_id else self.run_id


@dataclass(frozen=True, kw_only=True)
class Leaderboard:
    """Entries with a date and a score, in the order of the file, and how many rows lack one of them."""

    source: str
    digest: str
    score_column: str
    other_score_columns: tuple[str, ...]
    """Columns that hold scores too, and were not asked for."""
    entries: tuple[DatedEntry, ...]
    n_without_date: int
    n_without_score: int
    """Rows that have a date."""

    def by_date(self) -> tuple[DatedEntry, ...]:
        """The order of submission; entries of one date keep the order of the file."""
        return tuple(sorted(self.entries, key=lambda entry: entry.date))

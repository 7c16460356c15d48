"""What was submitted, and when? Dated entries of a published leaderboard, and the submissions of teams."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from toprung.errors import InputError

type Day = date  # where a field is called date


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
        return label_entry(self.run_id, self.name)


def label_entry(run_id: str, name: str) -> str:
    """What an entry goes by: its name, or its id where there is no name that tells.

    >>> label_entry("x7", "BM25"), label_entry("x7", "Anonymous"), label_entry("", "Anonymous")
    ('BM25', 'x7', 'Anonymous')
    """
    is_telling = bool(name) and name.lower() != "anonymous"
    return name if is_telling or not run_id else run_id


@dataclass(frozen=True, kw_only=True)
class TwiceScoredEntry:
    """One row of a leaderboard that has a public and a hidden score."""

    label: str
    team: str
    public: float
    private: float


@dataclass(frozen=True, kw_only=True)
class TwiceScored:
    """The entries of a leaderboard with both scores, in the order of the file, whether they have dates or not."""

    source: str
    digest: str
    public_column: str
    private_column: str
    entries: tuple[TwiceScoredEntry, ...]
    n_one_sided: int
    """Rows with one of the two scores."""
    n_without_score: int
    """Rows with neither."""


@dataclass(frozen=True, kw_only=True)
class PublishedBoard:
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


@dataclass(frozen=True, kw_only=True)
class SubmittedRun:
    """A run that a team submitted, and until when it wants its name kept back, if at all."""

    run: str
    team: str
    date: date
    embargo_until: Day | None = None


@dataclass(frozen=True, kw_only=True)
class Submissions:
    """What teams submitted, each run once, in the order given; those of one date came in that order."""

    entries: tuple[SubmittedRun, ...]
    source: str = ""
    digest: str = ""

    def __post_init__(self) -> None:
        repeated = [run for run, count in Counter(entry.run for entry in self.entries).items() if count > 1]
        if repeated:
            raise InputError(f"Found run '{repeated[0]}' submitted twice; expected each run once.")

    def by_date(self) -> tuple[SubmittedRun, ...]:
        """The order of submission."""
        return tuple(sorted(self.entries, key=lambda entry: entry.date))

    def by_team(self) -> dict[str, tuple[SubmittedRun, ...]]:
        """The submissions of each team in order, teams by the date of their first."""
        teams: dict[str, list[SubmittedRun]] = {}
        for entry in self.by_date():
            teams.setdefault(entry.team, []).append(entry)
        return {team: tuple(entries) for team, entries in teams.items()}

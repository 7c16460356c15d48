"""What stands on one row of a leaderboard? A run: its score, the ranks it may have, and what it is to the top."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from toprung.boards.outcomes import Outcomes
from toprung.boards.rounding import BOARD_ESL_DIGITS, SCORE_DIGITS, SHARE_DIGITS

type Day = date  # where a field is called date


class Status(StrEnum):
    """What there is to say of a run's standing; NONE where there is nothing."""

    HOLDER = "top rung"
    FIRST = "stands first"
    """By scores alone, of which no claim is tested."""
    NOT_SUPPORTED = "claim not supported"
    VOIDED = "claim voided"
    """By the organisers of a hosted board, in public."""
    TIED = "tied with top"
    CONFLICT = "better in one way"
    HELD = "held the top rung"
    BASELINE = "baseline"
    NONE = ""


class AgainstTop(StrEnum):
    """What a run is to the one that stands first."""

    FIRST = "first"
    TIED = "cannot be told apart"
    CONFLICT = "each better in one way"
    BETTER = "better"
    WORSE = "worse"


@dataclass(frozen=True, kw_only=True)
class OutcomeShares:
    """Of all queries, how many came out how, from the view of the run; the six shares add up to 1."""

    only_this: float
    """Only this run found the answer."""
    better: float
    """Both found it, this run at the better rank."""
    same: float
    neither: float
    worse: float
    only_top: float
    """Only the run that stands first found it."""

    @classmethod
    def of(cls, outcomes: Outcomes) -> OutcomeShares:
        """From the outcomes of the first run as A and this one as B."""
        return cls(
            only_this=outcomes.share(outcomes.only_b),
            better=outcomes.share(outcomes.b_higher),
            same=outcomes.share(outcomes.same),
            neither=outcomes.share(outcomes.neither),
            worse=outcomes.share(outcomes.a_higher),
            only_top=outcomes.share(outcomes.only_a),
        )

    @property
    def wins(self) -> float:
        """Of all queries, those on which this run does better."""
        return self.only_this + self.better

    @property
    def losses(self) -> float:
        return self.worse + self.only_top


@dataclass(frozen=True, kw_only=True)
class RowColumn:
    """A figure of a row as a hosted board tells it, in files, by its API and to its client."""

    name: str = ""
    about: str | None = None
    """In the description of the API."""
    in_files: str = ""
    """Its name in files that are exported, where it is another."""
    public_digits: int | None = None
    """Rounded so for everyone; where nothing is said only organisers see it, and for all others it is None."""

    def named(self, name: str) -> RowColumn:
        return replace(self, name=name, in_files=self.in_files or name)


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One run of a board; what only ranks can tell is None where there are only scores.

    A figure that is added here as a column is in results, files, API and client.
    """

    run: str
    score: Annotated[float, RowColumn(public_digits=SCORE_DIGITS)]
    score_low: Annotated[float, RowColumn(about="The 95% interval of the score.", public_digits=SCORE_DIGITS)]
    score_high: Annotated[float, RowColumn(public_digits=SCORE_DIGITS)]
    rank_low: Annotated[
        int, RowColumn(about="The ranks that it may have, for all runs at once (95%).", public_digits=0)
    ]
    rank_high: Annotated[int, RowColumn(public_digits=0)]
    """The intervals of the ranks hold for all runs at once."""
    answered: Annotated[
        float | None,
        RowColumn(about="Share of queries answered within the cutoff.", public_digits=SHARE_DIGITS),
    ]
    """The share of queries."""
    mean_esl: Annotated[
        float | None,
        RowColumn(
            about="Mean search length where the answer is found.",
            in_files="search_length",
            public_digits=BOARD_ESL_DIGITS,
        ),
    ]
    """The mean rank over its answered queries; None without any."""
    outcomes: OutcomeShares | None
    """Against the run that stands first; None for that run itself."""
    against_top: AgainstTop
    group: Annotated[int, RowColumn(about="Runs of a group cannot be told apart from its first.", public_digits=0)]
    """From 1, the top group; runs of one group cannot be told apart from the first of it."""
    group_words: str
    status: Status
    is_baseline: bool = False
    date: Day | None = None
    team: str = ""
    tags: tuple[str, ...] = ()
    held_since: Day | None = None
    """When it took the top rung, and until when it held it, where dates are known."""
    held_until: Day | None = None


def row_columns(*first: str) -> tuple[RowColumn, ...]:
    """The figures of a row: these first, then the others in the order of the row.

    >>> [each.in_files for each in row_columns("group", "score")][:3], row_columns()[-2].in_files
    (['group', 'score', 'score_low'], 'search_length')
    """
    columns = _declared_in(BoardRow)
    return tuple(columns[name] for name in dict.fromkeys((*first, *columns)))


def field_types(row: type[BoardRow | OutcomeShares]) -> dict[str, Any]:
    """What each of its fields holds."""
    return get_type_hints(row)


@cache
def _declared_in(row: type[BoardRow]) -> dict[str, RowColumn]:
    types = get_type_hints(row, include_extras=True)
    declared = {name: get_args(types[name]) for name in types if get_origin(types[name]) is Annotated}
    columns = {name: args[-1].named(name) for name, args in declared.items()}
    for name, (kind, *_) in declared.items():
        if columns[name].public_digits is None and not isinstance(None, kind):
            raise TypeError(f"{name}: found no None in its type; expected it, for that is what everyone is told.")
    return columns


@dataclass(frozen=True, kw_only=True)
class BoardGroup:
    """Runs that share a frame, the first of them first."""

    number: int
    name: str
    words: str
    runs: tuple[str, ...]

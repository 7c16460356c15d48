"""What stands on one row of a leaderboard? A run: its score, the ranks it may have, and what came of its claim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

from toprung.boards.outcomes import Outcomes

if TYPE_CHECKING:
    from toprung.data.matrices import FirstRanks

MAY_BE_BEST = "may be best"
"""The heading of the column that marks the top group."""

type Day = date  # where a field is called date


class ShownAs(StrEnum):
    """What kind of figure everyone sees, and so how fine (``boards.disclosure``)."""

    SCORE = "score"
    SHARE = "share"
    SEARCH_LENGTH = "search length"
    AS_IT_IS = "as it is"
    """Ranks, days, yes or no."""


AS_IT_IS = ShownAs.AS_IT_IS


class Status(StrEnum):
    """What came of a run's claim; NONE where it made none. Whether it may be best now is another question."""

    LAST_PROVED = "last proved gain"
    """Its claim was the last to pass: it is who the next run must do better than."""
    PROVED = "proved when it came"
    NOT_PASSED = "claim not passed"
    VOIDED = "claim voided"
    """By the organisers of a hosted board, in public."""
    BASELINE = "baseline"
    NONE = ""


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
    """Only the run with the highest score found it."""

    @classmethod
    def of(cls, outcomes: Outcomes) -> OutcomeShares:
        """From the outcomes of the run with the highest score as A and this one as B."""
        return cls(
            only_this=outcomes.share(outcomes.only_b),
            better=outcomes.share(outcomes.b_higher),
            same=outcomes.share(outcomes.same),
            neither=outcomes.share(outcomes.neither),
            worse=outcomes.share(outcomes.a_higher),
            only_top=outcomes.share(outcomes.only_a),
        )

    @classmethod
    def of_all(cls, ranks: FirstRanks, reference: str) -> dict[str, OutcomeShares]:
        """Of every run, from its outcomes against one of them."""
        outcomes = Outcomes.of_many(ranks.column(reference), ranks.values)
        return {run: cls.of(each) for run, each in zip(ranks.runs, outcomes, strict=True)}

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
    shown_as: ShownAs | None = None
    """To everyone; where nothing is said only organisers see it, all others None."""

    def named(self, name: str) -> RowColumn:
        return replace(self, name=name, in_files=self.in_files or name)


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One run of a board; what only ranks can tell is None where there are only scores.

    A figure that is added here as a column is in results, files, API and client.
    """

    run: str
    score: Annotated[float, RowColumn(shown_as=ShownAs.SCORE)]
    score_low: Annotated[float, RowColumn(about="The 95% interval of the score.", shown_as=ShownAs.SCORE)]
    score_high: Annotated[float, RowColumn(shown_as=ShownAs.SCORE)]
    rank_low: Annotated[
        int, RowColumn(about="The ranks that it may have, for all runs at once (95%).", shown_as=AS_IT_IS)
    ]
    rank_high: Annotated[int, RowColumn(shown_as=AS_IT_IS)]
    """The intervals of the ranks hold for all runs at once."""
    top_group: Annotated[bool, RowColumn(about="Whether it may be best: no other run is better.", shown_as=AS_IT_IS)]
    """The same as that its ranks go up to 1; runs that may be best need not be neighbours."""
    place: Annotated[int, RowColumn(about="By score; equal scores share the better place.", shown_as=AS_IT_IS)]
    proved_since: Annotated[
        Day | None, RowColumn(about="The day its claim passed; null if none did.", shown_as=AS_IT_IS)
    ]
    status: Status
    answered: Annotated[
        float | None,
        RowColumn(about="Share of queries answered within the cutoff.", shown_as=ShownAs.SHARE),
    ]
    """The share of queries."""
    mean_esl: Annotated[
        float | None,
        RowColumn(
            about="Mean search length where the answer is found.",
            in_files="search_length",
            shown_as=ShownAs.SEARCH_LENGTH,
        ),
    ]
    """The mean rank over its answered queries; None without any."""
    outcomes: OutcomeShares | None
    """Against the run with the highest score; None for that run itself."""
    is_baseline: bool = False
    date: Day | None = None
    team: str = ""
    tags: tuple[str, ...] = ()


def row_columns(*first: str) -> tuple[RowColumn, ...]:
    """The figures of a row: these first, then the others in the order of the row.

    >>> [each.in_files for each in row_columns("place", "score")][:3], row_columns()[-1].in_files
    (['place', 'score', 'score_low'], 'search_length')
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
        if columns[name].shown_as is None and not isinstance(None, kind):
            raise TypeError(f"{name}: found no None in its type; expected it, for that is what everyone is told.")
    return columns

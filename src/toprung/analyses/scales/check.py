"""How do a measure's values lie on all rankings? What a scale check gives back for one measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from toprung.analyses.scales import words as scales_words
from toprung.result import Column, Explanation, Fact, Result, Rows, Table, columns
from toprung.scoring.measure import Measure
from toprung.stats.finding import Scale
from toprung.stats.inputs import Floats, Ints
from toprung.stats.ranks.value_spacing import Differences, is_equi_spaced

if TYPE_CHECKING:
    pass

MOST_LISTED = 100
NO_VALUE = -1

type Ranking = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class ScaleValue:
    """One value of the measure, with the rankings that have it."""

    value: float
    n_rankings: int
    example: Ranking
    """As grades, the first document first."""
    gap: float | None
    """To the next worse value."""


@dataclass(frozen=True, kw_only=True)
class Fall:
    """A step to a better ranking that makes the measure worse."""

    ranking: Ranking
    value: float
    better_ranking: Ranking
    worse_value: float


@dataclass(frozen=True, kw_only=True)
class UnreachableDifference:
    """A difference between two values which, laid off from the ends of the scale, leads where no ranking is."""

    difference: float
    lower: float
    upper: float
    unreachable: tuple[float, ...]
    """The lowest value plus the difference, the highest less it, or both."""


SUMMARY = (
    *columns(str, "measure declared_scale=declared.name.lower()"),
    Column("agrees_with_declared", bool),
    Column("n_values", int, "len(levels)"),
    Column("smallest_gap", float, lambda check: min(check.gaps, default=None)),
    Column("largest_gap", float, lambda check: max(check.gaps, default=None)),
    *columns(bool, "is_ordinal is_equi_spaced"),
    *columns(int, "n_steps n_falls n_unreachable_differences=n_unreachable n_without_value"),
)
"""What was found, without the single values."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScaleCheck(Result):
    """What a measure's values are on all rankings of one length, and what may be done with them.

    ``levels`` are its distinct values, ascending; ``level_of`` says of each ranking which of them it has, -1 for none.
    Rankings stand in the order of their grades, the first document first. ``n_steps`` counts steps to a better ranking,
    ``n_falls`` those that make the value worse.
    """

    FRAME = Rows(
        "values",
        of="_with_examples",
        columns=(
            Column("value", float, "0.value"),
            Column("n_rankings", int, "0.n_rankings"),
            Column("example", str, "1"),
            Column("gap", float, "0.gap"),
        ),
    )
    FIGURES = (
        *SUMMARY,
        Fact("values", lambda check: list(check.rows())),
        "falls unreachable_differences=unreachable",
    )
    MADE_FROM = (Column("measure", str), "length grades n_rankings")

    measure: Measure
    length: int
    grades: int
    levels: Floats
    level_of: Ints
    n_steps: int
    n_falls: int
    falls: tuple[Fall, ...]
    """The first of them."""
    differences: Differences | None
    """None if there are too many values to try all."""

    @property
    def n_rankings(self) -> int:
        return len(self.level_of)

    @property
    def n_without_value(self) -> int:
        """Rankings left out, as the measure has no value where nothing was found."""
        return int(np.count_nonzero(self.level_of == NO_VALUE))

    @property
    def gaps(self) -> Floats:
        return np.diff(self.levels)

    @property
    def is_ordinal(self) -> bool:
        """Whether no step to a better ranking makes the value worse."""
        return self.n_falls == 0

    @property
    def is_equi_spaced(self) -> bool:
        return is_equi_spaced(self.levels)

    @property
    def is_constant(self) -> bool:
        return len(self.levels) < 2

    @property
    def declared(self) -> Scale:
        """The scale that the measure's definition names."""
        return self.measure.definition.scale

    @property
    def agrees_with_declared(self) -> bool:
        is_interval = self.is_ordinal and self.is_equi_spaced
        return self.is_constant or self.declared.permits(Scale.INTERVAL) == is_interval

    @property
    def n_unreachable(self) -> int | None:
        """How many differences lead, from one end of the scale or both, where no ranking is; None if not counted."""
        if self.differences is None:
            return 0 if self.is_equi_spaced else None
        return int(np.count_nonzero(self.differences.is_unsolvable))

    @property
    def unreachable(self) -> tuple[UnreachableDifference, ...]:
        """The first of them: those that lead nowhere from both ends, then the smaller ones."""
        found = self.differences
        if found is None:
            return ()
        order = np.lexsort((found.difference, found.from_bottom | found.from_top, ~found.is_unsolvable))
        listed = order[: min(np.count_nonzero(found.is_unsolvable), MOST_LISTED)]
        return tuple(self._unreachable(found, at) for at in listed.tolist())

    def _unreachable(self, found: Differences, at: int) -> UnreachableDifference:
        difference, lower = float(found.difference[at]), float(found.lower[at])
        missing = [] if found.from_bottom[at] else [float(self.levels[0]) + difference]
        missing += [] if found.from_top[at] else [float(self.levels[-1]) - difference]
        return UnreachableDifference(
            difference=difference, lower=lower, upper=lower + difference, unreachable=tuple(missing)
        )

    @cached_property
    def counts(self) -> Ints:
        """How many rankings have each level."""
        return np.bincount(self.level_of[self.level_of != NO_VALUE], minlength=len(self.levels))

    def rows(self) -> Iterator[ScaleValue]:
        """One row a value, the best first."""
        last = np.zeros(len(self.levels), dtype=np.int64)
        has_value = self.level_of != NO_VALUE
        last[self.level_of[has_value]] = np.flatnonzero(has_value)  # of those with a value the last stays
        gaps: list[float | None] = self.gaps.tolist()
        higher_is_better = self.measure.higher_is_better
        gap_below = [None, *gaps] if higher_is_better else [*gaps, None]
        places = range(len(self.levels))
        for at in reversed(places) if higher_is_better else places:
            yield ScaleValue(
                value=float(self.levels[at]),
                n_rankings=int(self.counts[at]),
                example=self.ranking(int(last[at])),
                gap=gap_below[at],
            )

    @property
    def _with_examples(self) -> list[tuple[ScaleValue, str]]:
        return [(row, scales_words.show_ranking(row.example, self.grades)) for row in self.rows()]

    def ranking(self, number: int) -> Ranking:
        """A ranking by its place among all of them."""
        return tuple(number // self.grades**power % self.grades for power in reversed(range(self.length)))

    @property
    def sentence(self) -> str:
        return scales_words.say_check(self)

    @property
    def table(self) -> Table:
        return scales_words.table_of_values(self)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(scales_words.say_notes(self))

    @property
    def explanation(self) -> Explanation:
        return scales_words.explain_checks([self])

    def __repr__(self) -> str:
        return f"ScaleCheck({self.measure}, {len(self.levels):,} values on {self.n_rankings:,} rankings)"

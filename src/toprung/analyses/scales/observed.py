"""Do the values that were seen lie evenly? What scores alone can tell of a measure's scale.

Values that no run happens to have are unknown: gaps that are whole multiples of the smallest may only lack the values
between. And scores that were rounded look even where the measure is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toprung.analyses.scales.words import MOST_ROWS, say_not_shown, show_decimals, show_fraction, show_value
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.result import Column, Explanation, Result, Rows, Table
from toprung.stats.inputs import Floats, Ints
from toprung.stats.ranks.value_spacing import SAME, is_equi_spaced, levels_of, place_among
from toprung.words.wording import say_count

MOST_DECIMALS = 6
FINE_ROUNDING = 10
"""Gaps of so many units of the last decimal tell more than the rounding does."""


def check_observed_scale(table: ScoreTable) -> ObservedScale:
    """Look whether the values of a score matrix are equi-spaced.

    >>> values = np.array([[0.0, 0.5], [1.0, 0.5]])
    >>> table = ScoreTable(query_ids=("1", "2"), runs=("A", "B"), values=values, measure="P@2")
    >>> print(check_observed_scale(table).sentence)
    The 3 values of P@2 seen in 4 scores are equi-spaced, 1/2 apart.
    """
    has_value = ~np.isnan(table.values)
    scores = table.values[has_value]
    if not len(scores):
        raise InputError("Found no scores; expected at least one value to check.")
    levels = levels_of(scores)
    return ObservedScale(
        measure=table.measure,
        n_queries=len(table.query_ids),
        n_runs=len(table.runs),
        n_without_value=int(np.count_nonzero(~has_value)),
        levels=levels,
        counts=np.bincount(place_among(levels, scores), minlength=len(levels)),
        digest=table.digest,
        remarks=table.remarks,
    )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ObservedScale(Result):
    """The values that were seen, ascending in ``levels``, and how often each was: ``counts``."""

    FIGURES = (
        "measure is_equi_spaced is_on_grid n_values=len(levels) n_grid decimals",
        Rows(
            "values",
            (Column("value", float, "0"), Column("n_scores", int, "1"), Column("gap", float, "2")),
            of="_rows()",
        ),
    )
    MADE_FROM = ("measure scores_digest=digest n_queries n_runs",)

    measure: str
    n_queries: int
    n_runs: int
    n_without_value: int
    levels: Floats
    counts: Ints
    digest: str
    """Of the scores."""
    remarks: tuple[str, ...] = ()

    @property
    def gaps(self) -> Floats:
        return np.diff(self.levels)

    @property
    def is_constant(self) -> bool:
        return len(self.levels) < 2

    @cached_property
    def decimals(self) -> int | None:
        """How many decimals all values have at most; None if they are not rounded."""
        for decimals in range(MOST_DECIMALS + 1):
            if np.allclose(self.levels, self.levels.round(decimals), rtol=SAME, atol=SAME):
                return decimals
        return None

    @property
    def is_equi_spaced(self) -> bool:
        """Whether all gaps are the same, as far as rounding lets see."""
        return is_equi_spaced(self.levels) or (not self.is_constant and bool(np.ptp(self.gaps) <= 2 * self._unit))

    @property
    def is_on_grid(self) -> bool:
        """Whether all gaps are whole multiples of the smallest, and rounding alone does not explain it."""
        if self.is_constant:
            return False
        step = self.gaps.min()
        multiples = np.rint(self.gaps / step)
        slack = (1 + multiples) * self._unit + SAME * np.abs(self.levels).max()
        is_telling = self.decimals is None or self._unit > 0 or 2 * len(self.levels) >= self.n_grid
        return is_telling and bool((np.abs(self.gaps - multiples * step) <= slack).all())

    @property
    def n_grid(self) -> int:
        """How many values there would be in steps of the smallest gap."""
        return 1 if self.is_constant else 1 + round(float(np.ptp(self.levels) / self.gaps.min()))

    @property
    def _unit(self) -> float:
        """How far rounding may have moved a value and its neighbour apart; 0 where it is as coarse as the gaps."""
        unit = 0.0 if self.decimals is None else 10.0**-self.decimals
        return unit if not self.is_constant and self.gaps.min() >= FINE_ROUNDING * unit else 0.0

    @property
    def sentence(self) -> str:
        n = int(self.counts.sum())
        if self.is_constant:
            all_are = f"The only score of {self.measure} is" if n == 1 else f"All {n:,} scores of {self.measure} are"
            return f"{all_are} {show_value(float(self.levels[0]))}: no scale can be seen."
        seen = f"The {len(self.levels):,} values of {self.measure} seen in {n:,} scores"
        low, high = float(self.gaps.min()), float(self.gaps.max())
        if self.is_equi_spaced:
            return f"{seen} are equi-spaced, {show_value(low)} apart."
        if self.is_on_grid:
            return (
                f"{seen} lie on a grid with steps of {show_value(low)}, {self.n_grid:,} in all: equi-spaced, if those "
                "between were only not seen."
            )
        return f"{seen} are not equi-spaced: they lie {show_value(low)} to {show_value(high)} apart."

    @property
    def table(self) -> Table:
        rows = tuple(
            (show_decimals(value), show_fraction(value), f"{count:,}", "" if gap is None else show_value(gap))
            for value, count, gap in self._rows()[:MOST_ROWS]
        )
        header = (self.measure, "exactly", "scores", "to the next")
        return Table(header=header, rows=rows, numeric=frozenset({0, 1, 2, 3}))

    def _rows(self) -> list[tuple[float, int, float | None]]:
        """Value, how often it was seen, and the gap to the next lower one, the highest first."""
        gaps: list[float | None] = [None, *self.gaps.tolist()]
        return list(zip(self.levels.tolist(), self.counts.tolist(), gaps, strict=True))[::-1]

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self._say_notes(), *self.remarks)

    def _say_notes(self) -> Iterator[str]:
        yield (
            "Seen are only values that some run has on some query, rounded as they were given; "
            "`toprung scales MEASURE` tries all rankings."
        )
        if self.n_without_value:
            yield f"Left out: {say_count(self.n_without_value, 'score')} without a value."
        yield from say_not_shown(len(self.levels))

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            how=(
                f"The different values of {self.measure} among {int(self.counts.sum()):,} scores are put in order, and "
                "the gaps between neighbours compared. Equal gaps, as far as rounding lets see, are what an interval "
                "scale has."
            ),
            assumptions=(
                "The runs show every value that the measure can take: one that nobody reached leaves a gap.",
                "Scores were not rounded so far that the rounding makes them look even.",
            ),
        )

    def __repr__(self) -> str:
        return f"ObservedScale({self.measure}, {len(self.levels):,} values in {int(self.counts.sum()):,} scores)"

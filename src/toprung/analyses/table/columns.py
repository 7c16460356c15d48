"""What does a measure say of the runs? One column of the table: figures, who may be best, and who differs from whom."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toprung.boards.engine.parts import find_parts
from toprung.boards.engine.top_group import TopGroup, find_top_group
from toprung.data.matrices import ScoreTable
from toprung.scoring.catalogue import find_if_known, higher_is_better
from toprung.scoring.external import ExternalMeasure
from toprung.scoring.measure import Aggregate, summarise
from toprung.stats.ranks.places import best_first
from toprung.stats.tests.pair import PairTest
from toprung.words.wording import show_number


@dataclass(frozen=True, eq=False, kw_only=True)
class MeasureColumn:
    """A measure of the table."""

    scores: ScoreTable
    top: TopGroup | None
    """None where a query has no value: then nothing can be told apart, and nothing is marked."""

    @property
    def measure(self) -> str:
        return self.scores.measure

    @cached_property
    def values(self) -> dict[str, float]:
        """The figure of each run: its mean, or its sum if the measure counts."""
        found = (summarise(column.tolist(), self._aggregate).figure for column in self.scores.values.T)
        return dict(zip(self.scores.runs, found, strict=True))

    @property
    def _aggregate(self) -> Aggregate:
        known = find_if_known(self.measure)
        return Aggregate.MEAN if known is None else known.aggregate

    @property
    def higher_is_better(self) -> bool:
        return higher_is_better(self.measure)

    @property
    def is_of_ir_measures(self) -> bool:
        return isinstance(find_if_known(self.measure), ExternalMeasure)

    @property
    def n_without_value(self) -> int:
        """The queries that some run has no value of."""
        return int(np.count_nonzero(np.isnan(self.scores.values).any(axis=1)))

    @property
    def ordered_runs(self) -> tuple[str, ...]:
        """The best first; names decide between those alike."""
        order = best_first(list(self.values.values()), self.scores.runs, higher_is_better=self.higher_is_better)
        return tuple(self.scores.runs[run] for run in order.tolist())

    def show(self, run: str, decimals: int) -> str:
        value = self.values[run]
        return f"{value:,.0f}" if self._aggregate is Aggregate.SUM else show_number(value, decimals)

    def is_best(self, run: str) -> bool | None:
        """Whether no run has a better figure; None where nothing is marked."""
        return None if self.top is None else bool(self.top.places[self.top.row(run)] == 1)

    def may_be_best(self, run: str) -> bool | None:
        return None if self.top is None else run in self.top.members

    def better_than(self, run: str) -> tuple[str, ...] | None:
        return None if self.top is None else self.top.better_than(run)

    def worse_than(self, run: str) -> tuple[str, ...] | None:
        return None if self.top is None else self.top.worse_than(run)

    def against(self, baseline: str, run: str) -> PairTest | None:
        """The pair by itself, positive where the run does better; None where nothing is marked, or it is the same."""
        return None if self.top is None or run == baseline else find_parts(self.scores, baseline, run).measure


def make_column(scores: ScoreTable, *, alpha: float, seed: int) -> MeasureColumn:
    has_all = not np.isnan(scores.values).any()
    return MeasureColumn(scores=scores, top=find_top_group(scores, alpha=alpha, seed=seed) if has_all else None)

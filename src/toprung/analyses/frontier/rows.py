"""Which run is each run held against, and what does that show? Score against cost, run by run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from toprung.boards.engine.top_group import TopGroup
from toprung.data.matrices import ScoreTable
from toprung.stats.inputs import Bools, Floats
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.ranks.places import order_keys


class Worth(StrEnum):
    """What is shown of a run at its cost. The first three are on the front: nothing at their cost or less is above."""

    CHEAPEST = "cheapest"
    """Nothing costs less."""
    SHOWN = "shown"
    """Does better than every cheaper run beyond chance."""
    NOT_SHOWN = "not_shown"
    """Scores higher than every cheaper run, but cannot be told apart from one."""
    UNDECIDED = "undecided"
    """A run that costs no more scores higher, or the same for less, but the two cannot be told apart."""
    DOMINATED = "dominated"
    """A run that costs no more does better beyond chance."""

    @property
    def is_on_front(self) -> bool:
        return self in (Worth.CHEAPEST, Worth.SHOWN, Worth.NOT_SHOWN)


@dataclass(frozen=True, kw_only=True)
class FrontierRow:
    """One run: its cost, its score, and the run it is held against."""

    run: str
    cost: float
    score: Effect
    worth: Worth
    n_cheaper: int
    """Runs that cost less."""
    n_cheaper_below: int
    """Of these, the ones it does better than beyond chance."""
    rival: str | None = None
    """Of the runs that decide its worth the one with the best score; the cheapest has none."""
    delta: Effect | None = None
    """The run's mean less its rival's, with the t-interval of this pair alone."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PricedRuns:
    """Runs with what they cost and how they score; one element a run, in the order of the table's columns."""

    table: ScoreTable
    costs: Floats
    scores: Sequence[Effect]
    top: TopGroup
    """Who is better than whom, of these runs, by comparing them or more."""
    higher_is_better: bool

    def judge(self) -> tuple[FrontierRow, ...]:
        """Every run with its worth: the cheapest first, and of one cost the best first."""
        order = sorted(range(len(self.runs)), key=lambda run: (self.costs[run], self._keys[run], self.runs[run]))
        return tuple(self._judge(run) for run in order)

    def cheapest_like(self, run: str) -> str:
        """Of the runs that cannot be told apart from this one the cheapest; it may be the run itself."""
        alike = [self.runs.index(other) for other in (run, *self.top.not_told_apart_from(run))]
        return self.runs[min(alike, key=lambda other: (self.costs[other], self._keys[other], self.runs[other]))]

    @property
    def runs(self) -> tuple[str, ...]:
        return self.table.runs

    @cached_property
    def _is_better(self) -> Bools:
        """Runs × runs: whether the row does better than the column beyond chance."""
        rows = [self.top.row(run) for run in self.runs]
        found: Bools = self.top.is_better[np.ix_(rows, rows)]
        return found

    @cached_property
    def _keys(self) -> Floats:
        """Smaller where the score is better."""
        return order_keys([score.estimate for score in self.scores], higher_is_better=self.higher_is_better)

    def _judge(self, run: int) -> FrontierRow:
        worth, deciding = self._worth(run)
        rivals = np.flatnonzero(deciding).tolist()
        if not rivals:
            return self._row(run, worth)
        rival = min(rivals, key=lambda other: (self._keys[other], self.costs[other], self.runs[other]))
        return replace(self._row(run, worth), rival=self.runs[rival], delta=self._difference(run, rival))

    def _difference(self, run: int, rival: int) -> Effect:
        """The run's mean less its rival's, with its t-interval; NaN below two queries."""
        from scipy.special import stdtrit

        differences = self.table.values[:, run] - self.table.values[:, rival]
        mean, score, n = float(differences.mean()), self.scores[run], len(differences)
        sd = float(differences.std(ddof=1)) if n > 1 else math.nan
        reach = float(stdtrit(n - 1, (1 + score.confidence) / 2)) * sd / math.sqrt(n)
        return replace(score, estimate=mean, low=mean - reach, high=mean + reach)

    def _row(self, run: int, worth: Worth) -> FrontierRow:
        cheaper = self.costs < self.costs[run]
        return FrontierRow(
            run=self.runs[run],
            cost=float(self.costs[run]),
            score=self.scores[run],
            worth=worth,
            n_cheaper=int(cheaper.sum()),
            n_cheaper_below=int((cheaper & self._is_better[run]).sum()),
        )

    def _worth(self, run: int) -> tuple[Worth, Bools]:
        """The worth of a run, and the runs that decide it."""
        costs, keys, is_better = self.costs, self._keys, self._is_better
        cheaper, no_dearer = costs < costs[run], costs <= costs[run]
        dominating = no_dearer & is_better[:, run]
        if dominating.any():
            return Worth.DOMINATED, dominating
        above = (no_dearer & (keys < keys[run])) | (cheaper & (keys == keys[run]))
        if above.any():
            return Worth.UNDECIDED, above
        if not cheaper.any():
            return Worth.CHEAPEST, cheaper
        not_told_apart = cheaper & ~is_better[run]
        if not_told_apart.any():
            return Worth.NOT_SHOWN, not_told_apart
        return Worth.SHOWN, cheaper

"""Which run is each run held against, and what does that show? Score against cost, run by run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from toprung.boards.lin2021.verdict import with_least_p
from toprung.stats.inputs import Bools, Floats
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.pairs.pairwise import pair_tests
from toprung.stats.pairs.results import PairedTs
from toprung.stats.ranks.places import order_keys
from toprung.stats.tests.corrections import find_correction


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
    """The run's mean less its rival's."""
    p: float | None = None
    p_corrected: float | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class RunPairs:
    """All pairs of runs, as matrices of runs × runs: the row against the column."""

    delta: Floats
    reach: Floats
    """Half the width of its t-interval; NaN below two queries."""
    p: Floats
    p_corrected: Floats
    does_better: Bools
    """Whether the row does better than the column beyond chance."""
    n_constant: int
    """Pairs in which every query differs by the same amount."""


def compare_pairs(values: Floats, *, correction: str, alpha: float, higher_is_better: bool) -> RunPairs:
    """The paired t-test on every pair of columns, corrected for all of them together."""
    tests = pair_tests(values, method="asymptotic")
    raw = with_least_p(tests.t.p, tests.t.is_constant, len(values))
    corrected = find_correction(correction)(raw)
    side = tests.t.direction * (1 if higher_is_better else -1)
    n_runs = values.shape[1]
    first, second = tests.pairs.first, tests.pairs.second

    def spread(of_pairs: Floats, *, sign: int, own: float) -> Floats:
        matrix = np.full((n_runs, n_runs), own)
        matrix[second, first], matrix[first, second] = of_pairs, sign * of_pairs
        return matrix

    favours = spread(np.where(corrected <= alpha, side, 0), sign=-1, own=0.0)
    return RunPairs(
        delta=spread(tests.t.mean, sign=-1, own=0.0),
        reach=spread(_reaches(tests.t, len(values), alpha), sign=1, own=0.0),
        p=spread(raw, sign=1, own=1.0),
        p_corrected=spread(corrected, sign=1, own=1.0),
        does_better=favours > 0,
        n_constant=int(np.count_nonzero(tests.t.is_constant)),
    )


def _reaches(found: PairedTs, n: int, alpha: float) -> Floats:
    from scipy.special import stdtrit

    if n < 2:
        return np.full(len(found.mean), np.nan)
    return float(stdtrit(n - 1, 1 - alpha / 2)) * found.sd / math.sqrt(n)


@dataclass(frozen=True, eq=False, kw_only=True)
class PricedRuns:
    """Runs with what they cost and how they score; one element a run, in the order of the pairs' rows."""

    runs: Sequence[str]
    costs: Floats
    scores: Sequence[Effect]
    pairs: RunPairs
    higher_is_better: bool

    def judge(self) -> tuple[FrontierRow, ...]:
        """Every run with its worth: the cheapest first, and of one cost the best first."""
        order = sorted(range(len(self.runs)), key=lambda run: (self.costs[run], self._keys[run], self.runs[run]))
        return tuple(self._judge(run) for run in order)

    def cheapest_like(self, run: str) -> str:
        """Of the runs that cannot be told apart from this one the cheapest; it may be the run itself."""
        own = self.runs.index(run)
        alike = np.flatnonzero(~self.pairs.does_better[own] & ~self.pairs.does_better[:, own]).tolist()
        return self.runs[min(alike, key=lambda other: (self.costs[other], self._keys[other], self.runs[other]))]

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
        delta, reach = float(self.pairs.delta[run, rival]), float(self.pairs.reach[run, rival])
        score = self.scores[run]
        return replace(
            self._row(run, worth),
            rival=self.runs[rival],
            delta=replace(score, estimate=delta, low=delta - reach, high=delta + reach),
            p=float(self.pairs.p[run, rival]),
            p_corrected=float(self.pairs.p_corrected[run, rival]),
        )

    def _row(self, run: int, worth: Worth) -> FrontierRow:
        cheaper = self.costs < self.costs[run]
        return FrontierRow(
            run=self.runs[run],
            cost=float(self.costs[run]),
            score=self.scores[run],
            worth=worth,
            n_cheaper=int(cheaper.sum()),
            n_cheaper_below=int((cheaper & self.pairs.does_better[run]).sum()),
        )

    def _worth(self, run: int) -> tuple[Worth, Bools]:
        """The worth of a run, and the runs that decide it."""
        costs, keys, does_better = self.costs, self._keys, self.pairs.does_better
        cheaper, no_dearer = costs < costs[run], costs <= costs[run]
        dominating = no_dearer & does_better[:, run]
        if dominating.any():
            return Worth.DOMINATED, dominating
        above = (no_dearer & (keys < keys[run])) | (cheaper & (keys == keys[run]))
        if above.any():
            return Worth.UNDECIDED, above
        if not cheaper.any():
            return Worth.CHEAPEST, cheaper
        not_told_apart = cheaper & ~does_better[run]
        if not_told_apart.any():
            return Worth.NOT_SHOWN, not_told_apart
        return Worth.SHOWN, cheaper

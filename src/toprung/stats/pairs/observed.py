"""What is observed of every pair of runs? Variances and how many queries differ: what a new run adds to, row by row.

A board keeps this and compares one run more with those it has, instead of all with all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.kernel.compiled import has_kernel, kernel
from toprung.stats.pairs.triangle import count_pairs, cut_runs, row_of, select_pairs, to_square
from toprung.stats.tests.pair import differs
from toprung.workers import IN_PROCESS, Workers

type Marks = NDArray[np.uint8]

# Below this share of the squares a variance is rounding.
NO_SPREAD = 1e-12
USUAL_QUERIES = 5
# More differing queries than this are not counted: fewer are always enough for a pair to be judged.
MOST_DIFFERING = 255
# For workers: pairs of a block at least, and blocks at most; and the steps (``Workers.if_worth``) of a pair and query.
PAIRS_PER_BLOCK, MOST_BLOCKS, STEPS_PER_VALUE = 1 << 16, 64, 1
FIRST, SECOND = np.uint8(1), np.uint8(2)
"""Marks of a pair whose first, or second, run may yet be found better."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ObservedPairs:
    """What is observed of runs, and of every pair of them run after run, the earlier less the later."""

    n: int
    mean: Floats
    """Of each run, over all queries, by exact summation."""
    counted: Ints
    """How many queries count for each run."""
    variance: Floats
    """Of the differences of each pair by query."""
    differing: NDArray[np.uint8]
    """On how many queries each pair differs; 255 is as many or more."""

    def select(self, runs: Ints) -> ObservedPairs:
        """The same of some of the runs, in ascending order."""
        return ObservedPairs(
            n=self.n,
            mean=self.mean[runs],
            counted=self.counted[runs],
            variance=select_pairs(self.variance, runs),
            differing=select_pairs(self.differing, runs),
        )

    def followed_by(self, later: ObservedPairs) -> ObservedPairs:
        """With what was observed of later runs, each with all before it (`observe_pairs` from their start on)."""
        return ObservedPairs(
            n=self.n,
            mean=np.concatenate([self.mean, later.mean]),
            counted=np.concatenate([self.counted, later.counted]),
            variance=np.concatenate([self.variance, later.variance]),
            differing=np.concatenate([self.differing, later.differing]),
        )

    def judged(self, least_differing: int) -> JudgedPairs:
        """Which pairs differ on enough queries to be told apart."""
        is_judged = self.differing >= least_differing
        is_counted = self.counted >= least_differing
        if not is_counted.all():
            for later in range(1, len(self.mean)):
                is_judged[row_of(later)] &= is_counted[:later] & is_counted[later]
        return JudgedPairs(observed=self, is_judged=is_judged)


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedPairs:
    """Observed pairs, and which of them may be told apart."""

    observed: ObservedPairs
    is_judged: Bools

    @cached_property
    def usual(self) -> float:
        """What a few queries add to a variance that differ as in the median of the pairs judged."""
        if not self.is_judged.any():
            return 0.0
        variance = self.observed.variance
        median = kernel.median_of(variance, self.is_judged) if has_kernel() else math.nan
        if math.isnan(median):
            median = float(np.median(variance[self.is_judged]))
        return median * (USUAL_QUERIES / self.observed.n)

    @cached_property
    def error(self) -> Floats:
        """The standard error of each mean difference, by all that is counted as variance."""
        return np.sqrt((self.observed.variance + self.usual) / self.observed.n)

    @cached_property
    def mean(self) -> Floats:
        """The mean difference of each pair."""
        return mean_differences(self.observed.mean)

    @cached_property
    def t(self) -> Floats:
        """Infinite where all queries differ by the same amount, 0 where none differs."""
        return divide(self.mean, self.error)

    def open_tests(self) -> Marks:
        """Both tests of every pair judged."""
        return self.is_judged * (FIRST | SECOND)

    def decide(self, tests: Marks, critical: float) -> int:
        """Take off the tests whose t is beyond a critical value, and tell how many pairs that changes."""
        if has_kernel():
            observed = self.observed
            return kernel.decide_pairs(observed.mean, observed.variance, self.usual, observed.n, tests, critical)
        beyond = tests & (FIRST * (self.t > critical) | SECOND * (-self.t > critical))
        tests &= ~beyond
        return int(np.count_nonzero(beyond))

    def relation(self, still_open: Marks) -> Bools:
        """Runs × runs: whether the test that the row is better than the column was decided."""
        n_runs = len(self.observed.mean)
        if has_kernel():
            is_better = np.empty((n_runs, n_runs), dtype=bool)
            kernel.relate_runs(n_runs, self.is_judged, still_open, is_better)
            return is_better
        decided = self.open_tests() & ~still_open
        return to_square(n_runs, (decided & FIRST) > 0, (decided & SECOND) > 0)


def mean_differences(means: Floats) -> Floats:
    """Of all pairs of runs with these means, run after run."""
    rows = [means[:later] - means[later] for later in range(1, len(means))]
    return np.concatenate(rows or [means[:0]]).round(MEAN_DIGITS)


def observe_pairs(runs: Floats, counted: Ints, *, start: int = 0, workers: Workers = IN_PROCESS) -> ObservedPairs:
    """Observe all pairs of runs × queries without gaps (`fill_gaps`); `counted` queries count for each.

    Of the runs from ``start`` on alone, each with all that come before it: what was observed of those is known, and
    `followed_by` this. One worker compares some runs at a time.
    """
    variance, differing = _observe_all(np.ascontiguousarray(runs), start, workers)
    return ObservedPairs(
        n=runs.shape[1],
        mean=column_means(runs[start:].T),
        counted=counted[start:],
        variance=variance,
        differing=differing,
    )


def divide(mean: Floats, error: Floats) -> Floats:
    """Where there is no error, all is infinite that is not 0."""
    t = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
    return np.divide(mean, error, out=t, where=error > 0)


def _observe_all(runs: Floats, start: int, workers: Workers) -> tuple[Floats, NDArray[np.uint8]]:
    n_runs, n = runs.shape
    n_pairs = count_pairs(n_runs) - count_pairs(start)
    chosen = workers.if_worth(STEPS_PER_VALUE * n * n_pairs)
    if chosen.is_here:
        return _observe_block(runs, (start, n_runs))
    found = chosen.map(
        partial(_observe_block, runs), cut_runs(start, n_runs, max(PAIRS_PER_BLOCK, n_pairs // MOST_BLOCKS))
    )
    return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])


def _observe_block(runs: Floats, block: tuple[int, int]) -> tuple[Floats, NDArray[np.uint8]]:
    """The pairs of the runs from one place to before another, each with all that come before it."""
    observe = _observe_compiled if has_kernel() and runs.shape[1] else _observe
    return observe(runs[: block[1]], block[0])


def _observe_compiled(runs: Floats, start: int) -> tuple[Floats, NDArray[np.uint8]]:
    n_pairs = count_pairs(len(runs)) - count_pairs(start)
    variance, differing = np.empty(n_pairs), np.empty(n_pairs, dtype=np.uint8)
    kernel.observe_pairs(runs, runs.shape[1], start, variance, differing)
    return variance, differing


def _observe(runs: Floats, start: int) -> tuple[Floats, NDArray[np.uint8]]:
    """The same in NumPy; sums may differ in their last bits."""
    variances, differing = [np.empty(0)], [np.empty(0, dtype=np.uint8)]
    for later in range(start, len(runs)):
        differences = runs[:later] - runs[later]
        squares = np.einsum("ij,ij->i", differences, differences)
        differing.append(np.count_nonzero(differs(differences), axis=1).clip(max=MOST_DIFFERING).astype(np.uint8))
        differences -= differences.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", differences, differences)
        variances.append(np.where(spread > NO_SPREAD * squares, spread, 0.0) / runs.shape[1])
    return np.concatenate(variances), np.concatenate(differing)

"""The t of each pair in resamples over its observed standard error: where bootstrap-t would be too much work.

The critical value is widened as Student's t is wider than the normal. That is right to first order only, and covers
less where differences are skewed: docs/design/rank-intervals.md has figures.

All that resamples tell of a run is its mean in each of them. A board keeps those means, and what is observed of pairs.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from toprung.stats.inputs import Floats, Ints
from toprung.stats.intervals.bootstrap import draw_weights
from toprung.stats.kernel.compiled import has_kernel, kernel
from toprung.stats.pairs.observed import Marks
from toprung.stats.pairs.resamples import CELLS_PER_BLOCK, STEPS_PER_PRODUCT, Block, PairResamples, moved
from toprung.stats.products import multiply
from toprung.workers import IN_PROCESS, Workers

# What one worker does at a time.
RUNS_PER_BLOCK = 256


@dataclass(eq=False, kw_only=True)
class _LargestKnown:
    """What is known of the largest t of each resample while tests are taken away step by step.

    ``best`` is the largest found, by the test ``where``; the largest is at most ``bound``.
    """

    best: Floats
    bound: Floats
    where: Ints
    tests: Marks

    @classmethod
    def fresh(cls, resamples: int) -> _LargestKnown:
        return cls(
            best=np.zeros(resamples),
            bound=np.full(resamples, np.inf),
            where=np.full(resamples, -1, dtype=np.int64),
            tests=np.empty(0, dtype=np.uint8),
        )

    def is_among(self, tests: Marks) -> bool:
        """Whether these are the tests searched before, or some of them."""
        if len(tests) != len(self.tests):
            return False
        parts = range(0, len(tests), CELLS_PER_BLOCK)
        return not any((tests[i : i + CELLS_PER_BLOCK] & ~self.tests[i : i + CELLS_PER_BLOCK]).any() for i in parts)

    def remember(self, tests: Marks) -> None:
        if len(tests) != len(self.tests):
            self.tests = np.empty_like(tests)
        np.copyto(self.tests, tests)


@dataclass(frozen=True, eq=False, kw_only=True)
class ScaledPairs(PairResamples):
    """The standard error of a pair stays the observed one; ``means`` are those of runs × resamples."""

    means: Floats
    _known: list[_LargestKnown] = field(default_factory=list)

    def block(self, places: Ints) -> Block:
        error = self.judged.error[places]
        scale = np.divide(1.0, error, out=np.zeros(len(error)), where=error > 0)
        return moved(self.means, self.judged.mean, self.pairs, places) * scale[:, None]

    def widen(self, value: float) -> float:
        from scipy.special import ndtr, stdtrit

        return -float(stdtrit(self.judged.observed.n - 1, ndtr(-value)))

    def largest_at(self, tests: Marks, place: int) -> float:
        found = self._search(tests, place) if has_kernel() else math.nan
        return super().largest_at(tests, place) if math.isnan(found) else found

    def _search(self, tests: Marks, place: int) -> float:
        """By bounds that rule out nearly all pairs (kernel/largest.c); NaN where numbers are too large or small."""
        known = self._known.pop() if self._known else _LargestKnown.fresh(self.resamples)
        if not known.is_among(tests):
            known = _LargestKnown.fresh(self.resamples)
        observed = self.judged.observed
        found = kernel.largest_scaled(
            observed.mean,
            self.means,
            observed.variance,
            self.judged.usual,
            observed.n,
            tests,
            place,
            known.best,
            known.bound,
            known.where,
        )
        known.remember(tests)
        self._known.append(known)
        return found


def resample_means(runs: Floats, resamples: int, rng: np.random.Generator, *, workers: Workers = IN_PROCESS) -> Floats:
    """The mean of each run of runs × queries in each resample.

    With the same seed one run gets the same means as it has among others: each worker draws all resamples, for some
    of the runs.
    """
    chosen = workers.if_worth(runs.size * resamples * STEPS_PER_PRODUCT)
    if chosen.is_here or not has_kernel():  # without it sums may depend on what is summed beside
        return _means_of_block(runs, resamples, rng, slice(None))
    blocks = [slice(start, start + RUNS_PER_BLOCK) for start in range(0, len(runs), RUNS_PER_BLOCK)]
    return np.concatenate(chosen.map(partial(_means_of_block, runs, resamples, rng), blocks))


def _means_of_block(all_runs: Floats, resamples: int, seeded: np.random.Generator, block: slice) -> Floats:
    runs, rng = all_runs[block], copy.deepcopy(seeded)
    n = runs.shape[1]
    rows = max(1, 4 * CELLS_PER_BLOCK // n)
    means = np.empty((len(runs), resamples))
    for start in range(0, resamples, rows):
        weights = draw_weights(n, min(rows, resamples - start), rng)
        means[:, start : start + rows] = weighted_means(runs, weights)
    return means


def weighted_means(runs: Floats, weights: Floats) -> Floats:
    if not has_kernel():
        plain: Floats = multiply(runs, weights.T) / runs.shape[1]
        return plain
    means = np.empty((len(runs), len(weights)))
    kernel.resample_means(runs, weights, runs.shape[1], means)
    return means

"""Bootstrap-t: the t of each pair in resamples, each over a standard error of its own.

The second moments of all pairs in all resamples are one product of matrices, in single precision. Where most of a
second moment is that the mean has moved, the variance is computed again in double precision.

The variance of a pair in a resample depends on nothing but its two runs and the seed: a board keeps it. What is usual
among all pairs, and so every t, changes with each run more.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.intervals.bootstrap import draw_weights
from toprung.stats.kernel.compiled import has_kernel, kernel
from toprung.stats.pairs import resamples as blocks
from toprung.stats.pairs.observed import NO_SPREAD, USUAL_QUERIES, JudgedPairs, Marks, divide, mean_differences
from toprung.stats.pairs.resamples import STEPS_PER_PRODUCT, Block, PairResamples, moved, parts
from toprung.stats.pairs.results import Pairs
from toprung.stats.pairs.scaled import resample_means
from toprung.stats.pairs.triangle import count_pairs, run_after_run
from toprung.stats.products import multiply
from toprung.workers import IN_PROCESS, Workers

# What bootstrap-t may cost: products of queries × pairs × resamples, some five CPU seconds; results to keep, 1 GB.
MOST_WORK = 150e9
MOST_KEPT = 1 << 28
# Of ``Workers.if_worth``, for each variance that a worker sends back: with few queries it is found in less.
STEPS_TO_SEND = 20
# A variance that is less than this share of the squares it is left of has lost digits.
SAFE_SHARE = 0.1

type Singles = NDArray[np.float32]


@dataclass(frozen=True, eq=False, kw_only=True)
class StudentisedPairs(PairResamples):
    """``means`` are those of runs × resamples, ``variances`` those of pairs × resamples."""

    means: Floats
    variances: Singles

    @cached_property
    def usual(self) -> Singles:
        return usual_variance(self.variances, self.judged.is_judged, self.judged.observed.n)

    def block(self, places: Ints) -> Block:
        error = np.sqrt((self.variances[places] + self.usual) / self.judged.observed.n)
        return divide(moved(self.means, self.judged.mean, self.pairs, places), error).astype(np.float32)

    def widen(self, value: float) -> float:
        return value

    def largest(self, tests: Marks) -> Floats:
        if not has_kernel():
            return super().largest(tests)
        largest, observed = np.zeros(self.resamples, dtype=np.float32), self.judged.observed
        kernel.largest_studentised(observed.mean, self.means, self.usual, observed.n, self.variances, tests, largest)
        return largest.astype(np.float64)


def is_affordable(n_queries: int, n_runs: int, resamples: int, *, most_work: float = MOST_WORK) -> bool:
    """Whether bootstrap-t of so much takes some seconds at most; few queries are too much from 734 runs on."""
    n_kept = count_pairs(n_runs) * resamples
    return n_queries * n_kept <= most_work and n_kept <= MOST_KEPT


def studentise(
    runs: Floats, judged: JudgedPairs, resamples: int, rng: np.random.Generator, *, workers: Workers = IN_PROCESS
) -> StudentisedPairs:
    """Resampled differences of all pairs of runs × queries over each resample's own standard error."""
    means = resample_means(runs, resamples, copy.deepcopy(rng), workers=workers)
    variances = resample_variances(runs, judged.observed.mean, means, rng, workers=workers)
    return StudentisedPairs(judged=judged, resamples=resamples, means=means, variances=variances)


def resample_variances(
    runs: Floats,
    mean: Floats,
    means: Floats,
    rng: np.random.Generator,
    *,
    start: int = 0,
    workers: Workers = IN_PROCESS,
) -> Singles:
    """The variance of pairs of runs × queries in the resamples that ``means`` are of, pairs × resamples.

    ``mean`` is that of each run. Of the runs from ``start`` on, each with all before it: in no bit others than among
    all pairs.
    """
    first, n = count_pairs(start), runs.shape[1]
    places = np.arange(first, count_pairs(len(runs)))
    variances = np.empty((len(places), means.shape[1]), dtype=np.float32)
    chosen = workers.if_worth(variances.size * (n * STEPS_PER_PRODUCT - STEPS_TO_SEND))
    for columns, weights in _draw(n, means.shape[1], rng):
        of_pairs = _Variances(
            runs=runs,
            mean=mean,
            means=np.ascontiguousarray(means[:, columns]),
            single=np.ascontiguousarray(weights.T, dtype=np.float32),
        )
        if chosen.is_here:
            of_pairs.fill(places, variances[:, columns])
        else:
            pieces = list(parts(places, max(n, len(weights))))
            variances[:, columns] = np.concatenate(chosen.map(partial(_find_variances, of_pairs), pieces))
    return variances


@dataclass(frozen=True, eq=False, kw_only=True)
class _Variances:
    """What the variances of pairs in resamples are found from; ``single`` are the weights, query by query."""

    runs: Floats
    mean: Floats
    means: Floats
    single: Singles

    @cached_property
    def differences(self) -> Floats:
        return mean_differences(self.mean)

    @cached_property
    def pairs(self) -> Pairs:
        return run_after_run(len(self.runs))

    def fill(self, places: Ints, found: Singles) -> None:
        """Find those of some pairs, which stand one after the other."""
        if has_kernel() and len(places):
            block = found if found.flags.c_contiguous else np.empty_like(found, order="C")
            n, first = self.runs.shape[1], int(places[0])
            kernel.resample_variances(self.mean, self.means, self.runs, n, self.single, first, block)
            found[:] = block
            return
        for part in parts(np.arange(len(places)), max(self.single.shape)):
            found[part[0] : part[-1] + 1] = self._find(places[part])

    def _find(self, part: Ints) -> Floats:
        """The same in NumPy; sums may differ in their last bits."""
        runs, pairs, n = self.runs, self.pairs, self.runs.shape[1]
        centred = runs[pairs.first[part]]
        centred -= runs[pairs.second[part]]
        centred -= self.differences[part, None]
        squares = multiply(np.square(centred, out=centred).astype(np.float32), self.single)
        squares /= n
        return _finish(squares, moved(self.means, self.differences, pairs, part), centred, self.single)


def _find_variances(of_pairs: _Variances, part: Ints) -> Singles:
    block = np.empty((len(part), of_pairs.single.shape[1]), dtype=np.float32)
    of_pairs.fill(part, block)
    return block


def _finish(squares: Singles, distance: Floats, centred: Floats, weights: Singles) -> Floats:
    """Squares about the observed mean, less the square of how far it has moved; ``centred`` are by query."""
    variance: Floats = squares - distance**2
    pair, resample = np.nonzero(variance < SAFE_SHARE * squares)
    for cells in parts(np.arange(len(pair)), len(weights)):
        rows, columns = pair[cells], resample[cells]
        again = np.einsum("ij,ji->i", centred[rows], weights[:, columns].astype(np.float64)) / len(weights)
        left = again - distance[rows, columns] ** 2
        variance[rows, columns] = np.where(left < NO_SPREAD * again, 0.0, left)
    return variance


def usual_variance(variances: Singles, is_judged: Bools, n: int) -> Singles:
    """In each column, what a few queries add to a variance that differ as in the median of the pairs judged."""
    medians = np.zeros(variances.shape[1], dtype=np.float32)
    if is_judged.any() and not (has_kernel() and kernel.column_medians(variances, is_judged, medians)):
        for part in parts(np.arange(variances.shape[1]), len(is_judged)):
            medians[part] = np.median(np.ascontiguousarray(variances[:, part].T)[:, is_judged], axis=1)
    return medians * np.float32(USUAL_QUERIES / n)


def _draw(n: int, resamples: int, rng: np.random.Generator) -> Iterator[tuple[slice, Floats]]:
    """The weights of resamples × queries, and of which resamples: as many at once as memory allows."""
    rows = max(1, 4 * blocks.CELLS_PER_BLOCK // n)
    for start in range(0, resamples, rows):
        stop = min(start + rows, resamples)
        yield slice(start, stop), draw_weights(n, stop - start, rng)

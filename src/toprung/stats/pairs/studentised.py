"""Bootstrap-t: the t of each pair in resamples, each over a standard error of its own.

The second moments of all pairs in all resamples are one matrix product, in single precision. Where most of a second
moment is that the mean has moved, the variance is computed again in double precision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.intervals.bootstrap import draw_weights
from toprung.stats.kernel.compiled import has_kernel, kernel
from toprung.stats.pairs import resamples as blocks
from toprung.stats.pairs.observed import NO_SPREAD, USUAL_QUERIES, JudgedPairs, Marks, divide
from toprung.stats.pairs.resamples import STEPS_PER_PRODUCT, Block, PairResamples, moved, parts
from toprung.stats.pairs.results import Pairs
from toprung.stats.pairs.scaled import weighted_means
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
    """``kept`` holds all t, pairs × resamples; in single precision, to save memory."""

    kept: Singles

    def block(self, places: Ints) -> Block:
        return self.kept[places]

    def widen(self, value: float) -> float:
        return value

    def largest(self, tests: Marks) -> Floats:
        if not has_kernel():
            return super().largest(tests)
        largest = np.zeros(self.resamples, dtype=np.float32)
        kernel.largest_studentised(self.kept, tests, largest)
        return largest.astype(np.float64)


def is_affordable(n_queries: int, n_runs: int, resamples: int, *, most_work: float = MOST_WORK) -> bool:
    """Whether bootstrap-t of so much takes some seconds at most; few queries are too much from 734 runs on."""
    n_kept = count_pairs(n_runs) * resamples
    return n_queries * n_kept <= most_work and n_kept <= MOST_KEPT


def studentise(
    runs: Floats, judged: JudgedPairs, resamples: int, rng: np.random.Generator, *, workers: Workers = IN_PROCESS
) -> StudentisedPairs:
    """Resampled differences of all pairs of runs × queries over each resample's own standard error."""
    found = []
    for weights in _draw(runs.shape[1], resamples, rng):
        means = weighted_means(runs, weights)
        variances = resample_variances(runs, judged, means, weights, workers=workers)
        found.append(_divide_all(judged, means, variances))
    kept = found[0] if len(found) == 1 else np.concatenate(found, axis=1)
    return StudentisedPairs(judged=judged, resamples=resamples, kept=kept)


def resample_variances(
    runs: Floats, judged: JudgedPairs, means: Floats, weights: Floats, *, workers: Workers = IN_PROCESS
) -> Singles:
    """The variance of all pairs of runs × queries in resamples of these weights, pairs × resamples."""
    n_pairs, n = count_pairs(len(runs)), runs.shape[1]
    variances = np.empty((n_pairs, len(weights)), dtype=np.float32)
    of_pairs = _Variances(
        runs=runs,
        judged=judged,
        means=means,
        weights=weights,
        single=np.ascontiguousarray(weights.T, dtype=np.float32),
    )
    blocks_of_pairs = list(parts(np.arange(n_pairs), max(n, len(weights))))
    chosen = workers.if_worth(variances.size * (n * STEPS_PER_PRODUCT - STEPS_TO_SEND))
    if chosen.is_here:
        for part in blocks_of_pairs:
            of_pairs.fill(part, variances[part[0] : part[-1] + 1])
    else:
        np.concatenate(chosen.map(partial(_find_variances, of_pairs), blocks_of_pairs), out=variances)
    return variances


@dataclass(frozen=True, eq=False, kw_only=True)
class _Variances:
    """What the variances of pairs in resamples are found from; ``single`` are the weights, query by query."""

    runs: Floats
    judged: JudgedPairs
    means: Floats
    weights: Floats
    single: Singles

    @cached_property
    def pairs(self) -> Pairs:
        return run_after_run(len(self.runs))

    def fill(self, part: Ints, block: Singles) -> None:
        """Find those of some pairs, which stand one after the other."""
        n, runs, judged, pairs = self.runs.shape[1], self.runs, self.judged, self.pairs
        centred = runs[pairs.first[part]]
        centred -= runs[pairs.second[part]]
        centred -= judged.mean[part, None]
        multiply(np.square(centred, out=centred).astype(np.float32), self.single, out=block)
        block /= n
        if has_kernel():
            kernel.finish_variances(judged.observed.mean, self.means, runs, n, self.single, int(part[0]), block)
        else:
            block[:] = _finish(block, moved(self.means, judged, pairs, part), centred, self.weights)


def _find_variances(of_pairs: _Variances, part: Ints) -> Singles:
    block = np.empty((len(part), len(of_pairs.weights)), dtype=np.float32)
    of_pairs.fill(part, block)
    return block


def _finish(squares: Singles, distance: Floats, centred: Floats, weights: Floats) -> Floats:
    """Squares about the observed mean, less the square of how far it has moved; ``centred`` are by query."""
    variance: Floats = squares - distance**2
    pair, resample = np.nonzero(variance < SAFE_SHARE * squares)
    for cells in parts(np.arange(len(pair)), weights.shape[1]):
        rows, columns = pair[cells], resample[cells]
        again = np.einsum("ij,ij->i", centred[rows], weights[columns]) / weights.shape[1]
        left = again - distance[rows, columns] ** 2
        variance[rows, columns] = np.where(left < NO_SPREAD * again, 0.0, left)
    return variance


def _divide_all(judged: JudgedPairs, means: Floats, variances: Singles) -> Singles:
    """The t of all pairs, in the place of their variances in resamples."""
    n, usual = judged.observed.n, usual_variance(variances, judged.is_judged, judged.observed.n)
    if has_kernel():
        kernel.studentise(judged.observed.mean, means, usual, n, variances)
        return variances
    pairs = run_after_run(len(means))
    for part in parts(np.arange(len(pairs)), means.shape[1]):
        variances[part] = divide(moved(means, judged, pairs, part), np.sqrt((variances[part] + usual) / n))
    return variances


def usual_variance(variances: Singles, is_judged: Bools, n: int) -> Singles:
    """In each column, what a few queries add to a variance that differ as in the median of the pairs judged."""
    medians = np.zeros(variances.shape[1], dtype=np.float32)
    if is_judged.any() and not (has_kernel() and kernel.column_medians(variances, is_judged, medians)):
        for part in parts(np.arange(variances.shape[1]), len(is_judged)):
            medians[part] = np.median(np.ascontiguousarray(variances[:, part].T)[:, is_judged], axis=1)
    return medians * np.float32(USUAL_QUERIES / n)


def _draw(n: int, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """The weights of resamples × queries: as many at once as memory allows."""
    rows = max(1, 4 * blocks.CELLS_PER_BLOCK // n)
    for start in range(0, resamples, rows):
        yield draw_weights(n, min(rows, resamples - start), rng)

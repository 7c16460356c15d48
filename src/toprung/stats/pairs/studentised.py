"""Bootstrap-t: the t of each pair in resamples, each over a standard error of its own.

The second moments of all pairs in all resamples are one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.intervals.bootstrap import draw_weights
from toprung.stats.pairs import resamples as blocks
from toprung.stats.pairs.observed import NO_SPREAD, USUAL_QUERIES, JudgedPairs, divide
from toprung.stats.pairs.resamples import Block, PairResamples, moved, parts
from toprung.stats.pairs.triangle import count_pairs, run_after_run

# What bootstrap-t may cost: products of queries × pairs × resamples, some six CPU seconds; results to keep, 1 GB.
MOST_WORK = 150e9
MOST_KEPT = 1 << 28


@dataclass(frozen=True, eq=False, kw_only=True)
class StudentisedPairs(PairResamples):
    """``kept`` holds all t, pairs × resamples; in single precision, to save memory."""

    kept: NDArray[np.float32]

    def block(self, places: Ints) -> Block:
        return self.kept[places]

    def widen(self, value: float) -> float:
        return value


def is_affordable(n_queries: int, n_runs: int, resamples: int, *, most_work: float = MOST_WORK) -> bool:
    """Whether bootstrap-t of so much takes some seconds at most; few queries are too much from 734 runs on."""
    n_kept = count_pairs(n_runs) * resamples
    return n_queries * n_kept <= most_work and n_kept <= MOST_KEPT


def studentise(runs: Floats, judged: JudgedPairs, resamples: int, rng: np.random.Generator) -> StudentisedPairs:
    """Resampled differences of all pairs of runs × queries over each resample's own standard error."""
    n, pairs = runs.shape[1], run_after_run(len(runs))
    every_pair = np.arange(len(pairs))
    kept = np.empty((len(pairs), resamples), dtype=np.float32)
    for drawn, weights in _draw(n, resamples, rng):
        means = runs @ weights / n
        block = kept[:, drawn]
        for part in parts(every_pair, max(n, weights.shape[1])):
            centred = runs[pairs.first[part]] - runs[pairs.second[part]] - judged.mean[part, None]
            squares = np.square(centred, out=centred) @ weights / n
            block[part] = _variance(moved(means, judged, pairs, part), squares)
        usual = _usual_variance(block, judged.is_judged, n)
        for part in parts(every_pair, weights.shape[1]):
            block[part] = divide(moved(means, judged, pairs, part), np.sqrt((block[part] + usual) / n))
    return StudentisedPairs(judged=judged, resamples=resamples, kept=kept)


def _variance(distance: Floats, squares: Floats) -> Floats:
    variance = squares - distance**2
    variance[variance < NO_SPREAD * squares] = 0.0
    return variance


def _usual_variance(variances: Block, is_judged: Bools, n: int) -> Block:
    """In each column, what a few queries add to a variance that differ as in the median of the pairs judged."""
    if not is_judged.any():
        return np.zeros(variances.shape[1])
    columns = parts(np.arange(variances.shape[1]), len(is_judged))
    medians = [np.median(np.ascontiguousarray(variances[:, part].T)[:, is_judged], axis=1) for part in columns]
    usual: Block = np.concatenate(medians) * (USUAL_QUERIES / n)
    return usual


def _draw(n: int, resamples: int, rng: np.random.Generator) -> Iterator[tuple[slice, Floats]]:
    """Which resamples, and their weights, queries × resamples: as many at once as memory allows."""
    rows = max(1, 4 * blocks.CELLS_PER_BLOCK // n)
    for start in range(0, resamples, rows):
        drawn = slice(start, min(start + rows, resamples))
        yield drawn, draw_weights(n, drawn.stop - drawn.start, rng).T

"""What would the t of each pair of runs be, had other queries been drawn? What simultaneous intervals are made from.

For each pair t is the difference of the means over its standard error; in a resample it is the difference less the
observed one, over the resample's own standard error (bootstrap-t), which is right to second order for skewed scores.
The second moments of all pairs in all resamples are one matrix product.

To every variance, observed or resampled, is added what ``USUAL_QUERIES`` queries that differ as much as is usual on the
board would add. Else a pair that a few queries carry has resamples without them, and so of hardly any standard error,
and its huge t would be the critical value of all pairs. The more queries there are, the less this adds.

Bootstrap-t costs queries × pairs × resamples. Where it is more than some seconds' work, or more than 1 GB to keep, the
standard error stays the observed one, and the critical value is widened as Student's t is wider than the normal. That
is right to first order only, and covers less where differences are skewed: docs/design/rank-intervals.md has figures.
Few queries are so much only for more than 700 runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints
from toprung.stats.intervals.bootstrap import draw_weights
from toprung.stats.pairs.results import Pairs, all_pairs
from toprung.stats.tests.pair import differs

# What bootstrap-t may cost: products of queries × pairs × resamples, some six CPU seconds; results to keep, 1 GB.
MOST_WORK = 150e9
MOST_KEPT = 1 << 28
CELLS_PER_BLOCK = 1 << 21
# Below this share of the squares a variance is rounding.
NO_SPREAD = 1e-12
USUAL_QUERIES = 5

type Block = NDArray[np.floating]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairDifferences:
    """What is observed of every pair, the first run less the second."""

    pairs: Pairs
    n: int
    mean: Floats
    variance: Floats
    """Of the differences by query."""
    is_judged: Bools
    """Whether the two differ on enough queries to be told apart."""

    @cached_property
    def error(self) -> Floats:
        """The standard error of the mean, by all that is counted as variance."""
        usual = _usual_variance(self.variance[:, None], self.is_judged, self.n)
        return np.sqrt((self.variance + usual) / self.n)

    @cached_property
    def t(self) -> Floats:
        """Infinite where all queries differ by the same amount, 0 where none differs."""
        return _divide(self.mean, self.error)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairResamples:
    """The t of every pair in every resample, less what was observed."""

    observed: PairDifferences
    resamples: int
    is_studentised: bool
    """Whether each resample has a standard error of its own."""
    block: Callable[[Ints], Block]
    """The resampled t of these pairs, pairs × resamples."""

    def largest(self, upward: Bools, downward: Bools) -> Floats:
        """In each resample, the largest t of the pairs marked upward, and of those marked downward turned round."""
        largest = np.full(self.resamples, -np.inf)
        for part in _parts(np.flatnonzero(upward | downward), self.resamples):
            block = self.block(part)
            np.maximum(largest, block[upward[part]].max(axis=0, initial=-np.inf), out=largest)
            np.maximum(largest, -block[downward[part]].min(axis=0, initial=np.inf), out=largest)
        return largest

    def critical_value(self, largest: Floats, alpha: float) -> float:
        """What the largest t exceeds with probability alpha at most; never negative, infinite with few resamples."""
        from scipy.special import ndtr, stdtrit

        place = math.ceil((1 - alpha) * (self.resamples + 1))
        if place > self.resamples:
            return math.inf
        value = max(0.0, float(np.partition(largest, place - 1)[place - 1]))
        return value if self.is_studentised else -float(stdtrit(self.observed.n - 1, ndtr(-value)))


def resample_pairs(
    values: Floats,
    *,
    resamples: int,
    rng: np.random.Generator,
    least_differing: int = 1,
    most_work: float = MOST_WORK,
) -> PairResamples:
    """Resample all pairs of columns of queries × runs; NaN marks queries that do not count for a run.

    Pairs that differ on fewer than ``least_differing`` queries are not judged.
    """
    runs, counted = fill_gaps(values)
    observed = _observe(runs, counted, least_differing)
    n_kept = len(observed.pairs) * resamples
    is_studentised = len(values) * n_kept <= most_work and n_kept <= MOST_KEPT
    make_blocks = _studentised_blocks if is_studentised else _scaled_blocks
    return PairResamples(
        observed=observed,
        resamples=resamples,
        is_studentised=is_studentised,
        block=make_blocks(runs, observed, resamples, rng),
    )


def fill_gaps(values: Floats) -> tuple[Floats, Ints]:
    """Runs × queries without gaps, of the same means and standard errors, and how many queries count for each run.

    The mean of the queries that count moves with each of them as (x − mean) · n / counted, and with no other query.
    """
    columns = np.ascontiguousarray(values.T)
    is_counted = ~np.isnan(columns)
    counted = is_counted.sum(axis=1)
    if is_counted.all():
        return columns, counted
    divisor = np.maximum(counted, 1)[:, None]
    filled = np.where(is_counted, columns, 0.0)
    centre = filled.sum(axis=1, keepdims=True) / divisor
    return centre + np.where(is_counted, filled - centre, 0.0) * (len(values) / divisor), counted


def _observe(runs: Floats, counted: Ints, least_differing: int) -> PairDifferences:
    pairs, n = all_pairs(len(runs)), runs.shape[1]
    mean, variance, differing = np.zeros(len(pairs)), np.zeros(len(pairs)), np.zeros(len(pairs), dtype=np.int64)
    for part in _parts(np.arange(len(pairs)), n):
        differences = runs[pairs.first[part]] - runs[pairs.second[part]]
        squares = np.einsum("ij,ij->i", differences, differences)
        differing[part] = np.count_nonzero(differs(differences), axis=1)
        mean[part] = differences.mean(axis=1)
        differences -= mean[part, None]
        spread = np.einsum("ij,ij->i", differences, differences)
        variance[part] = np.where(spread > NO_SPREAD * squares, spread, 0.0) / n
    least_counted = np.minimum(counted[pairs.first], counted[pairs.second])
    return PairDifferences(
        pairs=pairs,
        n=n,
        mean=mean.round(MEAN_DIGITS),
        variance=variance,
        is_judged=np.minimum(differing, least_counted) >= least_differing,
    )


def _usual_variance(variances: Block, is_judged: Bools, n: int) -> Block:
    """In each column, what a few queries add to a variance that differ as in the median of the pairs judged."""
    if not is_judged.any():
        return np.zeros(variances.shape[1])
    blocks = _parts(np.arange(variances.shape[1]), len(is_judged))
    medians = [np.median(np.ascontiguousarray(variances[:, part].T)[:, is_judged], axis=1) for part in blocks]
    usual: Block = np.concatenate(medians) * (USUAL_QUERIES / n)
    return usual


def _divide(mean: Floats, error: Floats) -> Floats:
    """Where there is no error, all is infinite that is not 0."""
    t = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
    return np.divide(mean, error, out=t, where=error > 0)


def _studentised_blocks(
    runs: Floats, observed: PairDifferences, resamples: int, rng: np.random.Generator
) -> Callable[[Ints], Block]:
    """Resampled differences over each resample's own standard error; kept in single precision, to save memory."""
    pairs, n = observed.pairs, observed.n
    every_pair = np.arange(len(pairs))
    kept = np.empty((len(pairs), resamples), dtype=np.float32)
    for drawn, weights in _draw(n, resamples, rng):
        means = runs @ weights / n
        block = kept[:, drawn]
        for part in _parts(every_pair, max(n, weights.shape[1])):
            centred = runs[pairs.first[part]] - runs[pairs.second[part]] - observed.mean[part, None]
            squares = np.square(centred, out=centred) @ weights / n
            block[part] = _variance(_moved(means, observed, part), squares)
        usual = _usual_variance(block, observed.is_judged, n)
        for part in _parts(every_pair, weights.shape[1]):
            block[part] = _divide(_moved(means, observed, part), np.sqrt((block[part] + usual) / n))
    return lambda part: kept[part]


def _moved(means: Floats, observed: PairDifferences, part: Ints) -> Floats:
    """How far the difference of these pairs has moved in each resample."""
    moved: Floats = means[observed.pairs.first[part]]
    moved -= means[observed.pairs.second[part]]
    moved -= observed.mean[part, None]
    return moved.round(MEAN_DIGITS)


def _variance(moved: Floats, squares: Floats) -> Floats:
    variance = squares - moved**2
    variance[variance < NO_SPREAD * squares] = 0.0
    return variance


def _scaled_blocks(
    runs: Floats, observed: PairDifferences, resamples: int, rng: np.random.Generator
) -> Callable[[Ints], Block]:
    """Resampled differences over the observed standard error; computed anew whenever they are asked for."""
    means = np.concatenate([runs @ weights for _, weights in _draw(observed.n, resamples, rng)], axis=1) / observed.n
    error = observed.error
    scale = np.divide(1.0, error, out=np.zeros(len(error)), where=error > 0)
    return lambda part: _moved(means, observed, part) * scale[part, None]


def _draw(n: int, resamples: int, rng: np.random.Generator) -> Iterator[tuple[slice, Floats]]:
    """Which resamples, and their weights, queries × resamples: as many at once as memory allows."""
    rows = max(1, 4 * CELLS_PER_BLOCK // n)
    for start in range(0, resamples, rows):
        drawn = slice(start, min(start + rows, resamples))
        yield drawn, draw_weights(n, drawn.stop - drawn.start, rng).T


def _parts(items: Ints, width: int) -> Iterator[Ints]:
    """Blocks of pairs, each of a bounded number of cells."""
    size = max(1, CELLS_PER_BLOCK // max(width, 1))
    for start in range(0, len(items), size):
        yield items[start : start + size]

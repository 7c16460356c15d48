"""How sure are many means at once? BCa bootstrap intervals of all columns of a matrix, from one resampling of queries.

One weight matrix (how often each query is drawn in each resample) serves every column, so that a report of many
comparisons costs one matrix product. BCa (Efron 1987) is second-order correct, and for a mean its acceleration is a
plain sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toprung.stats.inputs import Bools, Floats, Ints, Seed, check_share
from toprung.stats.kernel.compiled import has_kernel, kernel
from toprung.stats.products import multiply

RESAMPLES = 2_000
CELLS_PER_CHUNK = 1 << 24
SAME_MEAN = 1e-12
"""Of the largest value: means this close are one, for a product of more columns at once is rounded otherwise."""
# Queries drawn at once, and weights held in full precision: few enough to stay in the cache until they are used.
CELLS_PER_DRAW, CELLS_PER_PRODUCT = 1 << 16, 1 << 19
EXACT_UP_TO = 1 << 24
"""Single precision has all whole numbers up to this: it adds them as exactly as double precision, in half the time."""


@dataclass(frozen=True, kw_only=True)
class Effect:
    """An estimate with its interval; ``n`` counts the queries behind it."""

    estimate: float
    low: float
    high: float
    confidence: float
    n: int


def mean_intervals(
    columns: ArrayLike, *, confidence: float = 0.95, resamples: int = RESAMPLES, rng: Seed = 0
) -> list[Effect]:
    """The mean of each column with its interval; NaN marks queries that do not count for a column.

    >>> found, empty = mean_intervals([[1.0, np.nan], [2.0, np.nan], [3.0, np.nan], [2.0, np.nan]])
    >>> found.estimate, found.low < 2 < found.high, empty.n
    (2.0, True, 0)
    """
    check_share(confidence, name="confidence")
    values = np.asarray(columns, dtype=np.float64)
    counts = ~np.isnan(values)
    if isinstance(rng, int) and resamples * len(values) <= CELLS_PER_CHUNK:
        weights = _weights_of_seed(rng, len(values), resamples)
        rows = max(1, CELLS_PER_PRODUCT // max(len(values), 1))
        parts = (weights[start : start + rows] for start in range(0, resamples, rows))
        of_columns = _CountedColumns.of(values)
        means = np.concatenate([of_columns.means(part) for part in parts])
    else:
        means = resampled_means(values, resamples, np.random.default_rng(rng))
    columns_of = zip(*map(np.ascontiguousarray, (values.T, counts.T, means.T)), strict=True)
    return [_effect(column[is_known], of_column, confidence) for column, is_known, of_column in columns_of]


@lru_cache(maxsize=2)
def _weights_of_seed(seed: int, n: int, resamples: int) -> NDArray[np.float32]:
    """The weights that `resampled_means` draws first. A report asks for many of public and of private queries."""
    weights = np.empty((resamples, n), dtype=np.float32)
    fill_weights(weights, np.random.default_rng(seed))
    weights.setflags(write=False)
    return weights


def column_means(values: Floats) -> Floats:
    """The mean of each column, by exact summation; NaN marks values that do not count, and is the mean of none.

    >>> column_means(np.array([[0.1, np.nan], [0.2, np.nan], [0.6, np.nan]])).tolist()
    [0.3, nan]
    """
    columns = (column[~np.isnan(column)].tolist() for column in values.T)
    return np.array([math.fsum(column) / len(column) if column else math.nan for column in columns])


def resampled_means(values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """The mean of each column in each resample of the rows: resamples × columns.

    NaN marks rows that do not count for a column, and is the mean of a column without any that do. Few weights are
    held at once, always in the same place: to clear fresh memory for all of them takes longer than to draw them.
    """
    rows = max(1, min(resamples, CELLS_PER_PRODUCT // max(len(values), 1)))
    weights, of_columns = np.empty((rows, len(values))), _CountedColumns.of(values)
    means = np.empty((resamples, values.shape[1]))
    for start in range(0, resamples, rows):
        part = weights[: resamples - start]
        fill_weights(part, rng)
        means[start : start + rows] = of_columns.means(part)
    return means


def weighted_means(weights: Floats, values: Floats) -> Floats:
    """The mean of each column in each resample of weights; NaN as in `resampled_means`."""
    return _CountedColumns.of(values).means(weights)


@dataclass(frozen=True, eq=False, kw_only=True)
class _CountedColumns:
    """Columns of values, with what every resample of them needs."""

    filled: Floats
    """The values, 0 where a row does not count."""
    masks: Floats
    """Which rows count, where not all do; columns beside each other in which the same ones count have one mask."""
    mask_of: Ints
    """Of each column, from 1; 0 where all rows count."""

    @classmethod
    def of(cls, values: Floats) -> _CountedColumns:
        counts = ~np.isnan(values)
        has_gaps = ~counts.all(axis=0)
        is_first = has_gaps.copy()
        is_first[1:] &= (counts[:, 1:] != counts[:, :-1]).any(axis=0)
        return cls(
            filled=np.where(counts, values, 0.0),
            masks=counts[:, is_first].astype(np.float64),
            mask_of=np.where(has_gaps, np.cumsum(is_first), 0),
        )

    def means(self, weights: NDArray[np.floating]) -> Floats:
        """Weights in single precision say how often each of n rows was drawn, n times in all."""
        total, size = self._totals(weights), weights.sum(axis=1, keepdims=True, dtype=np.float64)
        if self.masks.size:
            masks = self.masks if weights.dtype == np.float64 else self._single_masks
            size = np.hstack([size, multiply(weights, masks)])[:, self.mask_of]
        means: Floats = np.divide(total, size, out=np.full(total.shape, np.nan), where=size > 0)
        return means

    def _totals(self, weights: NDArray[np.floating]) -> Floats:
        if weights.dtype == np.float64:
            return multiply(weights.astype(np.float64, copy=False), self.filled)
        totals = np.empty((len(weights), self.filled.shape[1]))
        totals[:, self._is_exact] = multiply(weights, self._exact)
        totals[:, ~self._is_exact] = multiply(weights.astype(np.float64), self._other)
        return totals

    @cached_property
    def _is_exact(self) -> Bools:
        """Which columns hold whole numbers whose sum is exact in single precision, whichever rows are drawn."""
        is_small = len(self.filled) * np.abs(self.filled).max(axis=0, initial=0.0) <= EXACT_UP_TO
        found: Bools = is_small & (self.filled == np.rint(self.filled)).all(axis=0)
        return found

    @cached_property
    def _exact(self) -> NDArray[np.float32]:
        return self.filled[:, self._is_exact].astype(np.float32)

    @cached_property
    def _other(self) -> Floats:
        return np.ascontiguousarray(self.filled[:, ~self._is_exact])

    @cached_property
    def _single_masks(self) -> NDArray[np.float32]:
        return self.masks.astype(np.float32)


def draw_weights(n: int, resamples: int, rng: np.random.Generator) -> Floats:
    """How often each of n queries is drawn, in each of the resamples."""
    weights = np.empty((resamples, n))
    fill_weights(weights, rng)
    return weights


def fill_weights(weights: NDArray[np.floating], rng: np.random.Generator) -> None:
    """The same into an array of resamples × queries, of single or double precision."""
    resamples, n = weights.shape
    row_starts = n * np.arange(_rows_per_draw(n))[:, None]
    for start, drawn in _draw_queries(n, resamples, rng):
        part = weights[start : start + len(drawn)]
        if has_kernel() and drawn.size and part.flags.c_contiguous:
            kernel.count_draws(drawn, n, part)
            continue
        np.add(drawn, row_starts[: len(part)], out=drawn)
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)


def skip_weights(n: int, resamples: int, rng: np.random.Generator) -> None:
    """Leave the generator as it is after so many resamples were drawn."""
    for _ in _draw_queries(n, resamples, rng):
        pass


def _draw_queries(n: int, resamples: int, rng: np.random.Generator) -> Iterator[tuple[int, Ints]]:
    """The queries of some resamples at a time, and how many resamples came before."""
    rows = _rows_per_draw(n)
    for start in range(0, resamples, rows):
        yield start, rng.integers(0, max(n, 1), size=(min(rows, resamples - start), n))


def _rows_per_draw(n: int) -> int:
    return max(1, CELLS_PER_DRAW // max(n, 1))


def _effect(values: Floats, means: Floats, confidence: float) -> Effect:
    n = len(values)
    if n == 0:
        return Effect(estimate=math.nan, low=math.nan, high=math.nan, confidence=confidence, n=0)
    estimate = math.fsum(values.tolist()) / n
    means = means[~np.isnan(means)]
    if n == 1 or not len(means):
        return Effect(estimate=estimate, low=math.nan, high=math.nan, confidence=confidence, n=n)
    if values.min() == values.max():
        return Effect(estimate=estimate, low=estimate, high=estimate, confidence=confidence, n=n)
    low, high = _bca_interval(values, means, confidence)
    return Effect(estimate=estimate, low=low, high=high, confidence=confidence, n=n)


def _bca_interval(values: Floats, means: Floats, confidence: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    centre = values.mean()
    spread = values - centre
    spread /= np.abs(spread).max()  # else the powers of tiny values would all be 0
    squares = spread * spread
    # Ties with the estimate count half, whatever their last bits; a share of 0 or 1 would send the bias to infinity.
    same, n = SAME_MEAN * np.abs(values).max(), len(means)
    ordered = np.sort(means)
    share = (ordered.searchsorted(centre - same) + ordered.searchsorted(centre + same, "right")) / (2 * n)
    bias = ndtri(min(max(share, 0.5 / n), 1 - 0.5 / n))
    acceleration = (squares * spread).sum() / (6 * squares.sum() ** 1.5)
    tails = bias + ndtri([(1 - confidence) / 2, (1 + confidence) / 2])
    low, high = ndtr(bias + tails / (1 - acceleration * tails)).tolist()
    return _quantile(ordered, low), _quantile(ordered, high)


def _quantile(ordered: Floats, share: float) -> float:
    """As NumPy's own, between the two neighbours; of many short columns most of its time goes into asking."""
    place = share * (len(ordered) - 1)
    below, rest = int(place), place - int(place)
    first, second = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return first + (second - first) * rest if rest < 0.5 else second - (second - first) * (1 - rest)

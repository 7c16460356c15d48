"""At which ranks does a run stand when other queries are drawn? The share of trials each run spends at each position.

After Craswell et al. 2021, section 3.1: draw as many queries as there are, with replacement, rank the runs by their
means, and count. It shows how stable an order is. It is no confidence interval: see ``rank_intervals`` for those.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints, Seed
from toprung.stats.intervals.bootstrap import fill_weights, resampled_means
from toprung.stats.products import multiply
from toprung.stats.ranks.places import order_keys

TRIALS = 1_000
# Weights held at once, 8 or 16 MB.
CELLS_PER_CHUNK = 1 << 21
# Means this near, as a share of the spread between runs, are ranked in double precision. Single precision is off by
# some 1e-8 of it, and 1e-7 at worst; so this is safe, and still is seldom met.
ROUGH_GAP = 2e-6
LEAST_GAP = 10 * 10.0**-MEAN_DIGITS


def bootstrap_rank_mass(
    values: ArrayLike, *, trials: int = TRIALS, higher_is_better: bool = True, rng: Seed = 0
) -> Floats:
    """The share of trials each run spends at each position, runs × positions, from the values of queries × runs.

    Every trial draws queries anew, the same for all runs. NaN marks queries that do not count for a run; a run without
    any stands behind all others. Runs with the same mean share the positions they occupy evenly, so that rows and
    columns sum to 1.

    >>> bootstrap_rank_mass([[0.5, 0.1], [0.4, 0.2], [0.3, 0.4]], trials=200).round(2).tolist()
    [[0.89, 0.11], [0.11, 0.89]]
    """
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or not len(matrix):
        raise InputError(f"values: found an array of shape {matrix.shape}; expected one or more queries × runs.")
    if trials < 1:
        raise InputError(f"trials: found {trials}; expected at least 1.")
    generator = np.random.default_rng(rng)
    if not np.isnan(matrix).any():
        return _tally_complete(matrix if higher_is_better else -matrix, trials, generator) / trials
    total = np.zeros((matrix.shape[1], matrix.shape[1]))
    for means in resampled_means(matrix, trials, generator, cells=CELLS_PER_CHUNK):
        total += _tally(means, higher_is_better=higher_is_better)
    return total / trials


def expected_rank(mass: ArrayLike) -> Floats:
    """The mean rank of each row of shares at ranks 1, 2, …; later ranks may be left out where they are 0.

    >>> round(float(expected_rank([0.727, 0.254, 0.019])), 3)
    1.292
    """
    shares = np.asarray(mass, dtype=np.float64)
    return shares @ np.arange(1.0, shares.shape[-1] + 1)


def _tally_complete(values: Floats, trials: int, rng: np.random.Generator) -> Floats:
    """How often each run takes each position, if every query counts for every run and higher is better.

    Trials are ranked in single precision, at half the cost, and only those where two runs come so close that its
    rounding might matter are ranked again in double. How easy a query is for all runs moves no rank, and is taken off
    first, so that rounding is small.
    """
    n, n_runs = values.shape
    centred = values - values.mean(axis=1, keepdims=True)
    rough_values = centred.astype(np.float32)
    too_close = n * max(ROUGH_GAP * float(np.sqrt(np.mean(centred**2))), LEAST_GAP)
    rows = min(trials, max(1, CELLS_PER_CHUNK // n))
    chunk = np.empty((rows, n), dtype=np.float32)
    total = np.zeros((n_runs, n_runs))
    for start in range(0, trials, rows):
        weights = chunk[: trials - start]
        fill_weights(weights, rng)
        rough = multiply(weights, rough_values)
        order = np.argsort(-rough, axis=1)
        gaps = -np.diff(np.take_along_axis(rough, order, axis=1), axis=1)
        is_clear = gaps.min(axis=1, initial=np.inf) > too_close
        total += _count(order[is_clear], np.arange(n_runs), shape=(n_runs, n_runs))
        total += _tally(multiply(weights[~is_clear].astype(np.float64), values) / n, higher_is_better=True)
    return total


def _tally(scores: Floats, *, higher_is_better: bool) -> Floats:
    """How often each run takes each position, a tie counting as an even part of each position it occupies."""
    n_runs = scores.shape[1]
    keys = order_keys(scores, higher_is_better=higher_is_better)
    order = np.argsort(keys, axis=1)
    ranked = np.take_along_axis(keys, order, axis=1)
    is_new = np.ones(ranked.shape, dtype=bool)
    is_new[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    if is_new.all():
        return _count(order, np.arange(n_runs), shape=(n_runs, n_runs)).astype(np.float64)
    return _tally_ties(order, is_new)


def _tally_ties(order: Ints, is_new: Bools) -> Floats:
    """Where a group of equals stretches over several positions; whole numbers are kept until the division by its size.

    Each member adds one from the first position of its group to the last: +1 there, −1 behind it, then summed up.
    """
    n_runs = order.shape[1]
    position = np.arange(n_runs)
    first = np.maximum.accumulate(np.where(is_new, position, 0), axis=1)
    is_last = np.ones(is_new.shape, dtype=bool)
    is_last[:, :-1] = is_new[:, 1:]
    last = np.minimum.accumulate(np.where(is_last, position, n_runs)[:, ::-1], axis=1)[:, ::-1]
    size = last - first + 1
    total = np.zeros((n_runs, n_runs))
    for each in np.unique(size).tolist():
        here, shape = size == each, (n_runs, n_runs + 1)
        steps = _count(order[here], first[here], shape=shape) - _count(order[here], last[here] + 1, shape=shape)
        total += np.cumsum(steps, axis=1)[:, :n_runs] / each
    return total


def _count(runs: Ints, positions: Ints, *, shape: tuple[int, int]) -> Ints:
    """How often each run stands at each position."""
    cells = (runs * shape[1] + positions).ravel()
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)

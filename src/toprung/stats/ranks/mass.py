"""At which ranks does a run stand when other queries are drawn? The share of trials each run spends at each position.

After Craswell et al. 2021, section 3.1: draw as many queries as there are, with replacement, rank the runs by their
means, and count. It shows how stable an order is. It is no confidence interval: see ``rank_intervals`` for those.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints, Seed, as_matrix_with_gaps
from toprung.stats.intervals.bootstrap import weighted_means
from toprung.stats.intervals.cut_draws import DrawnLater, cut_draws
from toprung.stats.products import multiply
from toprung.stats.ranks.places import order_keys
from toprung.workers import IN_PROCESS, Workers

TRIALS = 1_000
# Weights held at once, 8 or 16 MB.
CELLS_PER_CHUNK = 1 << 21
# Means this near, as a share of the spread between runs, are ranked in double precision. Single precision is off by
# some 1e-8 of it, and 1e-7 at worst; so this is safe, and still is seldom met.
ROUGH_GAP = 2e-6
# Of ``Workers.if_worth``: many products of a matrix product are made at once.
STEPS_PER_PRODUCT = 1 / 16
LEAST_GAP = 10 * 10.0**-MEAN_DIGITS


def bootstrap_rank_mass(
    values: ArrayLike,
    *,
    trials: int = TRIALS,
    higher_is_better: bool = True,
    rng: Seed = 0,
    workers: Workers = IN_PROCESS,
) -> Floats:
    """The share of trials each run spends at each position, runs × positions, from the values of queries × runs.

    Every trial draws queries anew, the same for all runs. NaN marks queries that do not count for a run; a run without
    any stands behind all others. Runs with the same mean share the positions they occupy evenly, so that rows and
    columns sum to 1. One worker ranks a chunk of the trials at a time.

    >>> bootstrap_rank_mass([[0.5, 0.1], [0.4, 0.2], [0.3, 0.4]], trials=200).round(2).tolist()
    [[0.89, 0.11], [0.11, 0.89]]
    """
    matrix = as_matrix_with_gaps(values)
    if not len(matrix):
        raise InputError(f"values: found an array of shape {matrix.shape}; expected one or more queries × runs.")
    if trials < 1:
        raise InputError(f"trials: found {trials}; expected at least 1.")
    towards_better = matrix if higher_is_better else -matrix
    chosen = workers.if_worth(matrix.size * trials * STEPS_PER_PRODUCT)
    draws = cut_draws(len(matrix), trials, np.random.default_rng(rng), cells=CELLS_PER_CHUNK, is_here=chosen.is_here)
    rank: Callable[[DrawnLater], _Ranked] = (
        partial(_rank_incomplete, towards_better)
        if np.isnan(matrix).any()
        else partial(_rank_complete, _CompleteScores.of(towards_better))
    )
    total = np.zeros((matrix.shape[1], matrix.shape[1]))
    for ranked in map(rank, draws) if chosen.is_here else chosen.map(rank, draws):
        ranked.add_to(total)
    return total / trials


def expected_rank(mass: ArrayLike) -> Floats:
    """The mean rank of each row of shares at ranks 1, 2, …; later ranks may be left out where they are 0.

    >>> round(float(expected_rank([0.727, 0.254, 0.019])), 3)
    1.292
    """
    shares = np.asarray(mass, dtype=np.float64)
    return shares @ np.arange(1.0, shares.shape[-1] + 1)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Ranked:
    """Some trials: the order of the runs in each where no two come close, and the positions of all others shared."""

    order: Ints | None = None
    shared: Floats | None = None

    def add_to(self, total: Floats) -> None:
        """Count how often each run takes each position."""
        if self.order is not None:
            total += _count(self.order, np.arange(len(total)), shape=(len(total), len(total)))
        if self.shared is not None:
            total += self.shared


@dataclass(frozen=True, eq=False, kw_only=True)
class _CompleteScores:
    """Values of queries × runs where every query counts for every run and higher is better.

    Trials are ranked in single precision, at half the cost, and only those where two runs come so close that its
    rounding might matter are ranked again in double. How easy a query is for all runs moves no rank, and is taken off
    first, so that rounding is small.
    """

    values: Floats
    rough: NDArray[np.float32]
    too_close: float

    @classmethod
    def of(cls, values: Floats) -> _CompleteScores:
        centred = values - values.mean(axis=1, keepdims=True)
        too_close = len(values) * max(ROUGH_GAP * float(np.sqrt(np.mean(centred**2))), LEAST_GAP)
        return cls(values=values, rough=centred.astype(np.float32), too_close=too_close)


def _rank_complete(scores: _CompleteScores, draw: DrawnLater) -> _Ranked:
    weights = draw.weights(np.float32)
    rough = multiply(weights, scores.rough)
    order = np.argsort(-rough, axis=1)
    gaps = -np.diff(np.take_along_axis(rough, order, axis=1), axis=1)
    is_clear = gaps.min(axis=1, initial=np.inf) > scores.too_close
    if is_clear.all():
        return _Ranked(order=order)
    close = multiply(weights[~is_clear].astype(np.float64), scores.values) / len(scores.values)
    return _Ranked(order=order[is_clear], shared=_tally(close, higher_is_better=True))


def _rank_incomplete(values: Floats, draw: DrawnLater) -> _Ranked:
    means = weighted_means(draw.weights(np.float64).astype(np.float64, copy=False), values)
    return _Ranked(shared=_tally(means, higher_is_better=True))


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

"""At which ranks may each run truly stand? Which runs are surely better than which, and the ranks that leaves to each.

After Mogstad, Romano, Shaikh and Wilhelm (Inference for Ranks, Review of Economic Studies 2024): test of every pair of
runs, both ways, whether one is better; the largest t over all tests, resampled, gives the critical value, and it is
found again without the tests already decided until no more are (step-down, Romano and Wolf 2005). A run's rank is at
least 1 + the runs surely better, and at most the number of runs less those surely worse. If runs are truly equal, the
interval holds every rank that they may share.

A pair is judged only if it could show something: if the two differ on so few queries that exchanging them query by
query would leave 2^(1 − queries), times the number of pairs, above the level, they are not told apart however it
points. So near-copies of a run are never told apart by a handful of queries.

All this presumes that the queries show what the runs can do. If a run is as good as another only by gains so rare that
the queries may hold none of them, no resampling can know: docs/design/rank-intervals.md tells what that costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.inputs import Bools, Floats, Ints, Seed, check_share
from toprung.stats.pairs.resamples import MOST_WORK, PairResamples, resample_pairs
from toprung.stats.tests.pair import pair_test

RESAMPLES = 1_000


@dataclass(frozen=True, eq=False, kw_only=True)
class RankIntervals:
    """The ranks each run may have, from 1; one element per run."""

    low: Ints
    """The intervals of all runs hold at once with the confidence given; from 1 where no other run is better."""
    high: Ints
    is_better: Bools
    """Runs × runs, all at once: whether the row is surely better than the column."""
    n_pairs: int
    n_judged: int
    """The pairs that differ on enough queries to be told apart."""
    least_differing: int
    """How many queries that is."""
    is_studentised: bool
    """Whether each resample had a standard error of its own: not where that would take too long."""
    confidence: float
    resamples: int

    def reordered(self, order: Ints) -> RankIntervals:
        """The same of the runs in another order, or of some of them."""
        return replace(
            self,
            low=self.low[order],
            high=self.high[order],
            is_better=self.is_better[np.ix_(order, order)],
        )


def rank_intervals(
    values: ArrayLike,
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    higher_is_better: bool = True,
    rng: Seed = 0,
    most_work: float = MOST_WORK,
) -> RankIntervals:
    """Confidence intervals for the ranks of runs, from values of queries × runs.

    NaN marks queries that do not count for a run. With fewer than two queries every run may have every rank. Runs that
    score alike on every query share everything, and the order that runs come in shows in no digit.

    >>> values = np.random.default_rng(1).normal([0.0, 0.1, 2.0], 1.0, (40, 3))
    >>> found = rank_intervals(values)
    >>> found.low.tolist(), found.high.tolist()
    ([2, 2, 1], [3, 3, 1])
    """
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2:
        raise InputError(f"values: found an array of {matrix.ndim} dimensions; expected queries × runs.")
    check_share(confidence, name="confidence")
    n_runs, alpha = matrix.shape[1], 1 - confidence
    n_pairs = n_runs * (n_runs - 1) // 2
    towards_better = matrix + 0.0 if higher_is_better else 0.0 - matrix  # without a negative zero
    distinct, place = _distinct_columns(towards_better)
    least_differing = least_to_differ(max(n_pairs, 1), alpha)
    if len(matrix) < 2 or distinct.shape[1] < 2:
        among, n_judged, is_studentised = _none_better(distinct.shape[1]), 0, True
    elif n_runs == 2 and not np.isnan(matrix).any():
        among, n_judged, is_studentised = _compare_two(distinct, alpha, least_differing)
    else:
        pairs = resample_pairs(
            distinct,
            resamples=resamples,
            rng=np.random.default_rng(rng),
            least_differing=least_differing,
            most_work=most_work,
        )
        among = _step_down(pairs, pairs.observed.is_judged, alpha).to_matrix(pairs, distinct.shape[1])
        n_judged, is_studentised = _count_judged(pairs, place), pairs.is_studentised
    is_better = among[np.ix_(place, place)]
    return RankIntervals(
        low=1 + is_better.sum(axis=0),
        high=n_runs - is_better.sum(axis=1),
        is_better=is_better,
        n_pairs=n_pairs,
        n_judged=n_judged,
        least_differing=least_differing,
        is_studentised=is_studentised,
        confidence=confidence,
        resamples=resamples,
    )


def _distinct_columns(values: Floats) -> tuple[Floats, Ints]:
    """Every different column once, in an order of their own, and for each run which of them is its own."""
    keys = [column.tobytes() for column in np.ascontiguousarray(values.T)]
    first = {key: number for number, key in reversed([*enumerate(keys)])}
    ordered = sorted(first)
    place = {key: number for number, key in enumerate(ordered)}
    return values[:, [first[key] for key in ordered]], np.array([place[key] for key in keys], dtype=np.int64)


def _none_better(n_runs: int) -> Bools:
    return np.zeros((n_runs, n_runs), dtype=bool)


def _compare_two(values: Floats, alpha: float, least_differing: int) -> tuple[Bools, int, bool]:
    """Of a single pair no largest of many is taken: the test of pairs decides."""
    found = pair_test(values[:, 0] - values[:, 1])
    is_better = _none_better(2)
    if found.p <= alpha:
        is_better[0, 1], is_better[1, 0] = found.favours > 0, found.favours < 0
    return is_better, int(found.differing >= least_differing), True


def _count_judged(pairs: PairResamples, place: Ints) -> int:
    """Of all pairs of runs: those of runs that score alike are not judged."""
    copies = np.bincount(place)
    of_pair = copies[pairs.observed.pairs.first] * copies[pairs.observed.pairs.second]
    return int(of_pair[pairs.observed.is_judged].sum())


def least_to_differ(n_pairs: int, alpha: float) -> int:
    """The least number of queries for which n_pairs · 2^(1 − queries) is within alpha."""
    return 1 + math.ceil(math.log2(n_pairs / alpha))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Decided:
    """For each pair, whether its first run is surely the better, and whether its second is."""

    first: Bools
    second: Bools

    def to_matrix(self, pairs: PairResamples, n_runs: int) -> Bools:
        is_better = np.zeros((n_runs, n_runs), dtype=bool)
        first, second = pairs.observed.pairs.first, pairs.observed.pairs.second
        is_better[first[self.first], second[self.first]] = True
        is_better[second[self.second], first[self.second]] = True
        return is_better


def _step_down(pairs: PairResamples, is_judged: Bools, alpha: float) -> _Decided:
    """Decide the judged pairs: at each step by the largest resampled t of the tests not yet decided.

    Once a run is found better, its test the other way round stays in: it is a true hypothesis that counts.
    """
    t, up, down = pairs.observed.t, is_judged.copy(), is_judged.copy()
    while (up | down).any():
        critical = pairs.critical_value(pairs.largest(up, down), alpha)
        newly_up, newly_down = up & (t > critical), down & (-t > critical)
        if not (newly_up | newly_down).any():
            break
        up &= ~newly_up
        down &= ~newly_down
    return _Decided(first=is_judged & ~up, second=is_judged & ~down)

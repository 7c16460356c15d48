"""At which ranks may each run truly stand? Confidence intervals for ranks, and the runs that may be among the best.

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
from toprung.stats.inputs import Bools, Ints, Seed, check_share
from toprung.stats.pairs.resamples import MOST_WORK, PairResamples, resample_pairs

RESAMPLES = 1_000


@dataclass(frozen=True, eq=False, kw_only=True)
class RankIntervals:
    """The ranks each run may have, from 1; one element per run."""

    low: Ints
    """The intervals of all runs hold at once with the confidence given."""
    high: Ints
    marginal_low: Ints
    """The interval of any one run, chosen beforehand, holds with the confidence given.

    Fewer tests stand behind it, so that it is less sure than ``low`` and ``high`` where rare queries decide.
    """
    marginal_high: Ints
    may_be_top: Bools
    """The runs that may be among the best ``tau``: with the confidence given all that truly are stand here."""
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
    tau: int
    resamples: int

    def reordered(self, order: Ints) -> RankIntervals:
        """The same of the runs in another order."""
        return replace(
            self,
            low=self.low[order],
            high=self.high[order],
            marginal_low=self.marginal_low[order],
            marginal_high=self.marginal_high[order],
            may_be_top=self.may_be_top[order],
            is_better=self.is_better[np.ix_(order, order)],
        )


def rank_intervals(
    values: ArrayLike,
    *,
    confidence: float = 0.95,
    tau: int = 1,
    resamples: int = RESAMPLES,
    higher_is_better: bool = True,
    rng: Seed = 0,
    most_work: float = MOST_WORK,
) -> RankIntervals:
    """Confidence intervals for the ranks of runs, from values of queries × runs.

    NaN marks queries that do not count for a run. With fewer than two queries every run may have every rank.

    >>> values = np.random.default_rng(1).normal([0.0, 0.1, 2.0], 1.0, (40, 3))
    >>> found = rank_intervals(values)
    >>> found.low.tolist(), found.high.tolist(), found.may_be_top.tolist()
    ([2, 2, 1], [3, 3, 1], [False, False, True])
    """
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2:
        raise InputError(f"values: found an array of {matrix.ndim} dimensions; expected queries × runs.")
    check_share(confidence, name="confidence")
    if not 1 <= tau <= max(matrix.shape[1], 1):
        raise InputError(f"tau: found {tau}; expected a whole number from 1 to {matrix.shape[1]}, the number of runs.")
    n_runs, alpha = matrix.shape[1], 1 - confidence
    n_pairs = n_runs * (n_runs - 1) // 2
    if len(matrix) < 2 or n_runs < 2:
        return _know_nothing(n_runs, n_pairs, confidence=confidence, tau=tau, resamples=resamples)
    least_differing = _least_differing(n_pairs, alpha)
    pairs = resample_pairs(
        matrix if higher_is_better else -matrix,
        resamples=resamples,
        rng=np.random.default_rng(rng),
        least_differing=least_differing,
        most_work=most_work,
    )
    is_judged = pairs.observed.is_judged
    is_better = _step_down(pairs, is_judged, alpha).to_matrix(pairs, n_runs)
    marginal_low, marginal_high = _marginal(pairs, is_judged, alpha, n_runs)
    return RankIntervals(
        low=1 + is_better.sum(axis=0),
        high=n_runs - is_better.sum(axis=1),
        marginal_low=marginal_low,
        marginal_high=marginal_high,
        may_be_top=_may_be_top(pairs, is_judged, alpha, tau, n_runs),
        is_better=is_better,
        n_pairs=n_pairs,
        n_judged=int(is_judged.sum()),
        least_differing=least_differing,
        is_studentised=pairs.is_studentised,
        confidence=confidence,
        tau=tau,
        resamples=resamples,
    )


def _least_differing(n_pairs: int, alpha: float) -> int:
    """The least number of queries for which n_pairs · 2^(1 − queries) is within alpha."""
    return 1 + math.ceil(math.log2(n_pairs / alpha))


def _know_nothing(n_runs: int, n_pairs: int, *, confidence: float, tau: int, resamples: int) -> RankIntervals:
    lowest, highest = np.ones(n_runs, dtype=np.int64), np.full(n_runs, n_runs, dtype=np.int64)
    return RankIntervals(
        low=lowest,
        high=highest,
        marginal_low=lowest,
        marginal_high=highest,
        may_be_top=np.ones(n_runs, dtype=bool),
        is_better=np.zeros((n_runs, n_runs), dtype=bool),
        n_pairs=n_pairs,
        n_judged=0,
        least_differing=_least_differing(max(n_pairs, 1), 1 - confidence),
        is_studentised=True,
        confidence=confidence,
        tau=tau,
        resamples=resamples,
    )


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


def _marginal(pairs: PairResamples, is_judged: Bools, alpha: float, n_runs: int) -> tuple[Ints, Ints]:
    """The interval of each run by itself: only the tests against it and for it."""
    low, high = np.ones(n_runs, dtype=np.int64), np.full(n_runs, n_runs, dtype=np.int64)
    for run in range(n_runs):
        is_first, is_second = pairs.observed.pairs.first == run, pairs.observed.pairs.second == run
        found = _step_down(pairs, is_judged & (is_first | is_second), alpha)
        low[run] += np.count_nonzero(found.first & is_second) + np.count_nonzero(found.second & is_first)
        high[run] -= np.count_nonzero(found.first & is_first) + np.count_nonzero(found.second & is_second)
    return low, high


def _may_be_top(pairs: PairResamples, is_judged: Bools, alpha: float, tau: int, n_runs: int) -> Bools:
    """Start from all runs; leave out who is surely behind ``tau`` others; then only tests against the rest count.

    If a run of the best ``tau`` is left out wrongly, some run that is truly no better had a t beyond the critical
    value, and the tests of all runs still in are among those the critical value is taken from.
    """
    may_be = np.ones(n_runs, dtype=bool)
    t, first, second = pairs.observed.t, pairs.observed.pairs.first, pairs.observed.pairs.second
    while True:
        up, down = is_judged & may_be[second], is_judged & may_be[first]
        critical = pairs.critical_value(pairs.largest(up, down), alpha)
        beaten_by = np.bincount(second[up & (t > critical)], minlength=n_runs)
        beaten_by += np.bincount(first[down & (-t > critical)], minlength=n_runs)
        is_out = may_be & (beaten_by >= tau)
        if not is_out.any():
            return may_be
        may_be &= ~is_out

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

from toprung.stats.inputs import Bools, Floats, Ints, Seed, as_matrix_with_gaps, check_share
from toprung.stats.pairs.observed import Marks, ObservedPairs, observe_pairs
from toprung.stats.pairs.resamples import PairResamples, fill_gaps
from toprung.stats.pairs.scaled import ScaledPairs, resample_means
from toprung.stats.pairs.studentised import MOST_WORK, Singles, StudentisedPairs, is_affordable, studentise
from toprung.stats.pairs.triangle import count_pairs, row_of
from toprung.stats.tests.pair import pair_test
from toprung.workers import IN_PROCESS, Workers

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
            is_better=self.is_better[order].take(order, axis=1),  # of ten thousand runs in half the time of np.ix_
        )


def rank_intervals(
    values: ArrayLike,
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    higher_is_better: bool = True,
    rng: Seed = 0,
    most_work: float = MOST_WORK,
    workers: Workers = IN_PROCESS,
) -> RankIntervals:
    """Confidence intervals for the ranks of runs, from values of queries × runs.

    NaN marks queries that do not count for a run. With fewer than two queries every run may have every rank. Runs that
    score alike on every query share everything, and the order that runs come in shows in no digit. Workers observe and
    resample blocks of pairs.

    >>> values = np.random.default_rng(1).normal([0.0, 0.1, 2.0], 1.0, (40, 3))
    >>> found = rank_intervals(values)
    >>> found.low.tolist(), found.high.tolist()
    ([2, 2, 1], [3, 3, 1])
    """
    matrix = as_matrix_with_gaps(values)
    check_share(confidence, name="confidence")
    n_runs, alpha = matrix.shape[1], 1 - confidence
    towards_better = matrix + 0.0 if higher_is_better else 0.0 - matrix  # without a negative zero
    distinct, place = distinct_columns(towards_better)
    least_differing = least_to_differ(max(count_pairs(n_runs), 1), alpha)
    if len(matrix) < 2 or distinct.shape[1] < 2:
        found = _Relation(is_better=_none_better(distinct.shape[1]), n_judged=0, is_studentised=True)
    elif n_runs == 2 and not np.isnan(matrix).any():
        found = _compare_two(distinct, alpha, least_differing)
    else:
        runs, counted = fill_gaps(distinct)
        generator = np.random.default_rng(rng)
        observed = observe_pairs(runs, counted, workers=workers)
        if not is_affordable(len(matrix), len(runs), resamples, most_work=most_work):
            means = resample_means(runs, resamples, generator, workers=workers)
            return intervals_of_observed(observed, means, place, confidence=confidence)
        pairs = studentise(runs, observed.judged(least_differing), resamples, generator, workers=workers)
        found = _compare_all(pairs, alpha, place)
    return _intervals(found, place, confidence=confidence, resamples=resamples, least_differing=least_differing)


def intervals_of_observed(
    observed: ObservedPairs, means: Floats, place: Ints, *, variances: Singles | None = None, confidence: float = 0.95
) -> RankIntervals:
    """The intervals of runs from what can be kept of them; with ``variances``, a standard error for each resample.

    ``observed``, ``means`` (`resample_means`) and ``variances`` (`resample_variances`) tell of every different run
    once, higher being better, and ``place`` of each run which of them it is (`distinct_columns`); runs come in any
    order. A run more adds its own row to each.
    """
    alpha = 1 - confidence
    least_differing = least_to_differ(max(count_pairs(len(place)), 1), alpha)
    judged, resamples = observed.judged(least_differing), means.shape[1]
    pairs = (
        ScaledPairs(judged=judged, resamples=resamples, means=means)
        if variances is None
        else StudentisedPairs(judged=judged, resamples=resamples, means=means, variances=variances)
    )
    found = _compare_all(pairs, alpha, place)
    return _intervals(found, place, confidence=confidence, resamples=resamples, least_differing=least_differing)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Relation:
    """Which of the different runs is better than which."""

    is_better: Bools
    n_judged: int
    is_studentised: bool


def _intervals(
    found: _Relation, place: Ints, *, confidence: float, resamples: int, least_differing: int
) -> RankIntervals:
    is_better = found.is_better
    if not np.array_equal(place, np.arange(len(is_better))):
        is_better = is_better[place].take(place, axis=1)
    return RankIntervals(
        low=1 + is_better.sum(axis=0),
        high=len(place) - is_better.sum(axis=1),
        is_better=is_better,
        n_pairs=count_pairs(len(place)),
        n_judged=found.n_judged,
        least_differing=least_differing,
        is_studentised=found.is_studentised,
        confidence=confidence,
        resamples=resamples,
    )


def distinct_columns(values: Floats) -> tuple[Floats, Ints]:
    """Every different column once, in an order of their own, and for each run which of them is its own."""
    keys = [column.tobytes() for column in np.ascontiguousarray(values.T)]
    first = {key: number for number, key in reversed([*enumerate(keys)])}
    ordered = sorted(first)
    place = {key: number for number, key in enumerate(ordered)}
    return values[:, [first[key] for key in ordered]], np.array([place[key] for key in keys], dtype=np.int64)


def _none_better(n_runs: int) -> Bools:
    return np.zeros((n_runs, n_runs), dtype=bool)


def _compare_two(values: Floats, alpha: float, least_differing: int) -> _Relation:
    """Of a single pair no largest of many is taken: the test of pairs decides."""
    found = pair_test(values[:, 0] - values[:, 1])
    is_better = _none_better(2)
    if found.p <= alpha:
        is_better[0, 1], is_better[1, 0] = found.favours > 0, found.favours < 0
    return _Relation(is_better=is_better, n_judged=int(found.differing >= least_differing), is_studentised=True)


def least_to_differ(n_pairs: int, alpha: float) -> int:
    """The least number of queries for which n_pairs · 2^(1 − queries) is within alpha."""
    return 1 + math.ceil(math.log2(n_pairs / alpha))


def _compare_all(pairs: PairResamples, alpha: float, place: Ints) -> _Relation:
    judged = pairs.judged
    return _Relation(
        is_better=judged.relation(step_down(pairs, alpha)),
        n_judged=_count_judged(judged.is_judged, np.bincount(place)),
        is_studentised=isinstance(pairs, StudentisedPairs),
    )


def _count_judged(is_judged: Bools, copies: Ints) -> int:
    """Of all pairs of runs, of which there are copies: those of runs that score alike are not judged."""
    if (copies == 1).all():
        return int(np.count_nonzero(is_judged))
    return int(sum(copies[later] * copies[:later][is_judged[row_of(later)]].sum() for later in range(1, len(copies))))


def step_down(pairs: PairResamples, alpha: float) -> Marks:
    """Decide the judged pairs: at each step by the largest resampled t of the tests not yet decided; which are left?

    Once a run is found better, its test the other way round stays in: it is a true hypothesis that counts.
    """
    tests = pairs.judged.open_tests()
    while tests.any():
        if not pairs.judged.decide(tests, pairs.critical_value(tests, alpha)):
            break
    return tests

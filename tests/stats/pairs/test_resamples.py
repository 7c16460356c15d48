"""What would the t of each pair of runs be, had other queries been drawn?"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from tests.stats.samples import Floats, make_ranks, reciprocal

from toprung.stats.pairs import resamples as module
from toprung.stats.pairs.resamples import PairResamples, resample_pairs


def resampled(
    values: Floats, *, resamples: int = 50, least_differing: int = 1, most_work: float = math.inf
) -> PairResamples:
    rng = np.random.default_rng(4)
    return resample_pairs(values, resamples=resamples, rng=rng, least_differing=least_differing, most_work=most_work)


def all_blocks(found: PairResamples) -> Floats:
    return found.block(np.arange(len(found.observed.pairs))).astype(np.float64)


@pytest.fixture
def values() -> Floats:
    return reciprocal(make_ranks(60, 4, seed=8))


def counted_variance(differences: Floats, all_differences: Floats) -> Floats:
    """The variance of one pair, and what five queries of the usual pair add; queries stand along the last axis."""
    n = differences.shape[-1]
    return differences.var(axis=-1) + np.median(all_differences.var(axis=-1), axis=0) * 5 / n


def differences_of(values: Floats) -> Floats:
    return np.array([values[:, first] - values[:, second] for first, second in combinations(range(4), 2)])


def test_the_observed_t_is_that_of_the_paired_test_with_five_usual_queries_more(values: Floats) -> None:
    found, differences = resampled(values).observed, differences_of(values)
    for pair, (first, second) in enumerate(zip(found.pairs.first, found.pairs.second, strict=True)):
        theirs = stats.ttest_rel(values[:, first], values[:, second]).statistic * math.sqrt(60 / 59)
        widened = math.sqrt(counted_variance(differences[pair], differences) / differences[pair].var())
        assert found.t[pair] == pytest.approx(theirs / widened)  # no degree of freedom is taken off
        assert widened > 1


def test_each_resample_has_its_own_standard_error(values: Floats) -> None:
    drawn = np.random.default_rng(4).integers(0, 60, size=(50, 60))
    differences = differences_of(values)
    loop = [
        (each.mean(axis=1) - differences.mean(axis=1)) / np.sqrt([counted_variance(pair, each) / 60 for pair in each])
        for each in (differences[:, queries] for queries in drawn)
    ]
    found = resampled(values)
    assert found.is_studentised
    np.testing.assert_allclose(all_blocks(found).T, loop, rtol=1e-5)


def test_too_much_work_keeps_the_observed_standard_error(values: Floats) -> None:
    drawn = np.random.default_rng(4).integers(0, 60, size=(50, 60))
    differences = values[:, 0] - values[:, 1]
    error = math.sqrt(counted_variance(differences, differences_of(values)) / 60)
    found = resampled(values, most_work=60 * 6 * 50 - 1)
    assert not found.is_studentised
    assert resampled(values, most_work=60 * 6 * 50).is_studentised
    loop = (differences[drawn].mean(axis=1) - differences.mean()) / error
    np.testing.assert_allclose(all_blocks(found)[0], loop, rtol=1e-9)


def test_what_is_usual_is_told_by_the_pairs_judged(values: Floats) -> None:
    copies = np.column_stack([values, values, values])  # most pairs that do not differ at all would make it 0
    copies[0, 4:] += 0.5
    found = resampled(copies, least_differing=5).observed
    is_judged = np.array([(first - second) % 4 != 0 for first, second in combinations(range(12), 2)])
    np.testing.assert_array_equal(found.is_judged, is_judged)
    added = np.median(found.variance[is_judged]) * 5 / 60
    np.testing.assert_allclose(found.error, np.sqrt((found.variance + added) / 60))


def test_the_critical_value_is_the_largest_but_five_percent() -> None:
    largest = np.random.default_rng(0).permutation(np.arange(1.0, 100.0))  # 1 to 99
    values = np.random.default_rng(1).normal(size=(30, 2))
    assert resampled(values, resamples=99).critical_value(largest, 0.05) == 95
    assert resampled(values, resamples=99).critical_value(largest - 200, 0.05) == 0
    assert resampled(values, resamples=18).critical_value(largest[:18], 0.05) == math.inf


def test_a_fixed_standard_error_is_paid_for_by_students_t() -> None:
    largest = np.full(99, stats.norm.isf(0.001))
    found = resampled(np.random.default_rng(1).normal(size=(30, 2)), resamples=99, most_work=0)
    assert found.critical_value(largest, 0.05) == pytest.approx(stats.t.isf(0.001, 29))


def test_the_largest_t_is_taken_both_ways(values: Floats) -> None:
    found = resampled(values)
    blocks = all_blocks(found)
    up, down = np.array([1, 1, 0, 0, 0, 0], dtype=bool), np.array([0, 1, 0, 0, 0, 1], dtype=bool)
    expected = np.maximum(blocks[:2].max(axis=0), -blocks[[1, 5]].min(axis=0))
    np.testing.assert_array_equal(found.largest(up, down), expected)


def test_pairs_are_judged_by_how_many_queries_differ_however_much() -> None:
    # Against the first run: 3 of 5 queries by 0.2; four, one of them by 1.0; none but for rounding.
    values = np.array([[0.3] * 5, [0.5, 0.1, 0.5, 0.3, 0.3], [1.3, 0.4, 0.4, 0.2, 0.3], [0.1 + 0.2] * 5]).T
    for least, expected in ((1, [True, True, False]), (4, [False, True, False]), (5, [False] * 3)):
        assert resampled(values, least_differing=least).observed.is_judged[:3].tolist() == expected


def test_a_constant_difference_has_infinite_t_and_none_in_resamples() -> None:
    column = np.random.default_rng(2).random(20)
    for most_work in (math.inf, 0):
        found = resampled(np.column_stack([column, column + 0.1, column]), most_work=most_work)
        assert found.observed.t.tolist() == [-math.inf, 0.0, math.inf]
        assert found.observed.is_judged.tolist() == [True, False, True]
        assert not all_blocks(found)[1].any()
        assert np.abs(all_blocks(found)).max() == 0


def test_drawing_only_queries_that_differ_alike_is_infinite() -> None:
    values = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])  # a third of all resamples never draw the first query
    found = all_blocks(resampled(values, resamples=200))[0]
    assert (found == -math.inf).any()
    assert not np.isnan(found).any()


def test_queries_that_do_not_count_leave_mean_and_standard_error() -> None:
    values = np.random.default_rng(3).normal(0.3, 1.0, size=50)
    with_gaps = np.concatenate([values, np.full(30, np.nan)])
    two_runs = np.column_stack([with_gaps, np.zeros(80)])
    found = resampled(two_runs).observed
    assert found.mean[0] == pytest.approx(values.mean())
    assert math.sqrt(found.variance[0] / 80) == pytest.approx(values.std() / math.sqrt(50))
    assert resampled(two_runs, least_differing=50).observed.is_judged[0]
    assert not resampled(two_runs, least_differing=51).observed.is_judged[0]


def test_blocks_do_not_change_the_result(values: Floats, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, scaled = all_blocks(resampled(values)), all_blocks(resampled(values, most_work=0))
    monkeypatch.setattr(module, "CELLS_PER_BLOCK", 130)
    np.testing.assert_allclose(all_blocks(resampled(values)), whole, rtol=1e-5)
    np.testing.assert_allclose(all_blocks(resampled(values, most_work=0)), scaled, rtol=1e-9)
    found = resampled(values)
    everything = np.ones(6, dtype=bool)
    np.testing.assert_allclose(found.largest(everything, everything), np.abs(whole).max(axis=0), rtol=1e-5)

"""What would the t of each pair of runs be, had other queries been drawn?"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from tests.stats.samples import Floats, make_ranks, reciprocal

from toprung.stats.pairs import resamples as module
from toprung.stats.pairs.observed import FIRST, SECOND, JudgedPairs, observe_pairs
from toprung.stats.pairs.resamples import PairResamples, fill_gaps
from toprung.stats.pairs.scaled import ScaledPairs, resample_means
from toprung.stats.pairs.studentised import StudentisedPairs, is_affordable, studentise

FIRST_ONLY = np.array([FIRST])
PAIRS = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]


def judge(values: Floats, *, least_differing: int = 1) -> JudgedPairs:
    return observe_pairs(*fill_gaps(values)).judged(least_differing)


def studentised(values: Floats, *, resamples: int = 50) -> StudentisedPairs:
    return studentise(fill_gaps(values)[0], judge(values), resamples, np.random.default_rng(4))


def scaled(values: Floats, *, resamples: int = 50) -> ScaledPairs:
    means = resample_means(fill_gaps(values)[0], resamples, np.random.default_rng(4))
    return ScaledPairs(judged=judge(values), resamples=resamples, means=means)


def all_blocks(found: PairResamples) -> Floats:
    return found.block(np.arange(len(found.pairs))).astype(np.float64)


@pytest.fixture
def values() -> Floats:
    return reciprocal(make_ranks(60, 4, seed=8))


def counted_variance(differences: Floats, all_differences: Floats) -> Floats:
    """The variance of one pair, and what five queries of the usual pair add; queries stand along the last axis."""
    n = differences.shape[-1]
    return differences.var(axis=-1) + np.median(all_differences.var(axis=-1), axis=0) * 5 / n


def differences_of(values: Floats) -> Floats:
    return np.array([values[:, first] - values[:, second] for first, second in PAIRS])


def test_the_observed_t_is_that_of_the_paired_test_with_five_usual_queries_more(values: Floats) -> None:
    found, differences = judge(values), differences_of(values)
    for pair, (first, second) in enumerate(PAIRS):
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
    np.testing.assert_allclose(all_blocks(studentised(values)).T, loop, rtol=1e-5)


def test_what_bootstrap_t_may_cost_is_bounded() -> None:
    assert is_affordable(60, 4, 50, most_work=60 * 6 * 50)
    assert not is_affordable(60, 4, 50, most_work=60 * 6 * 50 - 1)
    assert is_affordable(100, 733, 1_000)
    assert not is_affordable(100, 734, 1_000)  # 269,011 pairs × 1,000 are more than 2^28


def test_the_observed_standard_error_may_be_kept(values: Floats) -> None:
    drawn = np.random.default_rng(4).integers(0, 60, size=(50, 60))
    differences = values[:, 0] - values[:, 1]
    error = math.sqrt(counted_variance(differences, differences_of(values)) / 60)
    loop = (differences[drawn].mean(axis=1) - differences.mean()) / error
    np.testing.assert_allclose(all_blocks(scaled(values))[0], loop, rtol=1e-9)


def test_what_is_usual_is_told_by_the_pairs_judged(values: Floats) -> None:
    copies = np.column_stack([values, values, values])  # most pairs that do not differ at all would make it 0
    copies[0, 4:] += 0.5
    found = judge(copies, least_differing=5)
    is_judged = np.array([(first - second) % 4 != 0 for second in range(12) for first in range(second)])
    np.testing.assert_array_equal(found.is_judged, is_judged)
    variance = found.observed.variance
    added = np.median(variance[is_judged]) * 5 / 60
    np.testing.assert_allclose(found.error, np.sqrt((variance + added) / 60))


def test_the_critical_value_is_the_largest_but_five_percent() -> None:
    largest = np.random.default_rng(0).permutation(np.arange(1.0, 100.0))  # 1 to 99
    judged = judge(np.random.default_rng(1).normal(size=(30, 2)))

    def critical(each: Floats) -> float:
        means = np.stack([each + judged.mean[0], np.zeros(len(each))])  # over a variance of n: each is its t
        found = StudentisedPairs(
            judged=replace(judged, is_judged=np.zeros(1, dtype=bool)),
            resamples=len(each),
            means=means,
            variances=np.full((1, len(each)), 30, dtype=np.float32),
        )
        return found.critical_value(FIRST_ONLY, 0.05)

    assert critical(largest) == 95
    assert critical(largest - 200) == 0
    assert critical(largest[:18]) == math.inf


def test_a_fixed_standard_error_is_paid_for_by_students_t() -> None:
    judged = judge(np.random.default_rng(1).normal(size=(30, 2)))
    t = stats.norm.isf(0.001)
    moved = np.full(99, t * judged.error[0] + judged.mean[0])  # the first run's resampled mean; the second's is 0
    found = ScaledPairs(judged=judged, resamples=99, means=np.stack([moved, np.zeros(99)]))
    assert found.largest_at(FIRST_ONLY, 50) == pytest.approx(t)
    assert found.critical_value(FIRST_ONLY, 0.05) == pytest.approx(stats.t.isf(0.001, 29))


def test_the_largest_t_is_taken_both_ways_and_never_below_0(values: Floats) -> None:
    first, second = np.array([1, 1, 0, 0, 0, 0]), np.array([0, 1, 0, 0, 0, 1])
    tests = (first * FIRST + second * SECOND).astype(np.uint8)
    for found in (studentised(values), scaled(values)):
        blocks = all_blocks(found)
        expected = np.maximum(blocks[:2].max(axis=0), -blocks[[1, 5]].min(axis=0))
        np.testing.assert_array_equal(found.largest(tests), expected)
        for place in (1, 25, 50):
            assert found.largest_at(tests, place) == np.sort(expected)[place - 1]
        alone = np.array([1, 0, 0, 0, 0, 0], dtype=np.uint8)
        np.testing.assert_array_equal(found.largest(alone), blocks[0].clip(min=0))


def test_pairs_are_judged_by_how_many_queries_differ_however_much() -> None:
    # Against the first run: 3 of 5 queries by 0.2; four, one of them by 1.0; none but for rounding.
    values = np.array([[0.3] * 5, [0.5, 0.1, 0.5, 0.3, 0.3], [1.3, 0.4, 0.4, 0.2, 0.3], [0.1 + 0.2] * 5]).T
    for least, expected in ((1, [True, True, False]), (4, [False, True, False]), (5, [False] * 3)):
        found = judge(values, least_differing=least).is_judged
        assert found[[0, 1, 3]].tolist() == expected  # the pairs of the first run


def test_a_constant_difference_has_infinite_t_and_none_in_resamples() -> None:
    column = np.random.default_rng(2).random(20)
    values = np.column_stack([column, column + 0.1, column])
    judged = judge(values)
    assert judged.t.tolist() == [-math.inf, 0.0, math.inf]
    assert judged.is_judged.tolist() == [True, False, True]
    for found in (studentised(values), scaled(values)):
        assert np.abs(all_blocks(found)).max() == 0


def test_drawing_only_queries_that_differ_alike_is_infinite() -> None:
    values = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])  # a third of all resamples never draw the first query
    found = all_blocks(studentised(values, resamples=200))[0]
    assert (found == -math.inf).any()
    assert not np.isnan(found).any()


def test_queries_that_do_not_count_leave_mean_and_standard_error() -> None:
    values = np.random.default_rng(3).normal(0.3, 1.0, size=50)
    with_gaps = np.concatenate([values, np.full(30, np.nan)])
    two_runs = np.column_stack([with_gaps, np.zeros(80)])
    found = judge(two_runs)
    assert found.mean[0] == pytest.approx(values.mean())
    assert math.sqrt(found.observed.variance[0] / 80) == pytest.approx(values.std() / math.sqrt(50))
    assert judge(two_runs, least_differing=50).is_judged[0]
    assert not judge(two_runs, least_differing=51).is_judged[0]


def test_blocks_do_not_change_the_result(values: Floats, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, fixed = all_blocks(studentised(values)), all_blocks(scaled(values))
    monkeypatch.setattr(module, "CELLS_PER_BLOCK", 130)
    np.testing.assert_allclose(all_blocks(studentised(values)), whole, rtol=1e-5)
    np.testing.assert_allclose(all_blocks(scaled(values)), fixed, rtol=1e-9)
    found = studentised(values)
    np.testing.assert_allclose(found.largest(found.judged.open_tests()), np.abs(whole).max(axis=0), rtol=1e-5)

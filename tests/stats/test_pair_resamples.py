"""What would the t of each pair of runs be, had other queries been drawn?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.stats.samples import Floats, make_ranks, reciprocal

from toprung.stats import pair_resamples as module
from toprung.stats.pair_resamples import PairResamples, resample_pairs


def resampled(values: Floats, *, resamples: int = 50, most_work: float = math.inf, seed: int = 4) -> PairResamples:
    return resample_pairs(values, resamples=resamples, rng=np.random.default_rng(seed), most_work=most_work)


def all_blocks(found: PairResamples) -> Floats:
    return found.block(np.arange(len(found.observed.pairs))).astype(np.float64)


@pytest.fixture
def values() -> Floats:
    return reciprocal(make_ranks(60, 4, seed=8))


def test_the_observed_t_is_that_of_the_paired_test(values: Floats) -> None:
    found = resampled(values).observed
    for pair, (first, second) in enumerate(zip(found.pairs.first, found.pairs.second, strict=True)):
        theirs = stats.ttest_rel(values[:, first], values[:, second]).statistic
        assert found.t[pair] == pytest.approx(theirs * math.sqrt(60 / 59))  # no degree of freedom is taken off


def test_each_resample_has_its_own_standard_error(values: Floats) -> None:
    drawn = np.random.default_rng(4).integers(0, 60, size=(50, 60))
    differences = values[:, 1] - values[:, 3]
    loop = [
        (differences[queries].mean() - differences.mean()) / (differences[queries].std() / math.sqrt(60))
        for queries in drawn
    ]
    found = resampled(values)
    assert found.is_studentised
    pair = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].index((1, 3))
    np.testing.assert_allclose(all_blocks(found)[pair], loop, rtol=1e-5)


def test_too_much_work_keeps_the_observed_standard_error(values: Floats) -> None:
    drawn = np.random.default_rng(4).integers(0, 60, size=(50, 60))
    differences = values[:, 0] - values[:, 1]
    error = differences.std() / math.sqrt(60)
    found = resampled(values, most_work=60 * 6 * 50 - 1)
    assert not found.is_studentised
    assert resampled(values, most_work=60 * 6 * 50).is_studentised
    loop = (differences[drawn].mean(axis=1) - differences.mean()) / error
    np.testing.assert_allclose(all_blocks(found)[0], loop, rtol=1e-9)


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


def test_carriers_count_the_queries_that_differ_alike() -> None:
    # Against the first run: 3 of 5 queries by 0.2; one by 1.0 and three by 0.1; none.
    values = np.array([[0.5] * 5, [0.7, 0.3, 0.7, 0.5, 0.5], [1.5, 0.6, 0.6, 0.4, 0.5], [0.5] * 5]).T
    carriers = resampled(values).observed.carriers
    assert carriers[:3] == pytest.approx([3.0, 1.3**2 / 1.03, 0.0])


def test_a_constant_difference_has_infinite_t_and_none_in_resamples() -> None:
    column = np.random.default_rng(2).random(20)
    for most_work in (math.inf, 0):
        found = resampled(np.column_stack([column, column + 0.1, column]), most_work=most_work)
        assert found.observed.t.tolist() == [-math.inf, 0.0, math.inf]
        assert found.observed.carriers.tolist() == [pytest.approx(20), 0, pytest.approx(20)]
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
    found = resampled(np.column_stack([with_gaps, np.zeros(80)])).observed
    assert found.mean[0] == pytest.approx(values.mean())
    assert found.sd[0] / math.sqrt(80) == pytest.approx(values.std() / math.sqrt(50))
    assert found.carriers[0] <= 50


def test_blocks_do_not_change_the_result(values: Floats, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, scaled = all_blocks(resampled(values)), all_blocks(resampled(values, most_work=0))
    monkeypatch.setattr(module, "CELLS_PER_BLOCK", 130)
    np.testing.assert_allclose(all_blocks(resampled(values)), whole, rtol=1e-5)
    np.testing.assert_allclose(all_blocks(resampled(values, most_work=0)), scaled, rtol=1e-9)
    found = resampled(values)
    everything = np.ones(6, dtype=bool)
    np.testing.assert_allclose(found.largest(everything, everything), np.abs(whole).max(axis=0), rtol=1e-5)

"""Means over the cases of a simulation, with intervals that can be checked by hand or with SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from toprung.stats.intervals.wilson import wilson_interval
from toprung.stats.models.monte_carlo import Mean


class TestMean:
    def test_the_interval_is_by_t(self) -> None:
        # The t quantile for two degrees of freedom is 4.302653, the standard deviation 1.
        found = Mean.of([1.0, 2.0, 3.0])
        assert (found.estimate, found.n) == (2.0, 3)
        assert (found.low, found.high) == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))

    @given(st.lists(st.floats(-10, 10), min_size=2, max_size=30).filter(lambda values: np.ptp(values) > 1e-6))
    def test_the_interval_is_scipys(self, values: list[float]) -> None:
        expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        found = Mean.of(values)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)

    def test_it_ends_where_a_mean_must(self) -> None:
        assert Mean.of([0.0, 0.0, 3.0], least=0.0).low == 0.0
        assert Mean.of([0.0, 0.0, 3.0]).low < 0.0

    def test_one_case_has_no_interval_and_none_has_no_mean(self) -> None:
        one, none = Mean.of([0.5]), Mean.of([])
        assert (one.estimate, one.n, none.n) == (0.5, 1, 0)
        assert all(math.isnan(each) for each in (one.low, one.high, none.estimate))


class TestShares:
    @given(st.lists(st.booleans(), min_size=1, max_size=40))
    def test_of_yes_or_no_it_is_the_plain_interval(self, cases: list[bool]) -> None:
        found = Mean.of_shares([float(case) for case in cases])
        assert found.estimate == sum(cases) / len(cases)
        assert (found.low, found.high) == pytest.approx(wilson_interval(sum(cases), len(cases)))

    def test_shares_that_vary_less_count_as_more_trials(self) -> None:
        # Variance 1/16 where that of yes or no would be 1/4: each of the four counts as four.
        found = Mean.of_shares([0.25, 0.75, 0.25, 0.75])
        assert (found.estimate, found.n) == (0.5, 4)
        assert (found.low, found.high) == pytest.approx(wilson_interval(8, 16))

    def test_shares_that_are_all_the_same_count_as_one_trial_each(self) -> None:
        found = Mean.of_shares([1 / 3] * 6)
        assert (found.low, found.high) == pytest.approx(wilson_interval(2, 6))

    @given(st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 1.0]), min_size=1, max_size=40))
    def test_it_holds_the_estimate_and_stays_a_share(self, shares: list[float]) -> None:
        found = Mean.of_shares(shares)
        assert 0 <= found.low <= found.estimate <= found.high <= 1

    def test_without_cases_nothing_is_known(self) -> None:
        found = Mean.of_shares([])
        assert found.n == 0
        assert all(math.isnan(each) for each in (found.estimate, found.low, found.high))

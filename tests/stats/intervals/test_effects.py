import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.stats.samples import RR_A, RR_B, Floats, pairs

from toprung.errors import InputError
from toprung.stats.intervals.effects import cliffs_delta, cohens_dz, odds_ratio


def test_standardised_difference():
    d = RR_B - RR_A
    assert cohens_dz(RR_A, RR_B) == pytest.approx(d.mean() / d.std(ddof=1))
    assert cohens_dz([1, 2], [1, 2]) == 0
    assert cohens_dz([2, 3], [1, 2]) == -math.inf
    assert cohens_dz([1], [2]) == 0


@given(pairs(min_size=1, max_size=20))
def test_cliffs_delta_counts_all_pairs(pair: tuple[Floats, Floats]):
    a, b = pair
    expected = np.sign(b[:, None] - a[None, :]).mean()
    assert cliffs_delta(a, b) == pytest.approx(expected, abs=1e-12)
    assert cliffs_delta(b, a) == -cliffs_delta(a, b)


def test_cliffs_delta_of_nothing_is_zero():
    assert cliffs_delta([], []) == 0


@given(st.integers(0, 80), st.integers(0, 80))
def test_the_odds_ratio_interval_is_clopper_and_pearsons(only_a: int, only_b: int):
    found = odds_ratio(only_a, only_b)
    if only_a + only_b == 0:
        assert math.isnan(found.estimate)
        assert (found.low, found.high, found.n) == (0, math.inf, 0)
        return
    share = stats.binomtest(only_b, only_a + only_b).proportion_ci()
    assert found.low == pytest.approx(share.low / (1 - share.low), rel=1e-9)
    expected_high = share.high / (1 - share.high) if share.high < 1 else math.inf
    assert found.high == pytest.approx(expected_high, rel=1e-9)


def test_an_odds_ratio_with_an_empty_side():
    assert odds_ratio(0, 5).estimate == math.inf
    assert odds_ratio(5, 0).estimate == 0
    with pytest.raises(InputError, match="counts from 0"):
        odds_ratio(-1, 5)

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.stats.samples import RR_A, RR_B, Floats, pairs

from toprung.errors import InputError
from toprung.stats.effects import cliffs_delta, cohens_dz, mean_difference, odds_ratio


def test_the_interval_agrees_with_scipys_bca():
    rng = np.random.default_rng(2)
    a = rng.random(80)
    b = a + rng.exponential(0.1, 80) - 0.08
    found = mean_difference(a, b, rng=1)
    expected = stats.bootstrap((b - a,), np.mean, rng=np.random.default_rng(2)).confidence_interval
    assert found.estimate == pytest.approx((b - a).mean())
    width = expected.high - expected.low
    assert [found.low, found.high] == pytest.approx([expected.low, expected.high], abs=0.05 * width)


def test_the_same_seed_gives_the_same_bytes():
    one, again = mean_difference(RR_A, RR_B, rng=3), mean_difference(RR_A, RR_B, rng=3)
    other = mean_difference(RR_A, RR_B, rng=4)
    assert np.array([one.low, one.high]).tobytes() == np.array([again.low, again.high]).tobytes()
    assert (one.low, one.high) != (other.low, other.high)


@given(pairs())
def test_swapping_mirrors_the_interval_and_shuffling_changes_no_bit(pair: tuple[Floats, Floats]):
    a, b = pair
    found, swapped = mean_difference(a, b, resamples=99), mean_difference(b, a, resamples=99)
    mirrored = [-swapped.estimate, -swapped.high, -swapped.low]
    np.testing.assert_array_equal([found.estimate, found.low, found.high], mirrored)
    order = np.random.default_rng(1).permutation(len(a))
    np.testing.assert_equal(vars(mean_difference(a[order], b[order], resamples=99)), vars(found))


def test_intervals_cover_the_mean_about_as_often_as_they_promise():
    rng = np.random.default_rng(11)
    covered = 0
    for trial in range(300):
        found = mean_difference(np.zeros(40), rng.exponential(1.0, 40) - 1, resamples=499, rng=trial)
        covered += found.low <= 0 <= found.high
    assert 0.88 <= covered / 300 <= 0.98


def test_a_sample_that_is_its_own_mirror_image_has_a_symmetric_interval():
    found = mean_difference([0, 0, 0.25], [0, 0.25, 0])
    assert (found.estimate, found.low) == (0, -found.high)
    assert found.high > 0


def test_tiny_and_constant_samples():
    assert math.isnan(mean_difference([], []).estimate)
    point = mean_difference([1, 1], [2, 2])
    assert (point.estimate, point.low, point.high, point.n) == (1, 1, 1, 2)
    with pytest.raises(InputError, match="confidence"):
        mean_difference([1], [2], confidence=95)


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

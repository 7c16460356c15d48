"""How sure is a share?"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from toprung.errors import InputError
from toprung.stats.intervals.wilson import wilson_interval


@given(n=st.integers(1, 5_000), data=st.data())
def test_the_interval_is_scipys(n: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, n))
    expected = binomtest(successes, n).proportion_ci(confidence_level=0.9, method="wilson")
    low, high = wilson_interval(successes, n, 0.9)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= low <= successes / n <= high <= 1


def test_none_and_all_reach_the_end_exactly() -> None:
    # z²/(n + z²) is the other end at 0 of n.
    z = 1.959964
    assert wilson_interval(0, 10) == (0.0, pytest.approx(z**2 / (10 + z**2), abs=1e-6))
    assert wilson_interval(10, 10) == (pytest.approx(10 / (10 + z**2), abs=1e-6), 1.0)


def test_without_trials_nothing_is_known() -> None:
    assert all(math.isnan(end) for end in wilson_interval(0, 0))


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (math.nan, 5)])
def test_counts_that_do_not_fit_are_refused(successes: float, n: float) -> None:
    with pytest.raises(InputError, match="expected a count that fits"):
        wilson_interval(successes, n)


def test_a_confidence_that_is_no_share_is_refused() -> None:
    with pytest.raises(InputError, match="confidence: found 95"):
        wilson_interval(1, 5, 95)

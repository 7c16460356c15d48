"""How sure is a share?"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from toprung.errors import InputError
from toprung.stats.intervals.proportions import wilson_share


@given(trials=st.integers(1, 5_000), data=st.data())
def test_the_interval_is_scipys(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    expected = binomtest(successes, trials).proportion_ci(confidence_level=0.9, method="wilson")
    found = wilson_share(successes, trials, confidence=0.9)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= found.low <= found.estimate <= found.high <= 1


def test_without_trials_nothing_is_known() -> None:
    found = wilson_share(0, 0)
    assert math.isnan(found.estimate)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5)])
def test_counts_that_do_not_fit_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(InputError, match="expected a count that fits"):
        wilson_share(successes, trials)

"""How often is one judgment wrong?"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.labels.votes.error_estimate import (
    correct_preference,
    error_behind_agreement,
    estimate_error,
    votes_needed,
)


def test_the_error_of_the_source_is_about_a_third() -> None:
    found = estimate_error(640, 1868)
    assert f"{100 * found.estimate:.2f} [{100 * found.low:.2f}, {100 * found.high:.2f}]" == "34.26 [32.14, 36.44]"


def test_the_corrected_preference_of_the_source() -> None:
    assert correct_preference(2996 / 5112, 640 / 1868) == pytest.approx(0.7734, abs=5e-5)


@given(truth=st.floats(0, 1), error=st.floats(0, 0.49))
def test_correcting_undoes_the_errors(truth: float, error: float) -> None:
    seen = truth * (1 - error) + (1 - truth) * error
    assert correct_preference(seen, error) == pytest.approx(truth, abs=1e-9)


def test_a_correction_never_leaves_0_and_1() -> None:
    assert correct_preference(0.1, 0.3) == 0
    assert correct_preference(0.95, 0.3) == 1


@pytest.mark.parametrize(("preferred", "error"), [(0.6, 0.5), (0.6, 0.7), (0.6, math.nan), (math.nan, 0.1)])
def test_nothing_is_corrected_where_votes_are_no_better_than_coins(preferred: float, error: float) -> None:
    assert math.isnan(correct_preference(preferred, error))


@pytest.mark.parametrize("error", [0.0, 0.1, 0.25, 0.342, 0.5])
def test_the_error_behind_agreement_gives_that_agreement(error: float) -> None:
    assert error_behind_agreement((1 - error) ** 2 + error**2) == pytest.approx(error)


def test_less_agreement_than_coins_have_tells_of_no_accuracy() -> None:
    assert error_behind_agreement(0.3) == 0.5


@pytest.mark.parametrize("error", [0.05, 0.2, 0.3, 0.342, 0.4])
def test_so_many_votes_are_right_often_enough_and_two_fewer_are_not(error: float) -> None:
    from scipy.stats import binom

    n = votes_needed(error, 0.9)
    assert n is not None
    assert binom.sf(n // 2, n, 1 - error) >= 0.9
    assert n == 1 or binom.sf((n - 2) // 2, n - 2, 1 - error) < 0.9

"""How often is one judgment wrong?"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.labels.votes.error_estimate import correct_preference, estimate_error


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

"""How much worse may one run be than another, at most?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from toprung.errors import InputError
from toprung.stats.intervals.harm import HarmBounds, harm_bounds, usual_margin


def answered(n: int, only_b: int, only_a: int) -> np.ndarray:
    return np.concatenate([np.ones(only_b), -np.ones(only_a), np.zeros(n - only_a - only_b)])


# STATISTICS section 5, to the printed digits.
@pytest.mark.parametrize(
    ("n", "only_b", "only_a", "low", "is_excluded"),
    [
        (100, 0, 0, -0.023130, True),
        (1_000, 30, 20, -0.001863, True),
        (1_000, 20, 40, -0.032863, False),
        (5_793, 300, 345, -0.014985, False),
        (4, 0, 0, -0.520283, False),
        (10, 0, 0, -0.221058, False),
        (24, 0, 0, -0.094751, True),
    ],
)
def test_bounds_are_as_on_the_statistics_page(n: int, only_b: int, only_a: int, low: float, is_excluded: bool) -> None:
    found = harm_bounds(answered(n, only_b, only_a))
    assert found.low == pytest.approx(low, abs=5e-7)
    assert found.is_excluded(1) is is_excluded


@pytest.mark.parametrize(
    ("n", "margin"),
    [(0, 0.1), (1, 0.1), (100, 0.1), (200, 0.071), (1_000, 0.031623), (5_793, 0.013), (10_000, 0.01), (90_000, 0.01)],
)
def test_the_usual_margin_shrinks_from_ten_points_to_one(n: int, margin: float) -> None:
    assert usual_margin(n) == pytest.approx(margin, abs=5e-4 if n in (200, 5_793) else 5e-7)


def test_without_a_query_any_harm_is_possible_on_both_sides() -> None:
    found = harm_bounds(np.array([]))
    assert (found.low, found.high, found.n) == (-math.inf, math.inf, 0)
    assert found.worst(1) == found.worst(-1) == math.inf
    assert not found.is_excluded(1)
    assert not found.is_excluded(-1)


def test_a_margin_that_was_fixed_before_counts_instead_of_the_usual() -> None:
    differences = answered(1_000, 20, 40)
    assert harm_bounds(differences, margin=0.04).is_excluded(1)
    assert not harm_bounds(differences, margin=0.03).is_excluded(1)
    assert harm_bounds(differences, margin=0.04).low == harm_bounds(differences).low


def test_harm_just_at_the_margin_is_not_excluded() -> None:
    assert not HarmBounds(low=-0.02, high=0.02, n=100, margin=0.02).is_excluded(1)
    assert not HarmBounds(low=-0.02, high=0.02, n=100, margin=0.02).is_excluded(-1)
    assert HarmBounds(low=-0.0199, high=0.02, n=100, margin=0.02).is_excluded(1)


def test_a_run_that_is_surely_better_may_be_worse_by_nothing() -> None:
    assert HarmBounds(low=0.01, high=0.05, n=100, margin=0.02).worst(1) == 0
    assert HarmBounds(low=0.01, high=0.05, n=100, margin=0.02).worst(-1) == 0.05


def test_a_difference_beyond_one_is_refused() -> None:
    with pytest.raises(InputError, match=r"found 1\.5; expected values from −1 to 1"):
        harm_bounds(np.array([0.2, -1.5]))


differences = st.lists(st.sampled_from([-1.0, -0.5, -0.1, 0.0, 0.0, 0.25, 1.0]), min_size=1, max_size=80)


@given(values=differences)
def test_the_bounds_are_those_of_scipy_with_one_query_won_and_one_lost(values: list[float]) -> None:
    found = harm_bounds(np.array(values))
    interval = stats.ttest_1samp([*values, 1.0, -1.0], 0).confidence_interval(0.90)  # two-sided: 5% on each side
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-9)


@given(values=differences)
def test_exchanging_the_runs_exchanges_the_bounds(values: list[float]) -> None:
    found, turned = harm_bounds(np.array(values)), harm_bounds(-np.array(values))
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-12)
    assert [turned.worst(side) for side in (1, -1)] == pytest.approx([found.worst(side) for side in (-1, 1)])

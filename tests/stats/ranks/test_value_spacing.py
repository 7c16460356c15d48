from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.stats.ranks.value_spacing import (
    MOST_LEVELS,
    Differences,
    is_equi_spaced,
    lay_off_differences,
    levels_of,
    place_among,
)

RECIPROCAL = np.array([0, 1 / 3, 1 / 2, 1])


def found(levels: np.ndarray) -> Differences:
    differences = lay_off_differences(levels)
    assert differences is not None
    return differences


def test_what_only_rounding_sets_apart_is_one_level() -> None:
    assert levels_of(np.array([0.1 + 0.2, 0.3, 0.1, 0.3])).tolist() == [0.1, 0.3]
    assert place_among(np.array([0.1, 0.3]), np.array([0.1 + 0.2, 0.1, 0.3])).tolist() == [1, 0, 1]


def test_small_values_are_told_apart_by_their_own_size() -> None:
    tiny = np.array([2e-40, 1e-40, 0.0, 1.0])
    assert levels_of(tiny).tolist() == [0, 1e-40, 2e-40, 1]
    assert place_among(levels_of(tiny), tiny).tolist() == [2, 1, 0, 3]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([0, 1 / 3, 2 / 3, 1], True),
        ([1, 2, 3], True),
        ([0, 1], True),
        ([0, 1 / 3, 1 / 2, 1], False),
        ([5], False),
        ([], False),
    ],
)
def test_levels_are_equi_spaced_if_all_gaps_are_equal(levels: list[float], expected: bool) -> None:
    assert is_equi_spaced(np.array(levels, dtype=float)) is expected


def test_every_difference_is_laid_off_from_both_ends() -> None:
    # 1/6 leads to 1/6 and 5/6; 1/3 to 1/3 and 2/3; 1/2 to 1/2 twice; 2/3 to 2/3 and 1/3; 1 to the other end
    differences = found(RECIPROCAL)
    assert differences.difference == pytest.approx([1 / 6, 1 / 3, 1 / 2, 2 / 3, 1])
    assert differences.lower[0] == pytest.approx(1 / 3)
    assert differences.from_bottom.tolist() == [False, True, True, False, True]
    assert differences.from_top.tolist() == [False, False, True, True, True]
    assert differences.is_unsolvable.tolist() == [True, True, False, True, False]


def test_neighbouring_gaps_alone_would_not_show_this_violation() -> None:
    # the gaps, 1 and 2, can be laid off from both ends; 5 - 2 = 3 cannot
    differences = found(np.array([0.0, 1, 2, 4, 5, 6]))
    assert differences.difference[differences.is_unsolvable].tolist() == [3]


def test_a_single_level_has_no_differences() -> None:
    assert len(found(np.array([2.0])).difference) == 0
    assert len(found(np.array([])).difference) == 0


def test_too_many_levels_are_not_tried() -> None:
    assert lay_off_differences(np.arange(MOST_LEVELS + 1.0)) is None
    assert not found(np.arange(float(MOST_LEVELS))).is_unsolvable.any()


@given(st.sets(st.fractions(0, 1, max_denominator=12), min_size=2, max_size=8))
def test_levels_are_solvable_just_where_they_are_equi_spaced(exact: set[Fraction]) -> None:
    ordered = sorted(exact)
    gaps = {upper - lower for lower, upper in itertools.pairwise(ordered)}
    levels = np.array([float(value) for value in ordered])
    assert is_equi_spaced(levels) is (len(gaps) == 1)
    assert found(levels).is_unsolvable.any() == (len(gaps) > 1)

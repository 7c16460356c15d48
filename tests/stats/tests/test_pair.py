"""Do two runs differ on these queries? One test for every pair."""

from __future__ import annotations

import math
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from tests.stats.samples import free_values, tied_values

from toprung.errors import InputError
from toprung.stats.tests.pair import PairTest, check_differences, pair_test

type Floats = NDArray[np.float64]

FIVE_STEPS = [0.1, 0.2, 0.3, 0.4, 0.5]


def from_second_to_first(count: int) -> Floats:
    """5,793 queries, so many of them raised from rank 2 to 1."""
    return np.concatenate([np.full(count, 0.5), np.zeros(5_793 - count)])


# STATISTICS section 5, to the printed digits.
@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([0.5, 0.5, 0.5], 0.25),
        ([1, 2, 3, 4, -1], 0.1875),
        ([1, 2, 3, -4, 5], 0.4375),
        (FIVE_STEPS, 0.0625),
        (FIVE_STEPS + [0.0] * 210, 0.0625),
        (from_second_to_first(4), 0.125),
        (from_second_to_first(7), 0.015625),
        (from_second_to_first(8), 0.0078125),
        ([0.1] * 40, 2.0**-39),
    ],
)
def test_p_is_as_on_the_statistics_page(differences: list[float], p: float) -> None:
    assert pair_test(np.array(differences, dtype=float)).p == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize(
    ("differences", "t_p"),
    [
        (np.array(FIVE_STEPS + [0.0] * 210), 0.042844),
        (from_second_to_first(4), 0.0455),
        (from_second_to_first(7), 0.0081),
        (from_second_to_first(8), 0.0047),
    ],
)
def test_where_few_queries_differ_the_t_test_would_be_too_sure(differences: Floats, t_p: float) -> None:
    by_t = stats.ttest_1samp(differences, 0).pvalue
    assert by_t == pytest.approx(t_p, abs=5e-5 if t_p != 0.042844 else 5e-7)
    assert pair_test(differences).p > by_t


@pytest.mark.parametrize(
    ("differences", "p", "favours", "differing"),
    [
        ([], 1.0, 0, 0),
        ([0.0], 1.0, 0, 0),
        ([0.0] * 30, 1.0, 0, 0),
        ([0.3], 1.0, 1, 1),  # one query
        ([-0.3], 1.0, -1, 1),
        ([0.3, 0.3], 0.5, 1, 2),  # two, and a constant difference
        ([0.3, -0.3], 1.0, 0, 2),
        ([0.3, 0.2, 0.0], 0.5, 1, 2),
        ([1e-10] * 40, 1.0, 0, 0),  # rounding is no difference
        ([0.25] * 16, 2.0**-15, 1, 16),
        ([0.25] * 17, 2.0**-16, 1, 17),
        ([-0.25] * 17, 2.0**-16, -1, 17),
    ],
)
def test_degenerate_pairs(differences: list[float], p: float, favours: int, differing: int) -> None:
    found = pair_test(np.array(differences, dtype=float))
    assert found.p == pytest.approx(p, rel=1e-12)
    assert (found.favours, found.differing, found.n) == (favours, differing, len(differences))


def test_no_query_has_no_mean_and_one_has_no_spread() -> None:
    assert math.isnan(pair_test(np.array([])).mean)
    one = pair_test(np.array([0.3]))
    assert one.mean == pytest.approx(0.3)
    assert math.isnan(one.sd)


def test_up_to_sixteen_queries_are_flipped_and_seventeen_are_not() -> None:
    values = np.linspace(-0.4, 1.0, 17)
    assert pair_test(values[1:]).p == pytest.approx(brute_force_p(values[1:]), abs=1e-15)
    assert pair_test(values).p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=1e-9)
    assert pair_test(values).p != pytest.approx(brute_force_p(values), rel=1e-3)


def test_a_missing_value_is_refused() -> None:
    with pytest.raises(InputError, match="queries without a value of ESL"):
        check_differences(np.array([1.0, np.nan]), np.array([1.0, 2.0]), measure="ESL")
    assert check_differences(np.array([1.0, 2.0]), np.array([3.0, 1.0]), measure="RR").tolist() == [2.0, -1.0]


def brute_force_p(differences: Floats) -> float:
    """Of all patterns of signs, the share whose sum is at least as far from 0, counted one by one."""
    differing = [value for value in differences.tolist() if abs(value) > 1e-10]
    observed, slack = abs(math.fsum(differing)), 1e-12 * math.fsum(map(abs, differing))
    patterns = product((-1, 1), repeat=len(differing))
    if len(differing) <= 12:
        reached = [abs(math.fsum(s * d for s, d in zip(signs, differing, strict=True))) for signs in patterns]
        return sum(each >= observed - slack for each in reached) / len(reached)
    sums = np.abs(np.array(list(patterns), dtype=np.int8) @ np.array(differing))
    return float(np.mean(sums >= observed - slack))


few = st.lists(st.one_of(tied_values, tied_values.map(lambda value: -value), free_values), max_size=12)
many = st.lists(free_values.filter(lambda value: abs(value) > 1e-6), min_size=17, max_size=60)


@given(differences=few)
def test_few_differences_give_what_counting_gives(differences: list[float]) -> None:
    values = np.array(differences, dtype=float)
    assert pair_test(values).p == pytest.approx(brute_force_p(values), abs=1e-12)


@given(differences=many, n_equal=st.integers(0, 40))
def test_many_differences_give_the_t_test_but_never_less_than_flips_could(
    differences: list[float], n_equal: int
) -> None:
    values = np.array(differences + [0.0] * n_equal)
    assume(np.ptp(values) > 1e-3)
    by_t = float(stats.ttest_rel(values, np.zeros(len(values))).pvalue)
    expected = max(by_t, 2.0 ** (1 - len(differences)))
    assert pair_test(values).p == pytest.approx(expected, rel=1e-6)


@given(differences=st.one_of(few, many), rng=st.randoms(use_true_random=False))
def test_the_order_of_queries_never_shows(differences: list[float], rng: random.Random) -> None:
    shuffled = list(differences)
    rng.shuffle(shuffled)
    assert_same(pair_test(np.array(shuffled)), pair_test(np.array(differences)), turned=1)


@given(differences=st.one_of(few, many))
def test_exchanging_the_runs_turns_the_sign_and_nothing_else(differences: list[float]) -> None:
    values = np.array(differences, dtype=float)
    assert_same(pair_test(0.0 - values), pair_test(values), turned=-1)


def assert_same(found: PairTest, other: PairTest, *, turned: int) -> None:
    """To the last bit where the order is another; turned round, sums are of numbers in another order."""
    tolerance = 0.0 if turned > 0 else 1e-9
    assert found.p == pytest.approx(other.p, rel=tolerance, abs=0)
    assert found.favours == turned * other.favours
    assert found.mean == pytest.approx(turned * other.mean, rel=tolerance, abs=1e-15, nan_ok=True)
    assert found.sd == pytest.approx(other.sd, rel=1e-9, abs=1e-12, nan_ok=True)
    assert (found.n, found.differing) == (other.n, other.differing)

import math

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from tests.stats.samples import ESL_A, ESL_B, RR_A, RR_B, Floats, pairs

from toprung.stats.tests.paired_t import paired_t_test


def test_worked_example():
    assert paired_t_test(RR_A, RR_B).p == pytest.approx(0.724430, abs=5e-7)
    assert paired_t_test(ESL_A, ESL_B).p == pytest.approx(0.289827, abs=5e-7)


@given(pairs(min_size=2))
def test_equals_scipy(pair: tuple[Floats, Floats]):
    a, b = pair
    found = paired_t_test(a, b)
    rounded = np.round(b - a, 10)
    if not rounded.any():
        assert (found.p, found.direction, found.is_constant) == (1, 0, False)
    elif np.ptp(rounded) == 0:
        assert (found.p, found.direction, found.is_constant) == (0, np.sign(rounded[0]), True)
    else:
        expected = stats.ttest_rel(b, a)
        assert found.p == pytest.approx(expected.pvalue, rel=1e-10)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-10, abs=1e-12)


def test_no_difference_says_nothing():
    found = paired_t_test([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
    assert (found.statistic, found.p, found.direction, found.mean, found.is_constant) == (0, 1, 0, 0, False)


def test_a_constant_difference_is_flagged_though_floating_point_blurs_it():
    found = paired_t_test([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])
    assert (found.p, found.direction, found.is_constant, found.sd) == (0, 1, True, 0)
    assert paired_t_test([0.2, 0.3], [0.1, 0.2]).statistic == -math.inf


@pytest.mark.parametrize(("n", "direction"), [(0, 0), (1, 1)])
def test_fewer_than_two_queries_say_nothing(n: int, direction: int):
    found = paired_t_test([0.5] * n, [1.0] * n)
    assert (found.p, found.n, found.direction, found.is_constant) == (1, n, direction, False)


def test_rounding_takes_no_side():
    assert paired_t_test([0, 0, 0], [0.1, 0.2, -0.3]).direction == 0


@given(pairs())
def test_swapping_mirrors_to_rounding_and_shuffling_changes_no_bit(pair: tuple[Floats, Floats]):
    a, b = pair
    found, swapped = paired_t_test(a, b), paired_t_test(b, a)
    assert found.p == pytest.approx(swapped.p, rel=1e-9)
    assert found.direction == -swapped.direction
    order = np.random.default_rng(1).permutation(len(a))
    shuffled = paired_t_test(a[order], b[order])
    np.testing.assert_equal(vars(shuffled), vars(found))

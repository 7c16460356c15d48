import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from tests.stats.samples import RR_A, RR_B, Floats, pairs

from toprung.errors import InputError
from toprung.stats.tests.rank_sum import rank_sum_test


def test_worked_example_with_its_tie_corrected_twin():
    found = rank_sum_test(RR_A, RR_B)
    assert found.p == pytest.approx(0.820596, abs=5e-7)
    assert found.tie_corrected_p == pytest.approx(0.848638, abs=5e-7)


def test_three_against_three():
    found = rank_sum_test([4, 5, 6], [1, 2, 3])
    assert found.statistic == pytest.approx(-1.963961, abs=5e-7)
    assert found.p == pytest.approx(0.049535, abs=5e-7)
    assert (found.direction, found.superiority) == (-1, 0)


@given(pairs(min_size=1))
def test_equals_scipy(pair: tuple[Floats, Floats]):
    a, b = pair
    found, expected = rank_sum_test(a, b), stats.ranksums(b, a)
    assert (found.statistic, found.p) == (expected.statistic, expected.pvalue)


@given(pairs())
def test_swapping_runs_flips_the_sign(pair: tuple[Floats, Floats]):
    a, b = pair
    one, other = rank_sum_test(a, b), rank_sum_test(b, a)
    assert (one.statistic, one.p, one.direction) == (-other.statistic, other.p, -other.direction)
    assert one.superiority == pytest.approx(1 - other.superiority)
    assert one.tie_corrected_p == pytest.approx(other.tie_corrected_p, rel=1e-12)


def test_nothing_and_all_tied_say_nothing():
    assert rank_sum_test([], []).p == 1
    tied = rank_sum_test([2, 2], [2, 2])
    assert (tied.p, tied.tie_corrected_p, tied.direction, tied.superiority) == (1, 1, 0, 0.5)


def test_runs_over_different_queries_are_refused():
    with pytest.raises(InputError, match="3 values in a and 2 in b"):
        rank_sum_test([1, 2, 3], [1, 2])


@pytest.mark.parametrize("bad", [[np.nan, 1], [np.inf, 1], [[1, 2]]])
def test_what_is_no_sample_is_refused(bad: object):
    with pytest.raises(InputError, match="expected"):
        rank_sum_test(bad, [1, 2])  # type: ignore[arg-type]

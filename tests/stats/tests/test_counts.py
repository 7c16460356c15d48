import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.stats.samples import RR_A, RR_B

from toprung.errors import InputError
from toprung.stats.tests.binomial import exact_binomial_p
from toprung.stats.tests.counts import mcnemar_test, sign_test


def test_worked_example():
    found = sign_test(RR_A, RR_B)
    assert (found.wins, found.losses, found.p, found.n, found.direction) == (5, 2, 0.453125, 10, 1)


@pytest.mark.parametrize(("wins", "losses", "p"), [(5, 0, 0.0625), (6, 0, 0.03125), (8, 2, 0.109375), (0, 0, 1)])
def test_binomial_values(wins: int, losses: int, p: float):
    assert mcnemar_test(losses, wins).p == pytest.approx(p, rel=1e-12)
    assert exact_binomial_p([wins], [wins + losses])[0] == pytest.approx(p, rel=1e-14)


@given(st.integers(0, 6000), st.integers(0, 6000))
def test_the_vectorised_binomial_equals_scipy(wins: int, losses: int):
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert exact_binomial_p(wins, wins + losses) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_every_small_count_equals_scipy():
    for n in range(1, 40):
        expected = [stats.binomtest(k, n).pvalue for k in range(n + 1)]
        assert exact_binomial_p(range(n + 1), n) == pytest.approx(expected, rel=1e-12)


@given(st.integers(0, 200), st.integers(0, 200))
def test_swapping_mirrors(only_a: int, only_b: int):
    one, other = mcnemar_test(only_a, only_b), mcnemar_test(only_b, only_a)
    assert (one.p, one.direction, one.wins) == (other.p, -other.direction, other.losses)
    assert one.share == pytest.approx(1 - other.share)


def test_differences_of_rounding_are_no_wins():
    found = sign_test([1 / 2 - 1 / 3], [1 / 3 - 1 / 6])
    assert (found.wins, found.losses, found.p) == (0, 0, 1)


def test_the_cycle_of_the_statistics_page():
    assert mcnemar_test(38 + 12, 66 + 12).p == pytest.approx(0.01667, abs=5e-6)
    assert mcnemar_test(66, 45 + 12, n=223).p == pytest.approx(0.471, abs=5e-4)


def test_impossible_counts_are_refused():
    with pytest.raises(InputError, match="expected counts that fit"):
        mcnemar_test(-1, 2)
    with pytest.raises(InputError, match="expected counts that fit"):
        mcnemar_test(3, 2, n=4)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.stats.samples import RR_A, RR_B, Floats, pairs

from toprung.errors import InputError
from toprung.stats.randomisation import pair_randomisation, randomisation_test


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=10).filter(any))
def test_a_small_sample_equals_scipys_exact_permutation(differences: list[int]):
    d = np.array(differences, dtype=np.float64)  # whole numbers, or SciPy parts sums that are equal
    expected = stats.permutation_test(
        (d,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=True, axis=0
    )
    assert randomisation_test(np.zeros(len(d)), d).p == pytest.approx(min(1, expected.pvalue), abs=1e-12)


def test_equal_sums_are_equal_though_floating_point_parts_them():
    # ±1/3 ± 1/6 ± 1/6: three sizes of sum, 2/3, 1/3 and 0; observed 1/3 − 1/6 − 1/6, which every flip reaches.
    found = randomisation_test([1 / 6, 1 / 2, 1 / 3], [1 / 2, 1 / 3, 1 / 6])
    assert (found.p, found.direction) == (1, 0)


def test_p_is_never_zero():
    found = randomisation_test(np.zeros(200), np.ones(200), resamples=99)
    assert (found.p, found.direction, found.statistic) == (0.01, 1, 1)


def test_a_large_sample_is_near_the_t_test():
    rng = np.random.default_rng(5)
    a = rng.random(400)
    b = a + rng.normal(0.01, 0.1, 400)
    assert randomisation_test(a, b).p == pytest.approx(stats.ttest_rel(a, b).pvalue, abs=0.015)


@given(pairs(max_size=40))
def test_swapping_mirrors_and_shuffling_changes_no_bit(pair: tuple[Floats, Floats]):
    a, b = pair
    found, swapped = randomisation_test(a, b, resamples=99), randomisation_test(b, a, resamples=99)
    assert (found.p, found.direction) == (swapped.p, -swapped.direction)
    order = np.random.default_rng(1).permutation(len(a))
    np.testing.assert_equal(vars(randomisation_test(a[order], b[order], resamples=99)), vars(found))


def test_the_same_seed_gives_the_same_bytes():
    a, b = np.tile(RR_A, 5), np.tile(RR_B, 5)
    assert randomisation_test(a, b, rng=7) == randomisation_test(a, b, rng=7)
    assert randomisation_test(a, b, rng=7).p != randomisation_test(a, b, rng=8).p


def test_no_queries_and_no_resamples():
    assert randomisation_test([], []).p == 1
    with pytest.raises(InputError, match="at least 1"):
        randomisation_test([1], [2], resamples=0)


def test_all_pairs_of_few_queries_equal_the_single_test():
    values = np.random.default_rng(3).choice([0, 0.25, 1 / 3, 0.5, 1.0], (11, 5))
    found = pair_randomisation(values)
    expected = [randomisation_test(values[:, a], values[:, b]).p for a in range(5) for b in range(a + 1, 5)]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)


def test_all_pairs_of_many_queries_are_near_the_t_test_and_never_zero():
    rng = np.random.default_rng(4)
    values = rng.random((300, 1)) + rng.normal([0, 0.005, 0.5], 0.1, (300, 3))
    found = pair_randomisation(values)
    t_tests = [stats.ttest_rel(values[:, a], values[:, b]).pvalue for a, b in ((0, 1), (0, 2), (1, 2))]
    assert found[0] == pytest.approx(t_tests[0], abs=0.02)
    assert found[1:].tolist() == [1e-4, 1e-4]
    assert max(t_tests[1:]) < 1e-10


def test_exchanging_columns_leaves_every_pair_its_p():
    values = np.random.default_rng(5).random((40, 3))
    assert pair_randomisation(values[:, ::-1]).tolist() == pair_randomisation(values)[::-1].tolist()

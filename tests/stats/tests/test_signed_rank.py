import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from tests.stats.samples import ESL_A, ESL_B, RR_A, RR_B, Floats, pairs, reciprocal

from toprung.errors import InputError
from toprung.stats.tests.signed_rank import signed_rank_test


def differences(values: list[float]) -> tuple[Floats, Floats]:
    return np.zeros(len(values)), np.array(values, dtype=np.float64)


def test_worked_example_asymptotic():
    assert signed_rank_test(RR_A, RR_B, method="asymptotic").p == pytest.approx(0.553404, abs=5e-7)
    assert signed_rank_test(ESL_A, ESL_B, method="asymptotic").p == pytest.approx(0.104059, abs=5e-7)


def test_equal_differences_are_equal_though_floating_point_parts_them():
    a = reciprocal(np.array([4, 2, 4, 4, 5, 6, 4, 12]))
    b = reciprocal(np.array([3, 10, 3, 6, 2, 12, 6, 10]))
    assert signed_rank_test(a, b, method="asymptotic").p == pytest.approx(0.773972, abs=5e-7)


def test_exact_values():
    assert signed_rank_test(*differences([1, 2, 3, -4, 5])).p == 0.4375
    assert signed_rank_test(*differences([1, 2, 3, 4, 5, 6])).p == 0.03125


@pytest.mark.parametrize(
    ("n", "values", "method"),
    [
        (49, list(range(1, 50)), "exact"),
        (49, [0, *range(1, 49)], "permutation"),
        (49, [1, 1, *range(2, 49)], "permutation"),
        (50, list(range(1, 51)), "asymptotic"),
        (50, [0] * 45 + [1] * 5, "asymptotic"),
    ],
)
def test_auto_chooses_by_the_number_of_queries_ties_and_zeros(n: int, values: list[float], method: str):
    assert len(values) == n
    assert signed_rank_test(*differences(values)).method == method


@given(pairs(min_size=1))
def test_asymptotic_equals_scipy(pair: tuple[Floats, Floats]):
    a, b = pair
    d = np.round(b - a, 10)
    found = signed_rank_test(a, b, method="asymptotic")
    if not d.any():
        assert (found.p, found.statistic, found.direction) == (1, 0, 0)
        return
    expected = stats.wilcoxon(d, zero_method="wilcox", correction=False, method="asymptotic")
    assert found.p == expected.pvalue
    assert min(found.w_plus, found.w_minus) == expected.statistic
    assert found.direction == np.sign(found.w_plus - found.w_minus)


@given(pairs(max_size=12))
def test_permutation_visits_all_flips_of_a_small_sample(pair: tuple[Floats, Floats]):
    a, b = pair
    d = np.round(b - a, 10)
    found = signed_rank_test(a, b, method="permutation")
    if not d.any():
        assert found.p == 1
        return
    ranks = stats.rankdata(np.abs(d[d != 0]))
    signs = np.array(np.meshgrid(*[[-1, 1]] * len(ranks))).reshape(len(ranks), -1)
    expected = np.mean(np.abs(ranks @ signs) >= abs(found.w_plus - found.w_minus))
    assert found.p == pytest.approx(expected, rel=1e-12)


def test_permutation_of_a_larger_sample_is_near_the_exact_value():
    a, b = differences([*range(1, 20), -20, -21, 22, 23, -24])
    exact = signed_rank_test(a, b, method="exact").p
    assert signed_rank_test(a, b, method="permutation").p == pytest.approx(exact, rel=0.25)


@given(pairs(min_size=20, max_size=49))
def test_swapping_mirrors_and_shuffling_changes_nothing(pair: tuple[Floats, Floats]):
    a, b = pair
    found, swapped = signed_rank_test(a, b, resamples=99), signed_rank_test(b, a, resamples=99)
    assert (found.p, found.w_plus, found.direction) == (swapped.p, swapped.w_minus, -swapped.direction)
    assert found.statistic == -swapped.statistic
    order = np.random.default_rng(1).permutation(len(a))
    assert signed_rank_test(a[order], b[order], resamples=99) == found


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_p():
    a, b = differences([1.0, 1.0, 2.0, -3.0, 0.0] * 8)
    assert signed_rank_test(a, b, rng=3) == signed_rank_test(a, b, rng=3)
    assert signed_rank_test(a, b, rng=3).p != signed_rank_test(a, b, rng=4).p


@pytest.mark.parametrize("n", [0, 1, 2])
def test_tiny_samples_have_an_answer(n: int):
    found = signed_rank_test(*differences([0.5] * n))
    assert found.n == n
    assert found.p == 1 if n < 2 else found.p == 0.5


def test_exact_refuses_ties_and_unknown_methods_are_named():
    with pytest.raises(InputError, match="ties or zeros"):
        signed_rank_test([0, 0], [1, 1], method="exact")
    with pytest.raises(InputError, match="'pratt'"):
        signed_rank_test([0, 0], [1, 1], method="pratt")  # type: ignore[arg-type]

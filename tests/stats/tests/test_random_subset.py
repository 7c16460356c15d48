from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from toprung.stats.tests.random_subset import differs_from_rest_p, few_blocks_p


def test_the_p_value_is_that_of_all_subsets() -> None:
    values = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.6, 5.0, 3.5])
    chosen = np.array([True, False, True, False, True, False, False, False])
    exact = stats.permutation_test(
        (values[chosen], values[~chosen]),
        lambda a, b: abs(a.mean() - b.mean()),
        alternative="greater",
        n_resamples=np.inf,
    )
    assert differs_from_rest_p(values[:, None], chosen, permutations=20_000) == pytest.approx(exact.pvalue, abs=0.015)


def test_one_column_that_differs_is_enough() -> None:
    rng = np.random.default_rng(1)
    values, chosen = rng.normal(size=(100, 6)), np.arange(100) < 20
    assert differs_from_rest_p(values, chosen) > 0.05
    values[chosen, 4] += 2
    assert differs_from_rest_p(values, chosen) <= 0.0005


@pytest.mark.parametrize("chosen", [np.zeros(5, dtype=bool), np.ones(5, dtype=bool)])
def test_nothing_speaks_against_all_or_none(chosen: np.ndarray) -> None:
    assert differs_from_rest_p(np.arange(5.0)[:, None], chosen) == 1
    assert few_blocks_p(chosen) == 1


def test_equal_values_speak_against_nothing() -> None:
    assert differs_from_rest_p(np.ones((6, 2)), np.arange(6) < 3) == 1


def test_blocks_are_counted_over_all_subsets() -> None:
    """By going through all 126 subsets of four from nine."""
    counts = [len(np.flatnonzero(np.diff([-9, *each]) > 1)) for each in combinations(range(9), 4)]
    two = np.isin(np.arange(9), [0, 1, 5, 6])
    assert few_blocks_p(two) == pytest.approx(np.mean(np.array(counts) <= 2))
    assert few_blocks_p(np.arange(9) < 4) == pytest.approx(6 / 126)

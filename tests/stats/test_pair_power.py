"""Many pairs at once give what one pair at a time gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.stats.samples import make_ranks, reciprocal

from toprung.stats.pair_power import PairPower, pair_equivalences, pair_power, pair_powers, pair_queries_needed
from toprung.stats.pairwise import pair_tests
from toprung.stats.power import equivalence_test, minimum_detectable_difference, power_of, queries_needed


def power_among(values: np.ndarray, *, alpha: float = 0.05, power: float = 0.8) -> PairPower:
    return pair_power(pair_tests(values, method="asymptotic").t, len(values), alpha=alpha, power=power)


def test_the_equivalence_of_the_statistics_page() -> None:
    found = power_among(np.column_stack([np.zeros(100), [0.01, -0.01] * 50]))
    assert pair_equivalences(found, margin=0.002) == pytest.approx([0.024676], abs=5e-7)


def test_the_minimum_detectable_difference_of_the_statistics_page() -> None:
    # differences of ±d have the standard deviation d √(n / (n − 1)), here .58 on 5,794 queries
    n = 5794
    d = 0.58 * math.sqrt((n - 1) / n)
    found = power_among(np.column_stack([np.zeros(n), [d, -d] * (n // 2)]))
    assert found.sd == pytest.approx([0.58])
    assert found.detectable * math.sqrt(n / 5793) == pytest.approx([0.021349], abs=5e-7)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 500),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
    power=st.sampled_from([0.5, 0.8, 0.95]),
    difference=st.sampled_from([0.001, 0.02, 0.5]),
)
def test_every_pair_gets_what_it_would_get_alone(seed: int, alpha: float, power: float, difference: float) -> None:
    values = reciprocal(make_ranks(30, 4, seed=seed))
    found = power_among(values, alpha=alpha, power=power)
    for pair, (i, j) in enumerate([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]):
        d = values[:, j] - values[:, i]
        sd = d.std(ddof=1)
        assert found.detectable[pair] == pytest.approx(
            minimum_detectable_difference(sd, 30, alpha=alpha, power=power), rel=1e-9
        )
        low, high = stats.ttest_1samp(d, 0).confidence_interval(1 - alpha)
        assert (found.low[pair], found.high[pair]) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
        needed = pair_queries_needed(found.sd, difference, alpha=alpha, power=power)[pair]
        assert needed == pytest.approx(queries_needed(sd, difference, alpha=alpha, power=power), abs=1)
        assert pair_powers(difference, found.sd, 30, alpha=alpha)[pair] == pytest.approx(
            power_of(difference, sd, 30, alpha=alpha), rel=1e-9
        )
        alone = equivalence_test(values[:, i], values[:, j], margin=difference).p
        assert pair_equivalences(found, margin=difference)[pair] == pytest.approx(alone, rel=1e-9)


def test_runs_that_never_differ_and_runs_a_constant_apart() -> None:
    found = power_among(np.array([[0.0, 0.0, 0.5]] * 4))
    assert found.mean.tolist() == [0, 0.5, 0.5]
    assert found.sd.tolist() == found.detectable.tolist() == [0, 0, 0]
    assert found.needed.tolist() == [math.inf, 1, 1]
    assert pair_equivalences(found, margin=0.1).tolist() == [0, 1, 1]
    assert pair_powers(0.1, found.sd, 4, alpha=0.05).tolist() == [1, 1, 1]


def test_a_mean_of_rounding_errors_is_zero() -> None:
    found = power_among(np.array([[0.0, 0.1], [0.0, 0.2], [0.0, 0.3], [0.0, -0.6]]))
    assert found.mean.tolist() == [0]
    assert found.needed.tolist() == [math.inf]

"""Many pairs at once give what one pair at a time gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.stats.samples import make_ranks, reciprocal

from toprung.errors import InputError
from toprung.stats.pairs.power import (
    PairPower,
    detectable_effects,
    pair_equivalences,
    pair_power,
    powers_of,
    queries_needed,
)
from toprung.stats.pairs.spreads import pair_spreads
from toprung.stats.tests.power import minimum_detectable_difference


def power_among(values: np.ndarray, *, alpha: float = 0.05, power: float = 0.8) -> PairPower:
    return pair_power(pair_spreads(values), len(values), alpha=alpha, power=power)


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
        found_so = powers_of(found.detectable[pair], found.sd, 30, alpha=alpha)[pair]
        wrong_way = stats.nct.cdf(stats.t.ppf(alpha / 2, 29), 29, found.detectable[pair] / sd * math.sqrt(30))
        assert found_so - wrong_way == pytest.approx(power, abs=1e-6)
        low, high = stats.ttest_1samp(d, 0).confidence_interval(1 - alpha)
        assert (found.low[pair], found.high[pair]) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
        needed = queries_needed(difference, found.sd, alpha=alpha, power=power)[pair]
        effects = detectable_effects(np.array([max(needed - 1, 2), needed]).astype(int), alpha=alpha, power=power)
        assert effects[1] <= difference / sd
        assert effects[0] > difference / sd or needed in (2, 1000)
        shift, critical = difference / sd * math.sqrt(30), stats.t.isf(alpha / 2, 29)
        assert powers_of(difference, found.sd, 30, alpha=alpha)[pair] == pytest.approx(
            stats.nct.sf(critical, 29, shift) + stats.nct.cdf(-critical, 29, min(shift, 5)), abs=1e-8
        )
        below = stats.ttest_1samp(d, difference, alternative="less").pvalue
        above = stats.ttest_1samp(d, -difference, alternative="greater").pvalue
        assert pair_equivalences(found, margin=difference)[pair] == pytest.approx(max(below, above), rel=1e-9)


def test_runs_that_never_differ_and_runs_a_constant_apart_tell_nothing_of_their_spread() -> None:
    found = power_among(np.array([[0.0, 0.0, 0.5]] * 4))
    assert found.mean.tolist() == [0, 0.5, 0.5]
    assert found.sd.tolist() == [0, 0, 0]
    assert not found.has_spread.any()
    assert np.isnan([found.detectable, found.needed, powers_of(0.1, found.sd, 4, alpha=0.05)]).all()
    assert pair_equivalences(found, margin=0.1).tolist() == [0, 1, 1]


def test_t_and_normal_quantiles_meet_where_queries_are_many() -> None:
    few, many = detectable_effects(np.array([999, 1000]), alpha=0.05, power=0.8)
    assert many == pytest.approx(minimum_detectable_difference(1.0, 1000), rel=1e-9)
    assert 1 < few / many < 1.002
    assert powers_of(many, np.ones(1), 999, alpha=0.05) == pytest.approx(
        powers_of(many, np.ones(1), 1000, alpha=0.05), abs=2e-3
    )


@pytest.mark.parametrize("n", [2, 3, 30, 1000])
@pytest.mark.parametrize("alpha", [1e-9, 0.05])
@pytest.mark.parametrize("difference", [1e-300, 1.0, 1e300])
def test_extremes_are_answered(n: int, alpha: float, difference: float) -> None:
    sd = np.array([1e-12, 1.0, 1e8])
    powers = powers_of(difference, sd, n, alpha=alpha)
    assert ((powers >= 0) & (powers <= 1)).all()
    assert (queries_needed(difference, sd, alpha=alpha, power=0.8) >= 2).all()
    assert (detectable_effects(np.array([n]), alpha=alpha, power=0.8) > 0).all()


def test_the_power_asked_for_exceeds_alpha() -> None:
    with pytest.raises(InputError, match=r"power: found 0\.05; expected more than alpha, 0\.05"):
        detectable_effects(np.array([10]), alpha=0.05, power=0.05)
    with pytest.raises(InputError, match="alpha: found 1e-300; expected at least 1e-09"):
        detectable_effects(np.array([10]), alpha=1e-300, power=0.8)


def test_a_mean_of_rounding_errors_is_zero() -> None:
    found = power_among(np.array([[0.0, 0.1], [0.0, 0.2], [0.0, 0.3], [0.0, -0.6]]))
    assert found.mean.tolist() == [0]
    assert found.needed.tolist() == [math.inf]

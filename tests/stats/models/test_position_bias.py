"""How far does a judge lean to one side?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from toprung.errors import InputError
from toprung.stats.intervals.wilson import wilson_interval
from toprung.stats.models.position_bias import PositionBias, estimate_position_bias


def answers(leads: np.ndarray, shift: float, rng: np.random.Generator) -> np.ndarray:
    """Both orders of each pair by a judge that leans so far: left choices less right ones."""
    chance = 1 / (1 + np.exp(-np.stack([leads + shift, shift - leads])))
    return np.where(rng.random(chance.shape) < chance, 1, -1).sum(axis=0)


def test_half_the_log_odds_of_both_left_to_both_right() -> None:
    found = estimate_position_bias([2] * 30 + [-2] * 10, range(40))
    assert found.shift == pytest.approx(math.log(3) / 2, abs=1e-9)
    assert found.trials == 40
    low, high = wilson_interval(30, 40, 0.95)
    assert found.shift_low == pytest.approx(math.log(low / (1 - low)) / 2, abs=1e-6)
    assert found.shift_high == pytest.approx(math.log(high / (1 - high)) / 2, abs=1e-6)
    assert found.estimate == pytest.approx(math.sqrt(3) / (1 + math.sqrt(3)))  # exp β = √3


def test_pairs_on_which_both_orders_agree_say_nothing() -> None:
    without = estimate_position_bias([2, 2, -2], [1, 2, 3])
    assert estimate_position_bias([2, 0, 2, -2, 0], [1, 9, 2, 3, 9]) == without


def test_votes_for_neither_count_half_as_far() -> None:
    """The maximum of the conditional likelihood, found by SciPy from its formula."""
    leans = [2] * 12 + [-2] * 5 + [1] * 9 + [-1] * 8
    found = estimate_position_bias(leans, range(len(leans)))
    best = minimize_scalar(lambda beta: sum(math.log1p(math.exp(-each * beta)) for each in leans), bracket=(-1, 1))
    assert found.shift == pytest.approx(best.x, abs=1e-6)


def test_the_other_way_round_is_the_other_sign() -> None:
    one, other = (estimate_position_bias([sign * each for each in (2, 2, 2, -2, 1)], range(5)) for sign in (1, -1))
    assert one.shift == pytest.approx(-other.shift)
    assert one.shift_low == pytest.approx(-other.shift_high)


def test_a_judge_that_always_takes_the_left_has_no_upper_end() -> None:
    found = estimate_position_bias([2] * 20, range(20))
    assert found.high == pytest.approx(1)
    assert 0.5 < found.low < 1


def test_nothing_told_is_not_known() -> None:
    found = estimate_position_bias([0, 0], ["q", "r"])
    assert found.trials == 0
    assert math.isnan(found.shift)


def test_pairs_of_one_query_that_lean_alike_tell_less() -> None:
    leans = [2] * 30 + [-2] * 10
    alone = estimate_position_bias(leans, range(40))
    alike = estimate_position_bias(leans, [place // 10 for place in range(40)])
    assert alike.shift == pytest.approx(alone.shift)
    assert alike.shift_low < alone.shift_low < alone.shift_high < alike.shift_high


@pytest.mark.parametrize("leans", [[3], [0.5], [[2]], [math.nan]])
def test_what_is_no_lean_is_refused(leans: list[float]) -> None:
    with pytest.raises(InputError, match="leans: expected"):
        estimate_position_bias(leans, ["q"])


@pytest.mark.parametrize("shift", [0.0, 0.8, -2.0])
def test_the_interval_holds_the_bias_of_simulated_judges(shift: float) -> None:
    """Whatever the answers are worth; 500 efforts of 200 pairs in 50 queries: 95% less 3 standard errors."""
    rng = np.random.default_rng(5)
    found = [_simulate(shift, rng) for _ in range(500)]
    assert np.median([each.shift for each in found]) == pytest.approx(shift, abs=0.1)
    assert np.mean([each.shift_low <= shift <= each.shift_high for each in found]) >= 0.92


def _simulate(shift: float, rng: np.random.Generator) -> PositionBias:
    leads = rng.normal(0, 1.5, 200)
    return estimate_position_bias(answers(leads, shift, rng), [place // 4 for place in range(200)])


@pytest.mark.parametrize("shift", [0.0, 1.0, 2.5])
@pytest.mark.parametrize("lead", [-1.3, 0.2, 2.0])
def test_both_orders_of_a_judge_that_leans_are_wins_and_ties_with_rate_cosh(shift: float, lead: float) -> None:
    """What ``labels/doubt`` fits where ties are outcomes of their own: exp(λ/2) to 2ν to exp(−λ/2), with λ = 2δ."""
    left, turned = 1 / (1 + math.exp(-lead - shift)), 1 / (1 + math.exp(lead - shift))
    wins, loses = left * (1 - turned), (1 - left) * turned
    weights = math.exp(lead), 2 * math.cosh(shift), math.exp(-lead)
    assert [wins, 1 - wins - loses, loses] == pytest.approx([each / sum(weights) for each in weights])

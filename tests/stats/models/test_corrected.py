from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.stats.samples import Floats

from toprung.stats.models.corrected import correct_scores, t_intervals, worth_in_queries
from toprung.stats.models.model_weights import find_weights


def made_scores(n: int, n_runs: int, *, seed: int = 1, agreement: float = 0.8) -> tuple[Floats, Floats]:
    """By people and by a model that is 0.2 too kind."""
    rng = np.random.default_rng(seed)
    people = rng.normal(size=(n, 1)) + rng.normal(size=(n, n_runs))
    return people, 0.2 + agreement * people + np.sqrt(1 - agreement**2) * rng.normal(size=(n, n_runs))


def test_without_other_queries_people_alone_decide() -> None:
    people, model = made_scores(12, 3)
    found = correct_scores(people, model, np.empty((0, 3)))
    assert found.values == pytest.approx(people)
    assert (found.level_weight, found.difference_weight) == (0.0, 0.0)


def test_a_constant_bias_of_the_model_changes_nothing() -> None:
    people, model = made_scores(60, 3)
    plain = correct_scores(people[:20], model[:20], model[20:])
    bias = np.array([0.5, 0.0, -0.3])
    shifted = correct_scores(people[:20], model[:20] + bias, model[20:] + bias)
    assert shifted.values == pytest.approx(plain.values)


def test_a_perfect_model_gives_the_mean_of_all_queries() -> None:
    """With slope 1 and no residual nothing is unsure: λ = 1, and the estimate is the model's mean over all N."""
    people, _ = made_scores(60, 3)
    found = correct_scores(people[:20], people[:20], people[20:])
    assert found.values.mean(axis=0) == pytest.approx(people.mean(axis=0))
    assert found.difference_weight == pytest.approx(40 / 60)


def test_a_model_that_gives_every_query_the_same_is_left_out() -> None:
    people, _ = made_scores(30, 3)
    found = correct_scores(people[:20], np.full((20, 3), 0.4), np.full((40, 3), 0.4))
    assert found.values == pytest.approx(people[:20])


def test_a_model_that_contradicts_people_gets_no_weight() -> None:
    people, _ = made_scores(200, 4)
    noise = np.random.default_rng(3).normal(size=people.shape)
    found = correct_scores(people[:100], noise[:100] - 0.8 * people[:100], noise[100:] - 0.8 * people[100:])
    assert (found.level_weight, found.difference_weight) == (0.0, 0.0)


def test_many_queries_give_the_slope_of_least_squares() -> None:
    people, model = made_scores(20_000, 1)
    slope = stats.linregress(model[:, 0], people[:, 0]).slope
    weights = find_weights(people - people.mean(axis=0), model - model.mean(axis=0))
    assert weights.shared[0] == pytest.approx(slope, abs=0.002)
    assert weights.of_others == pytest.approx(np.full((20_000, 1, 2), [slope, 0.0]), abs=0.003)


def test_the_rows_vary_as_double_sampling_does() -> None:
    """Var = σ²/n · (1 − ρ²(1 − n/N)), with known parameters: n = 2,000 of N = 8,000, ρ = .8."""
    people, model = made_scores(8_000, 2, agreement=0.8)
    found = correct_scores(people[:2_000], model[:2_000], model[2_000:])
    difference = found.values[:, 1] - found.values[:, 0]
    rho = np.corrcoef(people[:, 1] - people[:, 0], model[:, 1] - model[:, 0])[0, 1]
    assert difference.var() == pytest.approx(2 * (1 - rho**2 * 0.75), rel=0.05)


def test_the_order_of_other_queries_changes_no_estimate() -> None:
    people, model = made_scores(60, 3)
    one, other = (correct_scores(people[:20], model[:20], rest) for rest in (model[20:], model[:19:-1]))
    assert one.values.mean(axis=0) == pytest.approx(other.values.mean(axis=0))


def test_queries_that_do_not_count_leave_the_mean_of_those_that_do() -> None:
    people, model = made_scores(20, 2)
    people[[3, 7]] = np.nan
    found = correct_scores(people, model, np.empty((0, 2)))
    assert found.values.mean(axis=0) == pytest.approx(np.nanmean(people, axis=0))
    # An error of 18 queries counts as that, though there are 20 rows.
    errors = found.values.std(axis=0) / np.sqrt(20)
    assert errors == pytest.approx(np.nanstd(people, axis=0) / np.sqrt(18))


def test_intervals_are_those_of_scipy() -> None:
    values = np.array([[0.1], [0.4], [0.2], [0.9], [0.3]])
    low, high = stats.t.interval(0.9, 4, loc=values.mean(), scale=stats.sem(values[:, 0]))
    found = t_intervals(values, confidence=0.9)[0]
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    wider = t_intervals(values, confidence=0.9, fitted=2)[0]
    assert wider.high - wider.estimate == pytest.approx(stats.t.ppf(0.95, 3) * stats.sem(values[:, 0]))


def test_half_the_spread_is_worth_four_times_the_queries_but_not_more_than_all() -> None:
    people, _ = made_scores(25, 3)
    assert worth_in_queries(people, people / 2, most=1_000).estimate == pytest.approx(100)
    assert worth_in_queries(people, people / 2, most=80).estimate == 80
    found = worth_in_queries(people, people * 2, most=1_000)
    assert (found.estimate, found.low, found.high) == tuple(pytest.approx(6.25) for _ in range(3))
    assert worth_in_queries(people, np.ones((25, 3)), most=70).estimate == 70

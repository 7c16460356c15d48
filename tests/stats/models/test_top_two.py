"""Which two items are worth the next vote?"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from toprung.stats.models.top_two import chance_to_settle, draw_top_two, narrow, rank_pairs


def draw_many(mean: list[float], covariance: np.ndarray, n: int = 4_000) -> Counter[tuple[int, int]]:
    rng = np.random.default_rng(5)
    first, second = draw_top_two(np.tile(mean, (n, 1)), np.tile(covariance, (n, 1, 1)), rng)
    return Counter(zip(first.tolist(), second.tolist(), strict=True))


def test_the_first_is_drawn_as_often_as_it_is_the_best_and_the_second_as_often_of_the_others() -> None:
    # By hand: P(best) = (p, q, r); the pair (i, j) comes with p_i p_j / (1 − p_i).
    mean, covariance = [1.0, 0.5, -0.5], np.diag([0.5, 0.5, 0.5])
    strengths = multivariate_normal(mean, covariance).rvs(400_000, random_state=1)
    chances = np.bincount(strengths.argmax(axis=1), minlength=3) / 400_000
    found = draw_many(mean, covariance)
    for (first, second), n in found.items():
        expected = chances[first] * chances[second] / (1 - chances[first])
        assert n / 4_000 == pytest.approx(expected, abs=4 * 0.5 / 4_000**0.5)


def test_an_item_is_never_compared_with_itself_or_with_one_that_does_not_count() -> None:
    found = draw_many([0.0, 0.0, -np.inf], np.eye(3))
    assert set(found) == {(0, 1), (1, 0)}


def test_where_all_draws_agree_the_rival_is_the_nearest_beside_its_doubt() -> None:
    # 1 lags by 50 with variance 1.01, 2 by 60 with variance 4.01: fewer standard deviations.
    found = draw_many([60.0, 10.0, 0.0], np.diag([0.01, 1.0, 4.0]), n=10)
    assert set(found) == {(0, 2)}


def test_pairs_are_ranked_without_repeats_and_all_come() -> None:
    pairs = list(rank_pairs(np.array([2.0, 1.0, 0.0, -30.0]), np.eye(4), np.random.default_rng(3)))
    assert sorted(pairs) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert 3 not in {item for pair in pairs[:3] for item in pair}


def test_a_vote_to_come_takes_doubt_from_its_difference_as_precisions_add() -> None:
    mean, covariance = np.zeros((1, 3)), np.array([[[2.0, 0.3, 0.0], [0.3, 1.0, 0.1], [0.0, 0.1, 1.5]]])
    found = narrow(mean, covariance, np.array([0]), np.array([1]), n=3)
    lead = np.array([1.0, -1.0, 0.0])
    by_precisions = np.linalg.inv(np.linalg.inv(covariance[0]) + 3 / 4 * np.outer(lead, lead))  # p(1 − p) = ¼
    assert found[0] == pytest.approx(by_precisions)


def test_the_chance_to_settle_two_equal_items_is_what_drawing_says() -> None:
    # A lead of mean 0 and variance 2, twelve votes of information ¼ each: precision 0.5 + 3.
    found = chance_to_settle(np.zeros(2), np.eye(2), n_votes=12, target=0.9)
    rng = np.random.default_rng(2)
    truth = rng.normal(0, 2**0.5, 200_000)
    seen = rng.normal(truth, 3**-0.5)
    after = seen * 3 / 3.5
    share = (np.abs(after) * 3.5**0.5 >= norm.ppf(0.9)).mean()
    assert found == pytest.approx(share, abs=0.005)


def test_items_known_to_be_equal_cannot_be_settled() -> None:
    assert chance_to_settle(np.zeros(2), 0.01 * np.eye(2), n_votes=30, target=0.9) < 0.01
    assert chance_to_settle(np.array([1.0, 0.0]), 0.5 * np.eye(2), n_votes=30, target=0.9) > 0.5

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import expit
from scipy.stats import norm

from toprung.stats.inputs import Floats
from toprung.stats.models.strength_prior import HIGHEST, estimate_penalty, estimate_tie_rate


def judged(n_pools: int, n_items: int, penalty: float, *, times: int, seed: int) -> Floats:
    """Votes on all pairs, of strengths with this prior."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, penalty**-0.5, size=(n_pools, n_items))
    first, second = np.triu_indices(n_items, k=1)
    wins = np.zeros((n_pools, n_items, n_items))
    wins[:, first, second] = rng.binomial(times, expit(truth[:, first] - truth[:, second]))
    wins[:, second, first] = times - wins[:, first, second]
    return wins


def test_of_pools_of_two_it_is_the_maximum_that_integration_finds() -> None:
    wins = judged(200, 2, 0.8, times=4, seed=1)
    counts = np.bincount(wins[:, 0, 1].astype(int), minlength=5)

    def surprise(log_penalty: float) -> float:
        scale = np.sqrt(2 / np.exp(log_penalty))
        chances = [
            quad(lambda x, k=k: norm.pdf(x, scale=scale) * expit(x) ** k * expit(-x) ** (4 - k), -40, 40)[0]
            for k in range(5)
        ]
        return -float(counts @ np.log(chances))

    exact = minimize_scalar(surprise, bounds=(-3, 3), method="bounded").x
    assert np.log(estimate_penalty([wins])) == pytest.approx(exact, abs=0.05)


@pytest.mark.parametrize("penalty", [0.4, 1.0, 3.0])
@pytest.mark.parametrize(("n_pools", "n_items", "times"), [(3_000, 3, 1), (300, 6, 1), (300, 4, 3)])
def test_the_prior_of_made_votes_is_found_again(penalty: float, n_pools: int, n_items: int, times: int) -> None:
    # Laplace's approximation finds 1.7, 3.1 and 10 for 0.4, 1 and 3 in pools of three judged once.
    found = estimate_penalty([judged(n_pools, n_items, penalty, times=times, seed=5)])
    assert np.log(found) == pytest.approx(np.log(penalty), abs=0.4)


def test_pools_of_several_sizes_tell_together() -> None:
    wins = [judged(150, 3, 1.0, times=1, seed=3), judged(150, 6, 1.0, times=1, seed=4)]
    assert np.log(estimate_penalty(wins)) == pytest.approx(0, abs=0.4)


def test_votes_that_every_prior_makes_as_probable_leave_it_at_one() -> None:
    assert estimate_penalty([judged(100, 2, 0.4, times=1, seed=2)]) == 1.0


def test_circles_have_no_strength_behind_them() -> None:
    assert estimate_penalty([np.tile([[0, 3, 0], [0, 0, 3], [3, 0, 0]], (30, 1, 1))]) == HIGHEST


def test_without_ties_there_is_no_tie_rate() -> None:
    assert estimate_tie_rate([judged(10, 3, 1.0, times=1, seed=1)], 0, penalty=1.0) == 0.0


def test_the_tie_rate_of_equals_is_that_of_their_votes() -> None:
    # three ties of nine votes: 2ν to 2 as 3 to 6
    assert estimate_tie_rate([np.array([[[0, 4.5], [4.5, 0]]])], 3, penalty=1.0) == pytest.approx(0.5)

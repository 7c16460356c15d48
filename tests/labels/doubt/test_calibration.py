"""Is P(best) a promise? Of answers said to be best with P from .6 to .7, 60 to 70% are: by made votes.

Strengths are drawn with a λ that the method is not told: it estimates the prior from the votes of all queries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import expit

from toprung.stats.inputs import Floats
from toprung.stats.models.strength_posterior import find_posterior, p_best
from toprung.stats.models.strength_prior import estimate_penalty

BINS = np.linspace(0, 1, 11)


@dataclass(frozen=True, kw_only=True)
class Bin:
    """Answers said to be best with about this probability, and how many are."""

    claimed: float
    true: float
    n: int

    @property
    def standard_error(self) -> float:
        return float(np.sqrt(max(self.true * (1 - self.true), 0.25 / self.n) / self.n))


@dataclass(frozen=True, kw_only=True)
class Design:
    """How queries were judged: answers a pool, votes a pair, and the share of pairs that were asked at all."""

    n_items: int
    votes: int = 1
    share: float = 1.0


DESIGNS = (
    Design(n_items=2, votes=3),
    Design(n_items=4),
    Design(n_items=6),
    Design(n_items=9),
    Design(n_items=5, votes=3),
    Design(n_items=6, votes=2, share=0.4),
    Design(n_items=20, share=0.15),
)


def judge(design: Design, penalty: float, n_pools: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """True strengths, and the wins of votes on them."""
    truth = rng.normal(0, penalty**-0.5, size=(n_pools, design.n_items))
    first, second = np.triu_indices(design.n_items, k=1)
    asked = design.votes * (rng.random((n_pools, len(first))) < design.share)
    wins = np.zeros((n_pools, design.n_items, design.n_items))
    wins[:, first, second] = rng.binomial(asked, expit(truth[:, first] - truth[:, second]))
    wins[:, second, first] = asked - wins[:, first, second]
    return truth, wins


def calibrate(design: Design, penalty: float, *, n_pools: int, efforts: int, seed: int) -> list[Bin]:
    """All answers of all pools, binned by their P(best); each effort estimates its own prior."""
    rng = np.random.default_rng(seed)
    claimed, is_best = [], []
    for _ in range(efforts):
        truth, wins = judge(design, penalty, n_pools, rng)
        chances = p_best(find_posterior(wins, penalty=estimate_penalty([wins]), tolerance=1e-3))
        claimed.append(chances.ravel())
        is_best.append((truth == truth.max(axis=1, keepdims=True)).ravel())
    chance, was_best = np.concatenate(claimed), np.concatenate(is_best)
    number = np.clip(np.digitize(chance, BINS) - 1, 0, len(BINS) - 2)
    return [
        Bin(claimed=float(chance[here].mean()), true=float(was_best[here].mean()), n=int(here.sum()))
        for here in (number == each for each in range(len(BINS) - 1))
        if here.sum() >= 100
    ]


@pytest.mark.parametrize("penalty", [0.4, 3.0])
@pytest.mark.parametrize("design", [DESIGNS[1], DESIGNS[5]], ids=str)
def test_p_best_is_as_often_true_as_it_says(design: Design, penalty: float) -> None:
    for found in calibrate(design, penalty, n_pools=1_500, efforts=1, seed=11):
        assert abs(found.claimed - found.true) <= 0.05 + 2 * found.standard_error, found


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [0.4, 1.0, 3.0])
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_p_best_is_as_often_true_as_it_says_at_full_size(design: Design, penalty: float) -> None:
    bins = calibrate(design, penalty, n_pools=1_000, efforts=10, seed=5)
    for found in bins:
        print(
            f"\n{design} λ {penalty:g}: {found.claimed:.3f} {found.true:.3f} ± {found.standard_error:.3f} n {found.n}"
        )
    assert max(abs(found.claimed - found.true) - 2 * found.standard_error for found in bins) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [0.4, 1.0, 3.0])
def test_small_efforts_estimate_their_prior_well_enough(penalty: float) -> None:
    """Fifty queries of six answers, many times over."""
    bins = calibrate(Design(n_items=6), penalty, n_pools=50, efforts=200, seed=6)
    for found in bins:
        print(f"\n50 queries λ {penalty:g}: {found.claimed:.3f} {found.true:.3f} ± {found.standard_error:.3f}")
    assert max(abs(found.claimed - found.true) - 2 * found.standard_error for found in bins) <= 0.05

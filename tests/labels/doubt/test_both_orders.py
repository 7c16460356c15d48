"""Is P(best) right from the votes of a judge that leans to one side, and was asked in both orders? By made votes.

A judge with bias β chooses the left answer with log-odds δ + β. Of a pair on which its two answers differ, it prefers
neither. Beside the tie rate stand two ways that do without: such a tie as half a win each, and one order alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import expit

from toprung.stats.inputs import Floats
from toprung.stats.models.strength_posterior import find_posterior, p_best
from toprung.stats.models.strength_prior import estimate_penalty, estimate_penalty_and_tie_rate

N_ITEMS = 5
FIRST, SECOND = np.triu_indices(N_ITEMS, k=1)


@dataclass(frozen=True, eq=False, kw_only=True)
class Judged:
    """True strengths; of each pair whether the first answer was chosen, shown left and shown right."""

    truth: Floats
    shown_left: np.ndarray
    shown_right: np.ndarray

    @property
    def both_orders(self) -> Floats:
        return to_wins((self.shown_left + self.shown_right.astype(float)) / 2)

    @property
    def n_ties(self) -> int:
        return int((self.shown_left != self.shown_right).sum())

    def one_order(self, rng: np.random.Generator) -> Floats:
        is_left = rng.random(self.shown_left.shape) < 0.5
        return to_wins(np.where(is_left, self.shown_left, self.shown_right).astype(float))


def to_wins(of_first: Floats) -> Floats:
    wins = np.zeros((len(of_first), N_ITEMS, N_ITEMS))
    wins[:, FIRST, SECOND], wins[:, SECOND, FIRST] = of_first, 1 - of_first
    return wins


def judge(shift: float, n_pools: int, rng: np.random.Generator, *, differs: bool = False) -> Judged:
    """Strengths of variance 1; where the bias ``differs``, it is to the left in half the pairs, else to the right."""
    truth = rng.normal(size=(n_pools, N_ITEMS))
    lead = truth[:, FIRST] - truth[:, SECOND]
    bias = shift * rng.choice([-1, 1], size=lead.shape) if differs else shift
    chosen = [rng.random(lead.shape) < expit(lead + each) for each in (bias, -bias)]
    return Judged(truth=truth, shown_left=chosen[0], shown_right=chosen[1])


def claims(wins: Floats, truth: Floats, penalty: float, tie_rate: float) -> tuple[Floats, Floats]:
    """P(best) of the answer called best in each pool, and whether it is."""
    chances = p_best(find_posterior(wins, penalty=penalty, tie_rate=tie_rate))
    return chances.max(axis=1), (chances.argmax(axis=1) == truth.argmax(axis=1)).astype(float)


def test_strengths_and_bias_are_found_from_votes_in_both_orders() -> None:
    """Lead 2δ, hence λ = 1/4, and ν = cosh β: 1, and 3.76 for β = 2."""
    for shift, rate in ((0.0, 1.0), (2.0, 3.762)):
        found = judge(shift, 400, np.random.default_rng(3))
        penalty, tie_rate = estimate_penalty_and_tie_rate([found.both_orders], found.n_ties)
        assert penalty == pytest.approx(0.25, abs=0.06)
        assert tie_rate == pytest.approx(rate, rel=0.2)


def test_with_a_tie_rate_claims_hold_and_without_they_do_not() -> None:
    found = judge(1.5, 400, np.random.default_rng(8))
    rated = estimate_penalty_and_tie_rate([found.both_orders], found.n_ties)
    claimed, is_best = claims(found.both_orders, found.truth, *rated)
    assert claimed.mean() == pytest.approx(is_best.mean(), abs=0.07)  # 3 standard errors of 400
    halved, _ = claims(found.both_orders, found.truth, estimate_penalty([found.both_orders]), 0.0)
    assert halved.mean() < is_best.mean() - 0.2
    assert halved.max() < 0.5  # no query would get a label


def test_without_ties_the_penalty_is_what_it_was() -> None:
    found = judge(0.0, 60, np.random.default_rng(1)).one_order(np.random.default_rng(2))
    assert estimate_penalty_and_tie_rate([found], 0) == (estimate_penalty([found]), 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "differs"), [(0.0, False), (1.0, False), (2.0, False), (3.0, False), (2.0, True)])
def test_claims_hold_in_every_bin_whatever_the_bias(shift: float, *, differs: bool) -> None:
    """And both orders beat one, by 4,000 pools; printed for docs/design/position-bias.md."""
    rng = np.random.default_rng(17)
    kept: dict[str, list[tuple[Floats, Floats]]] = {"one order": [], "half a win": [], "tie rate": []}
    for _ in range(10):
        found = judge(shift, 400, rng, differs=differs)
        both, one = found.both_orders, found.one_order(rng)
        rated = estimate_penalty_and_tie_rate([both], found.n_ties)
        kept["one order"].append(claims(one, found.truth, estimate_penalty([one]), 0.0))
        kept["half a win"].append(claims(both, found.truth, estimate_penalty([both]), 0.0))
        kept["tie rate"].append(claims(both, found.truth, *rated))
    for name, parts in kept.items():
        claimed, is_best = (np.concatenate(each) for each in zip(*parts, strict=True))
        labelled = (claimed >= 0.5).mean()
        print(f"{shift:g} {name}: right {is_best.mean():.3f}, claimed {claimed.mean():.3f}, labelled {labelled:.3f}")
    claimed, is_best = (np.concatenate(each) for each in zip(*kept["tie rate"], strict=True))
    for low in np.arange(0.2, 1, 0.1):
        here = (low <= claimed) & (claimed < low + 0.1)
        if here.sum() >= 400:
            assert claimed[here].mean() == pytest.approx(is_best[here].mean(), abs=0.05)
    assert is_best.mean() > np.concatenate([each for _, each in kept["one order"]]).mean()

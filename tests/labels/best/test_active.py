from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from tests.labels.builders import outcomes_of, survivors

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.best.active import leaders_and_rivals, next_pairs
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.stats.inputs import Floats, Ints
from toprung.stats.models.bradley_terry import fit_strengths
from toprung.stats.models.strength_posterior import find_posterior, p_best

SPREAD = 0.4**-0.5
"""Of true strengths: the prior of the fit."""


def pool_of(items: str, query_id: str = "q") -> Pool:
    return Pool(query_id=query_id, items=tuple(items))


def won(query_id: str, one: str, other: str, n: int) -> dict[Pair, PairOutcome]:
    """The first wins all of n votes."""
    pair = Pair.of(query_id, one, other)
    wins = (n, 0) if one == pair.a else (0, n)
    return {pair: PairOutcome(pair=pair, wins_a=wins[0], wins_b=wins[1], ties=0, n=n)}


def test_the_leader_meets_its_likeliest_rival() -> None:
    # C lost to both others; A and B are left.
    [asked] = next_pairs([pool_of("ABC")], outcomes_of(["AC", "BC"]))
    assert asked.pair == Pair("q", "A", "B")
    assert 1 / 3 < asked.confidence < 0.6


def test_a_pool_that_is_clear_asks_no_more() -> None:
    outcomes = won("q", "A", "B", 3)  # P(A is best) = 0.96 at λ = 0.4
    prior = StrengthPrior(penalty=0.4)
    assert next_pairs([pool_of("AB")], outcomes, target=0.9, prior=prior) == []
    assert len(next_pairs([pool_of("AB")], outcomes, target=0.99, prior=prior)) == 1


def test_a_pool_of_one_asks_nothing() -> None:
    assert next_pairs([pool_of("A")], {}) == []


def test_a_pool_that_has_spent_its_budget_asks_no_more() -> None:
    even = {Pair("q", "A", "B"): PairOutcome(pair=Pair("q", "A", "B"), wins_a=3, wins_b=3, ties=0, n=6)}
    assert len(next_pairs([pool_of("AB")], even, budget_per_pool=7)) == 1
    assert next_pairs([pool_of("AB")], even, budget_per_pool=6) == []


def test_the_least_sure_pools_come_first_and_the_budget_cuts_the_rest() -> None:
    pools = [pool_of("AB", "clearer"), pool_of("AB", "open"), pool_of("ABCD", "wide")]
    outcomes = won("clearer", "A", "B", 1)
    asked = next_pairs(pools, outcomes, budget=2)
    assert [each.pair.query_id for each in asked] == ["wide", "open"]


def test_the_order_of_pools_changes_nothing() -> None:
    pools = [pool_of("ABC", f"q{i}") for i in range(6)]
    outcomes = won("q3", "B", "C", 2)
    assert next_pairs(pools[::-1], outcomes) == next_pairs(pools, outcomes)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"target": 1.0}, "target: found 1"), ({"budget": 0}, "budget: found 0"), ({"budget_per_pool": 0}, "found 0")],
)
def test_what_would_never_stop_or_never_start_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        next_pairs([pool_of("AB")], {}, **options)  # type: ignore[arg-type] # parametrised


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Shares of pools whose truly best answer was found, and the share of judgments that active choice took."""

    tournament: float
    all_pairs: float
    active: float
    judgments: float


def simulate(n_pools: int, n_items: int, *, seed: int, target: float = 0.9) -> Figures:
    """All pairs three times, by tournament or by strengths, against at most 60% of that by active choice."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, SPREAD, size=(n_pools, n_items))
    p_win = 1 / (1 + np.exp(truth[:, None, :] - truth[:, :, None]))
    full = 3 * n_items * (n_items - 1) // 2
    best = truth.argmax(axis=1)
    three_times = _judge_all(p_win, rng)
    active, used = _judge_actively(p_win, int(0.6 * full), rng, target=target)
    return Figures(
        tournament=_share_of_survivors(three_times, best),
        all_pairs=float((fit_strengths(three_times, penalty=0.4).values.argmax(axis=1) == best).mean()),
        active=float((fit_strengths(active, penalty=0.4).values.argmax(axis=1) == best).mean()),
        judgments=float(used.mean()) / full,
    )


def _judge_all(p_win: Floats, rng: np.random.Generator) -> Floats:
    first, second = np.triu_indices(p_win.shape[1], k=1)
    wins = np.zeros_like(p_win)
    wins[:, first, second] = rng.binomial(3, p_win[:, first, second])
    wins[:, second, first] = 3 - wins[:, first, second]
    return wins


def _judge_actively(p_win: Floats, budget: int, rng: np.random.Generator, *, target: float) -> tuple[Floats, Ints]:
    wins, used = np.zeros_like(p_win), np.zeros(len(p_win), dtype=np.int64)
    is_open = np.arange(len(p_win))
    for _ in range(budget):
        chances = p_best(find_posterior(wins[is_open], penalty=0.4, tolerance=1e-2))
        keeps_on = chances.max(axis=1) < target
        is_open, chances = is_open[keeps_on], chances[keeps_on]
        leader, rival = leaders_and_rivals(chances)
        leader_wins = rng.random(len(is_open)) < p_win[is_open, leader, rival]
        winner, loser = np.where(leader_wins, leader, rival), np.where(leader_wins, rival, leader)
        wins[is_open, winner, loser] += 1
        used[is_open] += 1
    return wins, used


def _share_of_survivors(wins: Floats, best: Ints) -> float:
    """A pool that keeps several counts for the truly best by its share."""
    found = 0.0
    for of_pool, item in zip(wins, best.tolist(), strict=True):
        kept = survivors(map(str, range(len(of_pool))), lambda i, j, w=of_pool: float(w[int(i), int(j)] > 1.5))
        found += (str(item) in kept) / len(kept)
    return found / len(wins)


def test_active_choice_finds_the_best_with_sixty_percent_of_the_judgments() -> None:
    found = simulate(150, 6, seed=2)
    assert found.judgments <= 0.6
    assert found.active >= found.all_pairs >= found.tournament


@pytest.mark.slow
@pytest.mark.parametrize("n_items", [4, 5, 6, 8])
def test_active_choice_at_full_size(n_items: int) -> None:
    found = simulate(2_000, n_items, seed=7)
    print(
        f"\n{n_items} items: best found by all pairs × 3 in {found.tournament:.3f} (tournament) and "
        f"{found.all_pairs:.3f} (strengths); active choice {found.active:.3f} with {found.judgments:.0%} of judgments"
    )
    assert found.judgments <= 0.6
    assert found.active >= found.tournament

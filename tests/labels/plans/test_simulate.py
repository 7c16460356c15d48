"""What would a plan find?"""

from __future__ import annotations

import numpy as np
import pytest

from toprung.data.judgments import Pair
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.plans.simulate import MadePools, PlanTrial, simulate_all_pairs, simulate_budgets
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome

PRIOR = StrengthPrior()
POOLS = [Pool(query_id=f"q{i}", items=tuple("ABCDEF"[: 2 + i % 4])) for i in range(20)]


def test_more_money_finds_more_and_votes_are_what_was_bought() -> None:
    few, more, many = simulate_budgets(AdaptivePlan(), POOLS, {}, (2, 6, 12), prior=PRIOR, made=100)
    assert few.sure < more.sure < many.sure
    assert few.right < many.right
    assert few.n_votes == pytest.approx(2, abs=0.05)


def test_sure_is_true_as_often_as_promised() -> None:
    [found] = simulate_budgets(AdaptivePlan(target=0.9, most_votes=60), POOLS, {}, (60,), prior=PRIOR, made=200)
    assert found.n_votes < 50  # who is sure is asked no more
    assert found.right >= 0.9 * found.sure - 0.03


def test_all_pairs_cost_what_their_pairs_cost() -> None:
    found = simulate_all_pairs(AdaptivePlan(), POOLS, {}, votes=3, prior=PRIOR, made=20)
    assert found.n_votes == 3 * sum(pool.n_pairs for pool in POOLS) / 20


def test_what_votes_have_settled_is_not_asked_again() -> None:
    pair = Pair("q0", "A", "B")
    clear = {pair: PairOutcome(pair=pair, wins_a=20, wins_b=0, ties=0, n=20)}
    [found] = simulate_budgets(AdaptivePlan(), POOLS[:1], clear, (5,), prior=PRIOR, made=50)
    assert (found.n_votes, found.sure) == (0, 1)
    assert found.right > 0.95


def test_equal_answers_are_given_up() -> None:
    rng = np.random.default_rng(1)
    wins = np.tile(np.array([[0.0, 25.0], [25.0, 0.0]]), (30, 1, 1))
    made = MadePools.of(np.zeros((30, 2)), wins=wins)
    simulation = PlanTrial(plan=AdaptivePlan(most_votes=53), penalty=1, groups=[made], rng=rng)
    simulation.buy(3 * 30)
    assert simulation.found().hopeless == 1
    assert simulation.found().n_votes == 0


def test_an_answer_outside_the_pool_is_never_asked_about_nor_the_best() -> None:
    rng = np.random.default_rng(1)
    truth = np.tile([0.0, 1.0, 5.0], (10, 1))
    made = MadePools.of(truth, is_pooled=np.tile([True, True, False], (10, 1)))
    made.ask(np.arange(10), penalty=1, at_once=3, rng=rng)
    assert made.wins[:, 2].sum() == made.wins[:, :, 2].sum() == 0
    assert made.best.tolist() == [1] * 10
    assert made.used.tolist() == [3] * 10

from __future__ import annotations

import numpy as np
import pytest
from tests.labels.builders import outcomes_of

from toprung.data.judgments import Pair
from toprung.labels.doubt.posterior import PoolPosterior, posterior_of, posteriors_of
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome

WIDE = StrengthPrior(penalty=0.4)


def one(pool: Pool, outcomes: dict[Pair, PairOutcome], prior: StrengthPrior = WIDE) -> PoolPosterior:
    return posteriors_of([pool], outcomes, prior=prior)[pool.query_id]


def test_a_transitive_pool_has_its_order_and_the_chance_of_a_grid() -> None:
    found = one(Pool(query_id="q", items=("A", "B", "C")), outcomes_of(["AB", "AC", "BC"]))
    assert found.strengths[0] > found.strengths[1] > found.strengths[2]
    assert found.strengths.sum() == pytest.approx(0, abs=1e-9)
    assert (found.best, found.n_votes) == ("A", 3)
    assert found.confidence == pytest.approx(0.747, abs=0.01)  # by integration on a grid


def test_a_tie_is_half_a_win_for_each() -> None:
    pool, pair = Pool(query_id="q", items=("A", "B")), Pair("q", "A", "B")
    tied = one(pool, {pair: PairOutcome(pair=pair, wins_a=0, wins_b=0, ties=2, n=2)})
    even = one(pool, {pair: PairOutcome(pair=pair, wins_a=1, wins_b=1, ties=0, n=2)})
    assert tied.p_best == even.p_best == pytest.approx((0.5, 0.5))
    assert tied.covariance == pytest.approx(even.covariance)


def test_pairs_that_nobody_judged_leave_doubt_and_no_more() -> None:
    pools = [Pool(query_id="q", items=("A", "B", "C")), Pool(query_id="r", items=("A",))]
    found = posteriors_of(pools, outcomes_of(["AB"]), prior=WIDE)
    assert found["q"].best == "A"
    assert found["q"].n_votes == 1
    assert found["r"].confidence == pytest.approx(1)
    assert list(found) == ["q", "r"]


def test_votes_on_an_item_with_the_same_text_count_for_the_one_that_stands_for_it() -> None:
    pool = Pool(query_id="q", items=("A", "B"), same_text={"Z": "A"})
    assert one(pool, outcomes_of(["ZB"])).p_best == one(pool, outcomes_of(["AB"])).p_best


def test_votes_on_an_outsider_tell_of_those_inside() -> None:
    pool = Pool(query_id="q", items=("A", "B"))
    found = one(pool, outcomes_of(["AX", "XB"]))  # nobody compared A with B
    assert found.items == ("A", "B")
    assert found.n_votes == 2
    # A > X > B alone, X integrated out: 0.76 by a grid over three strengths
    assert found.p_best[0] == pytest.approx(p_first_of_chain(), abs=0.01)
    assert sum(found.p_best) == pytest.approx(1)


def p_first_of_chain(penalty: float = 0.4) -> float:
    axis = np.linspace(-8, 8, 161)
    a, x, b = np.meshgrid(axis, axis, axis, indexing="ij", sparse=True)
    height = -penalty / 2 * (a**2 + x**2 + b**2) - np.logaddexp(0, x - a) - np.logaddexp(0, b - x)
    mass = np.exp(height).sum(axis=1)
    return float(np.tril(mass, -1).sum() / (mass.sum() - np.trace(mass)))


def test_pools_of_all_sizes_have_the_figures_they_have_alone() -> None:
    pools = [Pool(query_id=f"q{n}", items=tuple("ABCDEFGHI"[:n])) for n in (2, 3, 5, 7, 9)]
    outcomes = outcomes_of(["AB", "CA"], query_id="q3") | outcomes_of(["AB"], query_id="q2")
    outcomes |= outcomes_of(["AB", "BG", "GC"], query_id="q7")
    together = posteriors_of(pools, outcomes, prior=WIDE)
    for pool in pools:
        alone = posterior_of(
            pool, [each for pair, each in outcomes.items() if pair.query_id == pool.query_id], prior=WIDE
        )
        assert together[pool.query_id].strengths == pytest.approx(alone.strengths, abs=1e-4)
        assert together[pool.query_id].p_best == pytest.approx(alone.p_best, abs=1e-3)


def test_draws_have_the_mean_and_the_spread_of_the_posterior() -> None:
    found = one(Pool(query_id="q", items=("A", "B", "C")), outcomes_of(["AB", "AC", "BC"]))
    drawn = found.draw(20_000, np.random.default_rng(1))
    assert drawn.mean(axis=0) == pytest.approx(found.strengths, abs=0.04)
    assert np.cov(drawn.T) == pytest.approx(found.covariance, abs=0.05)
    assert np.bincount(drawn.argmax(axis=1)) / 20_000 == pytest.approx(found.p_best, abs=0.015)

from __future__ import annotations

import pytest
from tests.labels.builders import outcomes_of

from toprung.data.judgments import Pair
from toprung.labels.best.strengths import item_strengths
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome


def test_a_transitive_pool_has_the_listed_strengths() -> None:
    found = item_strengths([Pool(query_id="q", items=("A", "B", "C"))], outcomes_of(["AB", "AC", "BC"]))["q"]
    assert found.strengths == pytest.approx((0.9854, 0, -0.9854), abs=5e-5)
    assert (found.best, found.n_judgments) == ("A", 3)
    assert found.confidence == pytest.approx(0.747, abs=0.01)  # by integration on a grid


def test_a_tie_is_half_a_win_for_each() -> None:
    pool = Pool(query_id="q", items=("A", "B"))
    pair = Pair("q", "A", "B")
    tied = item_strengths([pool], {pair: PairOutcome(pair=pair, wins_a=0, wins_b=0, ties=2, n=2)})["q"]
    even = item_strengths([pool], {pair: PairOutcome(pair=pair, wins_a=1, wins_b=1, ties=0, n=2)})["q"]
    assert tied == even
    assert tied.p_best == pytest.approx((0.5, 0.5), abs=0.01)


def test_pairs_that_nobody_judged_leave_doubt_and_no_more() -> None:
    pools = [Pool(query_id="q", items=("A", "B", "C")), Pool(query_id="r", items=("A",))]
    found = item_strengths(pools, outcomes_of(["AB"]))
    assert found["q"].best == "A"
    assert found["q"].n_judgments == 1
    assert found["r"].confidence == pytest.approx(1)
    assert list(found) == ["q", "r"]


def test_votes_on_an_item_with_the_same_text_count_for_the_one_that_stands_for_it() -> None:
    pool = Pool(query_id="q", items=("A", "B"), same_text={"Z": "A"})
    assert item_strengths([pool], outcomes_of(["ZB"]))["q"] == item_strengths([pool], outcomes_of(["AB"]))["q"]


def test_pools_of_all_sizes_have_the_figures_they_have_alone() -> None:
    pools = [Pool(query_id=f"q{n}", items=tuple("ABCDE"[:n])) for n in (2, 3, 5, 3)]
    pools[3] = Pool(query_id="again", items=pools[1].items)
    outcomes = outcomes_of(["AB", "CA"], query_id="q3") | outcomes_of(["AB"], query_id="q2")
    together = item_strengths(pools, outcomes, seed=2)
    for pool in pools:
        alone = item_strengths([pool], outcomes, seed=2)[pool.query_id]
        assert together[pool.query_id].strengths == pytest.approx(alone.strengths, abs=1e-12)
        assert together[pool.query_id].p_best == pytest.approx(alone.p_best, abs=1e-12)

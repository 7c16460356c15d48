"""Real runs handed in anew, in many orders: what is proved, and where the claims end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from toprung.analyses.timeline.find import timeline
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.top_group import find_top_group
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.scoring.evaluate import evaluate

ORDERS = 20


def trec_covid(data: Path) -> ScoreTable:
    """Eleven runs of the first round, graded labels."""
    folder = data / "trec-covid-r1"
    return evaluate(folder / "qrels.covid-round1.txt", sorted(folder.glob("*.gz")), "nDCG@10").score_table("nDCG@10")


def passages(data: Path) -> FirstRanks:
    """Ten runs on 215 queries, nearly all with one answer."""
    folder = data / "msmarco-passage-dev215"
    return evaluate(folder / "qrels.dev215.txt", sorted(folder.glob("*.run.gz")), "RR").first_ranks(10)


@pytest.mark.parametrize(
    ("read", "n_runs", "rule"), [(trec_covid, 11, Rule.MEASURE), (passages, 10, Rule.NO_HARM)], ids=["graded", "sparse"]
)
def test_in_whatever_order_they_come_the_run_to_beat_may_be_best_in_the_end(
    shared_data: Path, read: Callable[[Path], FirstRanks | ScoreTable], n_runs: int, rule: Rule
) -> None:
    matrix = read(shared_data)
    assert len(matrix.runs) == n_runs
    top, rng = find_top_group(matrix), np.random.default_rng(7)
    replays = [timeline(matrix.select(rng.permutation(matrix.runs).tolist())) for _ in range(ORDERS)]
    assert {each.policy.rule for each in replays} == {rule}
    n_claims = sum(len(each.claims) for each in replays)
    n_passed = sum(claim.passed for each in replays for claim in each.claims)
    ends = [each.challenged for each in replays]
    n_best = sum(each.run in top.members for each in ends)
    mean, best = np.mean([each.score for each in ends]), top.scores.max()
    print(f"\n{ORDERS} orders of {n_runs} runs by {matrix.measure}, {rule}: {n_passed} of {n_claims} claims passed;")
    print(f"to beat in the end: mean {mean:.3f}, best {best:.3f}, in the top group in {n_best} orders")
    assert n_passed >= ORDERS / 4
    assert n_best == ORDERS
    for each in replays:
        assert not any(top.relation(claim.holder, claim.run) < 0 for claim in each.claims if claim.passed)

"""What would the real boards have seen, had their runs come in other orders?"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.boards.engine.real_boards import read_dev215, read_trec_covid
from tests.boards.engine.replays import replay, replay_often

from toprung.boards.engine.rules import ClaimPolicy, Rule
from toprung.data.matrices import to_scores


def test_from_worst_to_best_every_step_is_a_claim_and_the_large_ones_pass(shared_data: Path) -> None:
    matrix = read_trec_covid(shared_data)
    upwards = sorted(matrix.runs, key=lambda run: (matrix.column(run).mean(), run))
    found = replay(matrix, upwards, ClaimPolicy())
    assert [claim.t for claim in found.claims] == list(range(1, len(found.claims) + 1))
    assert all(claim.run != claim.holder for claim in found.claims)
    assert found.holder == [claim.run for claim in found.claims if claim.passed][-1]
    assert matrix.column(found.holder).mean() > 0.5  # of .68; by first ranks no claim was heard at all


def test_from_best_to_worst_nobody_makes_a_claim(shared_data: Path) -> None:
    matrix = read_trec_covid(shared_data)
    downwards = sorted(matrix.runs, key=lambda run: -matrix.column(run).mean())
    found = replay(matrix, downwards, ClaimPolicy())
    assert (found.claims, found.holder) == ((), "run1")


@pytest.mark.parametrize("rule", [Rule.MEASURE, Rule.NO_HARM])
def test_after_the_worst_run_of_dev215_a_better_one_passes(shared_data: Path, rule: Rule) -> None:
    matrix = read_dev215(shared_data)
    found = replay(matrix, ["RM3", *(run for run in matrix.runs if run != "RM3")], ClaimPolicy(rule=rule))
    assert found.n_passed > 0
    assert to_scores(matrix).column(found.holder).mean() > 0.17  # of .23; RM3 has .07


@pytest.mark.parametrize("rule", [Rule.MEASURE, Rule.NO_HARM])
def test_the_last_holder_of_dev215_may_be_best_in_three_orders(shared_data: Path, rule: Rule) -> None:
    found = replay_often(read_dev215(shared_data), rule, orders=3)
    assert found.claims >= found.passed
    assert found.held_by_member == 3
    assert found.lowest_holder_score > 0.17


def test_the_last_holder_of_trec_covid_may_be_best_in_three_orders(shared_data: Path) -> None:
    found = replay_often(read_trec_covid(shared_data), Rule.MEASURE, orders=3)
    assert found.claims >= found.passed > 0
    assert found.held_by_member == 3
    assert found.lowest_holder_score > 0.54

"""What is to be asked now?"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
from tests.labels.tasks.test_make import judge_everything

from toprung.labels.effort.effort import Effort
from toprung.labels.plans.plan import AdaptivePlan, VotesPlan, read_plan
from toprung.labels.plans.price import Price
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools
from toprung.labels.tasks.make import add_tasks
from toprung.labels.tasks.questions import undecided_pairs
from toprung.labels.votes.outcomes import resolve_pairs

PRICE = Price(own_fee=Decimal("0.20"))


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    """Twelve pools of three, each with a label; everyone prefers a to b and to c."""
    effort = Effort.open_or_create(tmp_path / "state")
    items = ("a{}", "b{}", "c{}")
    add_pools(
        effort,
        [Pool(query_id=f"q{i:02d}", items=tuple(each.format(i) for each in items), label=f"a{i}") for i in range(12)],
    )
    return effort


def votes_on_pairs(effort: Effort) -> Counter[int]:
    return Counter(each.n for each in resolve_pairs(effort.read_judgments()).values())


def test_three_votes_on_each_pair_can_be_asked_and_come(effort: Effort) -> None:
    found = add_tasks(effort, per_task=12, golds_per_task=0, plan=VotesPlan(votes=3))
    assert found.sentence == "9 tasks made, of 36 pairs of 12 queries, with 0 golds."
    assert found.notes[0] == "Plan: 3 votes on each pair."
    assert add_tasks(effort, per_task=12, golds_per_task=0).made == ()  # the plan is kept, and all is in tasks
    for name in ("ann", "bob", "cho"):
        judge_everything(effort, name)
    assert votes_on_pairs(effort) == {3: 36}
    assert undecided_pairs(effort, effort.read_judgments()) == []


def test_each_assessor_can_do_one_round_whole_and_no_more(effort: Effort) -> None:
    add_tasks(effort, per_task=12, golds_per_task=0, plan=VotesPlan(votes=3))
    judge_everything(effort, "ann")
    assert votes_on_pairs(effort) == {1: 36}


def test_more_votes_can_be_planned_later(effort: Effort) -> None:
    add_tasks(effort, per_task=12, golds_per_task=0)
    judge_everything(effort, "ann")
    found = add_tasks(effort, per_task=12, golds_per_task=0, plan=VotesPlan(votes=2))
    assert len(found.made) == 3
    assert read_plan(effort) == VotesPlan(votes=2)


def test_votes_that_are_not_planned_are_not_lacking(effort: Effort) -> None:
    add_tasks(effort, per_task=12, golds_per_task=0)
    judge_everything(effort, "ann")
    assert undecided_pairs(effort, effort.read_judgments()) == []
    assert len(undecided_pairs(effort, effort.read_judgments(), votes=2)) == 36


def test_an_adaptive_plan_asks_a_pair_of_each_query_and_ends_when_all_are_sure(effort: Effort) -> None:
    plan = AdaptivePlan(target=0.8, price=PRICE)
    found = add_tasks(effort, per_task=6, golds_per_task=0, plan=plan)
    assert found.sentence == "2 tasks made, of 12 pairs of 12 queries, with 0 golds."
    assert found.notes[:2] == ("Plan: votes until P(best) ≥ 0.8, 30 a query at most.", "12 of 12 queries still ask.")
    rounds = 1
    while found.made:
        judge_everything(effort, f"assessor {rounds}")
        found = add_tasks(effort, per_task=6, golds_per_task=0)
        rounds += 1
    assert found.sentence == "No task made: every query is finished."
    assert found.notes[1] == "0 of 12 queries still ask (12 sure)."
    # Whoever is judged again is a, or may be: b against c is rare.
    asked = Counter(pair.a[0] + pair.b[0] for pair in resolve_pairs(effort.read_judgments()))
    assert asked["ab"] + asked["ac"] > 2 * asked["bc"]
    assert rounds > 3


def test_the_budget_is_never_overspent_and_its_end_is_said(effort: Effort) -> None:
    plan = AdaptivePlan(target=0.99, budget=Decimal("7.50"), price=PRICE)  # three tasks of 2.40
    first = add_tasks(effort, per_task=6, golds_per_task=0, plan=plan)
    assert len(first.made) == 2
    assert first.notes[1] == "12 of 12 queries still ask. Tasks before these cost $0.00 of $7.50."
    second = add_tasks(effort, per_task=6, golds_per_task=0)
    assert (len(second.made), len(second.made[0].pairs)) == (1, 6)
    third = add_tasks(effort, per_task=6, golds_per_task=0)
    assert third.sentence == "No task made: the money is spent; 18 pairs wait in open tasks."
    assert "Tasks before these cost $7.20 of $7.50." in third.notes[1]


def test_open_tasks_are_pending_so_that_the_next_round_asks_other_pairs(effort: Effort) -> None:
    plan = AdaptivePlan(price=PRICE)
    asked = [
        pair for _ in range(3) for task in add_tasks(effort, golds_per_task=0, plan=plan).made for pair in task.pairs
    ]
    assert len(set(asked)) >= 32  # of 36 pairs; by chance alone it would be 25


def test_what_was_dealt_follows_from_the_seed(effort: Effort, tmp_path: Path) -> None:
    other = Effort.open_or_create(tmp_path / "other")
    add_pools(other, _pools(effort))
    made = [add_tasks(each, golds_per_task=0, seed=5, plan=AdaptivePlan(price=PRICE)).made for each in (effort, other)]
    assert made[0] == made[1]


def _pools(effort: Effort) -> list[Pool]:
    return [Pool.from_record(record) for record in effort.read("pools")]

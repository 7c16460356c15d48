"""Is what the plan wants what people are asked? The same wherever records lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from tests.labels.builders import note_plan
from tests.labels.tasks.test_make import judge_everything

from toprung.data.judgments import Choice, Judgment, Pair
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import InputError
from toprung.labels.best.challenge_queue import queue_challenges
from toprung.labels.best.challenges import Challenge
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import RecordStore
from toprung.labels.plans.plan import AdaptivePlan, VotesPlan, read_plan
from toprung.labels.plans.price import Price
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.dealing import NOTED
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.make import deal_all, plan_tasks
from toprung.labels.tasks.questions import votes_lacking
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.tasks.task import Task
from toprung.labels.votes.audit import plan_audit, start_audit
from toprung.labels.votes.outcomes import resolve_pairs

type OpenStore = Callable[[], RecordStore]

PRICE = Price(own_fee=Decimal("0.20"))
POOLS = [
    Pool(query_id=f"q{i:02d}", items=tuple(each.format(i) for each in ("a{}", "b{}", "c{}")), label=f"a{i}")
    for i in range(12)
]
"""Everyone prefers a to b and to c."""


@pytest.fixture
def effort(tmp_path: Path) -> Effort:
    effort = Effort.open_or_create(tmp_path / "state")
    add_pools(effort, POOLS)
    return effort


def start(store: RecordStore, plan: VotesPlan | AdaptivePlan, *, per_task: int = 6, seed: int = 1) -> RecordStore:
    add_pools(store, POOLS)
    note_plan(store, plan)
    store.note({NOTED: {"seed": seed, "per_task": per_task, "golds_per_task": 0}})
    return store


def votes_on_pairs(store: RecordStore) -> Counter[int]:
    return Counter(each.n for each in resolve_pairs(store.read_judgments()).values())


def do(sitting: Sitting[RecordStore], offered: Assignment, *, loser: str = "") -> None:
    """Prefer a, then b; a query's own loser loses to all."""
    begun = sitting.move(offered, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
    for number, slot in enumerate(sitting.tasks[offered.task_id].slots):
        is_left = slot.right == loser or (slot.left != loser and slot.left < slot.right)
        sitting.answer(begun, number, Choice.LEFT if is_left else Choice.RIGHT)
    sitting.submit(begun)


def offer(sitting: Sitting[RecordStore], assessor: str) -> tuple[Assignment, Task]:
    offered = sitting.offer(assessor)
    assert offered is not None
    return offered, sitting.tasks[offered.task_id]


def test_three_votes_on_each_pair_can_be_asked_and_come(effort: Effort) -> None:
    found = plan_tasks(effort, per_task=12, golds_per_task=0, plan=VotesPlan(votes=3))
    assert found.sentence == "36 pairs of 12 queries to deal for 108 votes, in 9 tasks with 0 golds."
    assert found.notes[0] == "Plan: 3 votes on each pair."
    for name in ("ann", "bob", "cho"):
        judge_everything(effort, name)
    assert votes_on_pairs(effort) == {3: 36}
    assert votes_lacking(effort, effort.read_judgments()) == {}
    assert plan_tasks(effort, golds_per_task=0).sentence == "Nothing to deal: every pair is decided or in a task."


def test_each_assessor_sees_each_pair_once(open_store: OpenStore) -> None:
    sitting = Sitting(start(open_store(), VotesPlan(votes=3), per_task=12))
    for n_tasks in range(3):
        offered, task = offer(sitting, "ann")
        assert len(task.pairs) == 12, n_tasks
        do(sitting, offered)
    assert sitting.offer("ann") is None
    assert votes_on_pairs(sitting.store) == {1: 36}


def test_twelve_people_at_once_are_asked_for_no_more_than_is_planned(open_store: OpenStore) -> None:
    sitting = Sitting(start(open_store(), VotesPlan(votes=2), per_task=12))
    offers = [sitting.offer(f"assessor {number}") for number in range(12)]
    dealt = Counter(pair for each in offers if each is not None for pair in sitting.tasks[each.task_id].pairs)
    assert (len(dealt), set(dealt.values()), offers.count(None)) == (36, {2}, 6)


def test_more_votes_can_be_planned_later(effort: Effort) -> None:
    plan_tasks(effort, per_task=12, golds_per_task=0)
    judge_everything(effort, "ann")
    assert votes_lacking(effort, effort.read_judgments()) == {}
    found = plan_tasks(effort, per_task=12, golds_per_task=0, plan=VotesPlan(votes=2))
    assert (found.n_tasks, set(found.wanted.lacking.values())) == (3, {1})
    assert read_plan(effort) == VotesPlan(votes=2)


def test_a_plan_of_now_holds_for_a_desk_that_is_open(open_store: OpenStore) -> None:
    sitting = Sitting(start(open_store(), VotesPlan(), per_task=12))
    for _ in range(3):
        do(sitting, offer(sitting, "ann")[0])
    assert sitting.offer("bob") is None
    note_plan(open_store(), VotesPlan(votes=2))
    assert len(offer(sitting, "bob")[1].pairs) == 12


def test_an_adaptive_plan_asks_until_every_query_is_sure(open_store: OpenStore) -> None:
    sitting = Sitting(start(open_store(), AdaptivePlan(target=0.8, price=PRICE)))
    number = 0
    while (offered := sitting.offer(f"assessor {number}")) is not None:
        assert len({pair.query_id for pair in sitting.tasks[offered.task_id].pairs}) <= 6
        do(sitting, offered)
        number += 1
    # Whoever is judged again is a, or may be: b against c is rare.
    asked: Counter[str] = Counter()
    for pair, outcome in resolve_pairs(sitting.store.read_judgments()).items():
        asked[pair.a[0] + pair.b[0]] += outcome.n
    assert asked["ab"] + asked["ac"] > 3 * asked["bc"]
    assert 6 * number < 12 * 30


def test_how_an_adaptive_plan_stands_is_said(effort: Effort) -> None:
    found = plan_tasks(effort, per_task=6, golds_per_task=0, plan=AdaptivePlan(target=0.8, price=PRICE))
    assert found.sentence == "12 pairs of 12 queries to deal, in 2 tasks with 0 golds."
    assert found.notes[:2] == ("Plan: votes until P(best) ≥ 0.8, 30 a query at most.", "12 of 12 queries still ask.")
    for number in range(30):
        judge_everything(effort, f"assessor {number}")
    done = plan_tasks(effort, per_task=6, golds_per_task=0)
    assert done.sentence == "Nothing to deal: every query is finished."
    assert done.notes[1] == "0 of 12 queries still ask (12 sure)."


def test_votes_decide_what_is_asked_next(open_store: OpenStore) -> None:
    """c0 loses twice: from then on a0 and b0 are compared."""
    sitting = Sitting(start(open_store(), AdaptivePlan(target=0.95, price=PRICE), per_task=12))
    for number in range(6):
        do(sitting, offer(sitting, f"assessor {number}")[0], loser="c0")
    asked = [
        pair for number in range(8) for pair in offer(sitting, f"later {number}")[1].pairs if pair.query_id == "q00"
    ]
    assert asked.count(Pair("q00", "a0", "b0")) > len(asked) / 2


def test_open_offers_are_pending_so_that_others_are_asked_other_pairs(open_store: OpenStore) -> None:
    sitting = Sitting(start(open_store(), AdaptivePlan(price=PRICE), per_task=12))
    asked = [pair for number in range(3) for pair in offer(sitting, f"assessor {number}")[1].pairs]
    assert len(asked) == 36
    assert len(set(asked)) >= 32  # of 36 pairs; by chance alone it would be 25


def test_another_process_goes_on_with_the_same_offers(open_store: OpenStore, tmp_path: Path) -> None:
    """λ is estimated along the way and stored with each task: a process that begins now knows it."""
    staying = Sitting(start(open_store(), AdaptivePlan(price=PRICE)))
    other = Effort.open_or_create(tmp_path / "other")
    start(other, AdaptivePlan(price=PRICE))
    dealt: list[list[Task]] = [[], []]
    for number in range(18):
        for tasks, sitting in zip(dealt, (staying, Sitting[RecordStore](other)), strict=True):
            offered, task = offer(sitting, f"assessor {number}")
            tasks.append(task)
            do(sitting, offered, loser=f"a{number % 12}")
    assert dealt[0] == dealt[1]
    penalties = [task.penalty for task in dealt[0]]
    assert penalties[0] == 1
    assert len(set(penalties)) <= 5  # tasks 1, 2, 4, 8 and 16


def test_a_stored_task_keeps_its_penalty_and_refuses_nonsense() -> None:
    record = Task(number=1, slots=(), seed=0, penalty=1.25).to_record()
    assert Task.from_record(record).penalty == 1.25
    for value in ("1", 0.0, -1.0, True):
        with pytest.raises(Exception, match="penalty"):
            Task.from_record({**record, "penalty": value})


def test_challenges_are_asked_beside_an_adaptive_plan(open_store: OpenStore) -> None:
    store = start(open_store(), AdaptivePlan(price=PRICE), per_task=3)
    queue_challenges(store, [Challenge(query_id="q05", challenger="new", best=("a5",), run="r")])
    pairs = offer(Sitting(store), "ann")[1].pairs
    assert Pair("q05", "a5", "new") in pairs
    assert [pair.query_id for pair in pairs].count("q05") == 1


def test_the_budget_is_never_overspent_and_its_end_is_said(effort: Effort) -> None:
    plan = AdaptivePlan(target=0.99, budget=Decimal("7.50"), price=PRICE)  # three tasks of 2.40
    first = plan_tasks(effort, per_task=6, golds_per_task=0, plan=plan)
    assert first.notes[1] == "12 of 12 queries still ask. $0.00 of $7.50 is spent or promised."
    sitting = Sitting(effort)
    offers = [sitting.offer(name) for name in ("ann", "bob", "cho", "dan")]
    assert offers[3] is None
    done = plan_tasks(effort, per_task=6, golds_per_task=0)
    assert done.sentence == "Nothing to deal: the money is spent; 18 pairs wait in open tasks."
    assert "$7.20 of $7.50 is spent or promised." in done.notes[1]


def test_work_given_back_frees_its_money_and_work_done_twice_is_paid_twice(effort: Effort) -> None:
    plan_tasks(effort, per_task=6, golds_per_task=1, plan=AdaptivePlan(budget=Decimal(5), price=PRICE))  # two tasks
    sitting = Sitting(effort)
    first, second = sitting.offer("ann"), sitting.offer("bob")
    assert first is not None
    assert second is not None
    assert sitting.offer("cho") is None
    sitting.move(first, AssignmentStage.RETURNED)
    again = sitting.offer("cho")
    assert again is not None
    assert again.task_id == first.task_id
    fail_golds(sitting, second)
    assert any(task.attempt == 2 for task in sitting.tasks.values())  # it is to be done again,
    assert sitting.offer("dan") is None  # and there is no money for that


@pytest.mark.parametrize("plan", [VotesPlan(), AdaptivePlan(target=0.6, price=PRICE)])
def test_work_that_is_no_longer_wanted_is_not_offered_again(
    open_store: OpenStore, plan: VotesPlan | AdaptivePlan
) -> None:
    """Ann gives her task back when others have answered all of it."""
    sitting = Sitting(start(open_store(), plan, per_task=12))
    held, task = offer(sitting, "ann")
    pairs = [pair for pool in POOLS for pair in pool.pairs()] * 3
    sitting.store.add_judgments(
        Judgment(judgment_id=str(number), query_id=pair.query_id, left=pair.a, right=pair.b, choice=Choice.LEFT)
        for number, pair in enumerate(pairs)
    )
    sitting.move(held, AssignmentStage.RETURNED)
    assert sitting.offer("bob") is None
    assert sitting.desk.free_task("bob") == task


def test_nobody_is_shown_the_same_two_texts_twice(tmp_path: Path) -> None:
    """An audit asks about the very item of its run, whose text another item has in the pool."""
    store = Effort.open_or_create(tmp_path / "twins")
    add_pools(store, [Pool(query_id="q", items=("a", "b"), label="a", same_text={"twin": "b"})])
    labels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"twin": 1.0}}, name="run")
    start_audit(store, plan_audit(labels, run))
    note_plan(store, AdaptivePlan(price=PRICE))
    store.note({NOTED: {"seed": 1, "per_task": 3, "golds_per_task": 0}})
    sitting = Sitting[RecordStore](store)
    do(sitting, offer(sitting, "ann")[0])
    assert sitting.offer("ann") is None
    assert len(offer(sitting, "bob")[1].pairs) == 1


def test_audits_are_asked_whatever_an_adaptive_plan_asks(effort: Effort) -> None:
    labels = Qrels.from_dict({f"q{i:02d}": {f"a{i}": 1} for i in range(12)})
    run = Run.from_dict({f"q{i:02d}": {f"b{i}": 1.0} for i in range(12)}, name="run")
    start_audit(effort, plan_audit(labels, run))
    plan_tasks(effort, per_task=12, golds_per_task=0, plan=AdaptivePlan(target=0.5, most_votes=1, price=PRICE))
    for number in range(5):
        judge_everything(effort, f"assessor {number}")
    asked = resolve_pairs(effort.read_judgments())
    assert all(Pair(f"q{i:02d}", f"a{i}", f"b{i}") in asked for i in range(12))


def test_asking_how_it_stands_changes_nothing(effort: Effort) -> None:
    plan = AdaptivePlan(target=0.8, budget=Decimal(50), price=PRICE)
    plan_tasks(effort, per_task=4, golds_per_task=1, seed=3, scope="assessor", block="first-miss", plan=plan)
    before = effort.manifest
    plan_tasks(effort)
    assert effort.manifest == before


def test_what_is_refused_leaves_nothing_behind(effort: Effort) -> None:
    golds = [Gold(f"g{i}", "good", "bad") for i in range(3)]
    before = effort.manifest
    with pytest.raises(InputError, match="Found 3 golds for a task"):
        plan_tasks(effort, golds=golds, golds_per_task=9, scope="assessor", block="first-miss", plan=VotesPlan(votes=2))
    assert (effort.manifest, effort.read("golds")) == (before, [])


def test_golds_of_pooled_queries_have_to_suffice_beside_each_of_them(effort: Effort) -> None:
    golds = [Gold(f"q{i:02d}", f"a{i}", "bad") for i in range(3)]
    with pytest.raises(InputError, match="Found 2 golds for a task"):
        plan_tasks(effort, golds=golds, golds_per_task=3)
    plan_tasks(effort, golds=golds, golds_per_task=2)


def test_a_plan_spoilt_by_hand_can_be_made_anew(effort: Effort) -> None:
    effort.note({"plan": {"kind": "adaptve"}})
    plan_tasks(effort, golds_per_task=0, plan=VotesPlan(votes=2))
    assert read_plan(effort) == VotesPlan(votes=2)


def test_another_price_is_refused_once_tasks_were_given_out(effort: Effort) -> None:
    plan = AdaptivePlan(budget=Decimal(30), price=PRICE)
    plan_tasks(effort, per_task=6, golds_per_task=0, plan=plan)
    cheaper = replace(plan, price=Price(reward=Decimal(1), own_fee=Decimal(0)))
    plan_tasks(effort, plan=cheaper)  # nobody has worked yet
    Sitting(effort).offer("ann")
    with pytest.raises(InputError, match=r"Found tasks at \$2.40 with a budget, where 1 task at \$1.00"):
        plan_tasks(effort, plan=plan)
    plan_tasks(effort, plan=replace(cheaper, budget=Decimal(60)))


def fail_golds(sitting: Sitting[Effort], offered: Assignment) -> None:
    begun = sitting.move(offered, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
    for number, slot in enumerate(sitting.tasks[offered.task_id].slots):
        sitting.answer(begun, number, Choice.RIGHT if slot.left == slot.good else Choice.LEFT)
    assert not sitting.submit(begun).is_passed


def test_a_judge_that_is_no_person_is_asked_one_round(effort: Effort) -> None:
    plan_tasks(effort, per_task=6, golds_per_task=0, plan=AdaptivePlan(price=PRICE))
    assert [len(task.pairs) for task in deal_all(effort)] == [6, 6]

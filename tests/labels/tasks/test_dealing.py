"""What is in a task that is dealt when someone asks for work? The same wherever records lie."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from types import FrameType

import pytest
from tests.labels.builders import note_plan

from toprung.data.judgments import Choice, Judgment, Pair
from toprung.errors import InputError
from toprung.labels.best.challenge_queue import queue_challenges
from toprung.labels.best.challenges import Challenge
from toprung.labels.effort.store import RecordStore
from toprung.labels.plans.plan import AdaptivePlan, Plan, VotesPlan
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.store import add_pools
from toprung.labels.tasks import dealing
from toprung.labels.tasks.asking import Chosen
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.dealing import NOTED
from toprung.labels.tasks.desk_records import GOLDS, TASKS, DeskRecords
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.sitting import Sitting
from toprung.labels.tasks.task import Task
from toprung.labels.votes.outcomes import resolve_pairs

type Desk = Sitting[RecordStore]
type OpenStore = Callable[[], RecordStore]

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def start(
    store: RecordStore, sizes: list[int], *, per_task: int = 3, golds: int = 1, seed: int = 1, **how: float
) -> None:
    """Pools of these sizes, of items whose better one has the lower id."""
    items = [tuple(f"d{i}" for i in range(size)) for size in sizes]
    add_pools(store, [Pool(query_id=f"q{n:05d}", items=each) for n, each in enumerate(items)])
    store.append(GOLDS, [Gold(f"g{n}", "good", "bad").to_record() for n in range(3 * golds)])
    store.note({NOTED: {"seed": seed, "per_task": per_task, "golds_per_task": golds, **how}})


def work(sitting: Desk, assessor: str, choice: Choice | None = None) -> Task | None:
    """Does the next task, by sense unless a choice is given."""
    offered = sitting.offer(assessor)
    if offered is None:
        return None
    task = sitting.tasks[offered.task_id]
    begun = sitting.move(offered, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE)
    for number, slot in enumerate(task.slots):
        by_sense = Choice.LEFT if slot.left in (slot.good, min(slot.left, slot.right)) else Choice.RIGHT
        if slot.is_gold:
            by_sense = Choice.LEFT if slot.left == slot.good else Choice.RIGHT
        sitting.answer(begun, number, by_sense if choice is None or slot.is_gold else choice)
    assert sitting.submit(begun).is_passed
    return task


def work_until_done(sitting: Desk, assessor: str) -> Iterator[Task]:
    while (task := work(sitting, assessor)) is not None:
        yield task


def test_a_task_is_dealt_and_kept_when_it_is_offered(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2] * 7)
    sitting = Sitting(store)
    assert store.read(TASKS) == []
    offered = sitting.offer("ann")
    assert offered is not None
    [record] = store.read(TASKS)
    task = Task.from_record(record)
    assert (task.task_id, len(task.pairs), len(task.golds)) == (offered.task_id, 3, 1)
    assert Sitting(open_store()).offer("ann") == offered
    assert len(store.read(TASKS)) == 1


def test_every_pair_is_dealt_once_and_the_last_task_is_filled_with_repeats(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2] * 7)
    dealt = list(work_until_done(Sitting(store), "ann"))
    assert [len(task.slots) for task in dealt] == [4, 4, 2]  # nobody sees a pair twice: ann's last is short
    assert Counter(pair for task in dealt for pair in task.pairs) == dict.fromkeys(
        (Pair(f"q{n:05d}", "d0", "d1") for n in range(7)), 1
    )
    other = open_store()
    add_pools(other, [Pool(query_id=f"r{n}", items=("d0", "d1")) for n in range(2)])
    last = work(Sitting(other), "bob")
    assert last is not None
    assert sum(slot.is_repeat for slot in last.slots) == 1
    assert len({slot.query_id for slot in last.slots}) == len(last.slots) == 4


@pytest.mark.parametrize("sizes", [[5, *[2] * 20], [4, 4, 3, 2], [3], [6, 2, 2], [2] * 31, [4] * 9])
def test_as_few_tasks_as_can_be_with_no_query_twice_in_one(open_store: OpenStore, sizes: list[int]) -> None:
    store = open_store()
    start(store, sizes)
    dealt = list(work_until_done(Sitting(store), "ann"))
    n_pairs = [size * (size - 1) // 2 for size in sizes]
    assert len(dealt) == max(-(-sum(n_pairs) // 3), *n_pairs)
    assert sum(len(task.pairs) for task in dealt) == sum(n_pairs)
    for task in dealt:
        queries = [slot.query_id for slot in task.slots]
        assert len(set(queries)) == len(queries)


def test_the_same_records_give_the_same_offers(open_store: OpenStore) -> None:
    """A desk that saw it all happen, and one that reads it afterwards."""
    store = open_store()
    start(store, [4, 3, 3, 2, 2, 2, 2])
    sitting = Sitting(store)
    for number in range(7):
        choice = Choice.TIE if number % 3 == 1 else None
        assert dealt_next(Sitting(open_store()), "dan") == dealt_next(sitting, "dan")
        if work(sitting, ("ann", "bob", "cid")[number % 3], choice) is None:
            break
    assert len(store.read(TASKS)) > 5


def dealt_next(sitting: Desk, assessor: str) -> Task | None:
    with sitting.alone():
        dealer = sitting._dealer_of.find(sitting.store.manifest)
        assert dealer is not None
        return dealer.deal(sitting.desk, assessor)


def test_another_seed_deals_otherwise(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2] * 12)
    first = dealt_next(Sitting(store), "ann")
    store.note({NOTED: {**store.manifest[NOTED], "seed": 2}})
    second = dealt_next(Sitting(store), "ann")
    assert first is not None
    assert second is not None
    assert set(first.pairs) != set(second.pairs)


def test_no_one_is_asked_a_pair_twice_and_even_splits_go_to_others(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [3] * 4)
    sitting = Sitting(store)
    for assessor, choice in (("ann", Choice.TIE), ("bob", Choice.TIE), ("cid", None)):
        while work(sitting, assessor, choice) is not None:
            pass
    asked = Counter((each.assessor, each.pair) for each in store.read_judgments().rows if not each.is_gold)
    assert set(asked.values()) == {1}
    assert len(asked) == 3 * 12
    assert all(each.is_decided for each in resolve_pairs(store.read_judgments()).values())
    assert sitting.offer("dan") is None


def test_what_is_not_handed_in_in_time_goes_to_someone_else(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2] * 3, release_after=2.0)
    sitting = Sitting(store)
    first = sitting.offer("ann", at=NOON)
    assert first is not None
    assert sitting.offer("bob", at=NOON + timedelta(hours=1)) is None
    assert sitting.offer("ann", at=NOON + timedelta(hours=1)) == first
    second = sitting.offer("bob", at=NOON + timedelta(hours=2.1))
    assert second is not None
    assert second.task_id == first.task_id
    assert stages(sitting) == [AssignmentStage.TIMED_OUT, AssignmentStage.OFFERED]
    assert sitting.offer("ann", at=NOON + timedelta(hours=2.2)) is None  # she has seen these


def stages(sitting: Desk) -> list[AssignmentStage]:
    return [each.stage for each in sitting.assignments]


def test_pairs_that_come_later_are_dealt_too(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2])
    sitting = Sitting(store)
    assert work(sitting, "ann") is not None
    assert sitting.offer("ann") is None
    add_pools(open_store(), [Pool(query_id="new", items=("d0", "d1"))])
    later = sitting.offer("ann")
    assert later is not None
    assert {pair.query_id for pair in sitting.tasks[later.task_id].pairs} == {"new"}


def test_votes_from_elsewhere_count_at_the_next_offer(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2, 2], golds=0, per_task=1)
    sitting = Sitting(store)
    assert work(sitting, "ann") is not None
    waiting = {"q00000", "q00001"} - {each.query_id for each in store.read_judgments().rows}
    vote = Judgment(judgment_id="x", query_id=waiting.pop(), left="d0", right="d1", choice=Choice.LEFT, assessor="file")
    open_store().add_judgments([vote])
    assert sitting.offer("bob") is None


def test_votes_on_the_same_text_count(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [], golds=0)
    add_pools(store, [Pool(query_id="q", items=("a", "b"), same_text={"c": "a"}, sources={"c": ("run",)})])
    sitting = Sitting(store)
    assert dealt_next(sitting, "ann") is not None
    store.add_judgments([Judgment(judgment_id="x", query_id="q", left="b", right="c", choice=Choice.LEFT)])
    assert dealt_next(sitting, "ann") is None


def test_a_challenge_is_asked_until_it_is_decided(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [], golds=0)
    queue_challenges(store, [Challenge(query_id="q", challenger="new", best=("old",), run="r")])
    sitting = Sitting(store)
    asked = [assessor for assessor in ("ann", "bob", "cid", "dan") if work(sitting, assessor) is not None]
    assert asked == ["ann", "bob"]  # two of three judgments are for the same


def test_pairs_that_cannot_be_shown_are_not_dealt(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2] * 4)
    offered = Sitting(store).offer("ann", can_show=lambda pair: pair.query_id[0] == "g" or pair.query_id == "q00002")
    assert offered is not None
    assert Sitting(store).tasks[offered.task_id].pairs == (Pair("q00002", "d0", "d1"),)


@pytest.mark.parametrize("plan", [VotesPlan(votes=1), AdaptivePlan()])
def test_looking_ahead_asks_what_the_offer_asks_and_writes_nothing(open_store: OpenStore, plan: Plan) -> None:
    store = open_store()
    note_plan(store, plan)
    start(store, [3] * 8, per_task=4)
    sitting, ahead, at_offer = Sitting(store), list[Pair](), list[Pair]()
    sitting.look_ahead("ann", lambda pair: not ahead.append(pair))
    assert (store.read(TASKS), sitting.assignments) == ([], [])
    offered = sitting.offer("ann", can_show=lambda pair: not at_offer.append(pair))
    assert offered is not None
    assert ahead == at_offer
    assert set(sitting.tasks[offered.task_id].pairs) <= set(ahead)


def test_golds_that_cannot_be_shown_are_not_dealt_nor_tasks_that_hold_them(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2] * 6)
    sitting = Sitting(store)
    first = sitting.offer("ann")
    assert first is not None
    [gold] = sitting.tasks[first.task_id].golds
    sitting.move(first, AssignmentStage.RETURNED)
    other = sitting.offer("bob", can_show=lambda pair: pair != gold)
    assert other is not None
    assert other.task_id != first.task_id
    assert gold not in sitting.tasks[other.task_id].golds


def test_where_golds_are_of_the_queries_asked_about_there_are_tasks_until_all_is_done(open_store: OpenStore) -> None:
    """Four golds, all of queries that have pairs, three in a task: in the end tasks are of one pair."""
    store = open_store()
    start(store, [2] * 9, golds=0)
    store.append(GOLDS, [Gold(f"q{n:05d}", "d0", "d1" if n else "dX").to_record() for n in range(4)])
    store.note({NOTED: {"seed": 1, "per_task": 3, "golds_per_task": 3}})
    sitting = Sitting(store)
    sizes = []
    while (task := work(sitting, f"assessor {len(sizes)}")) is not None:
        assert {pair.query_id for pair in task.pairs}.isdisjoint(pair.query_id for pair in task.golds)
        sizes.append(len(task.pairs))
    assert sum(sizes) == 9
    assert sizes[-1] == 1


def test_golds_are_used_alike_and_none_twice_for_one_person(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2] * 18, golds=2)
    sitting = Sitting(store)
    mine = [work(sitting, "ann") for _ in range(3)]
    assert Counter(pair for task in mine if task for pair in task.golds) == dict.fromkeys(
        (Pair(f"g{n}", "bad", "good") for n in range(6)), 1
    )
    for _ in range(3):
        work(sitting, "bob")
    used = Counter(pair for task in sitting.tasks.values() for pair in task.golds)
    assert set(used.values()) == {2}


def test_too_few_golds_are_said_and_nothing_is_kept(open_store: OpenStore) -> None:
    store = open_store()
    start(store, [2] * 4)
    store.note({NOTED: {**store.manifest[NOTED], "golds_per_task": 4}})
    with pytest.raises(InputError, match="Found 3 golds for a task"):
        Sitting(store).offer("ann")
    assert store.read(TASKS) == []


@pytest.mark.parametrize("plan", [VotesPlan(), AdaptivePlan()])
def test_an_offer_takes_no_more_steps_the_more_pairs_there_are(open_store: OpenStore, plan: Plan) -> None:
    small, large = (steps_of_an_offer(open_store(), n_pairs, plan) for n_pairs in (100, 1000))
    assert large < 1.5 * small


def steps_of_an_offer(store: RecordStore, n_pairs: int, plan: Plan) -> float:
    """Calls of functions in the mean of four offers, once the first was made."""
    note_plan(store, plan)
    start(store, [2] * n_pairs, per_task=10, seed=n_pairs)
    sitting = Sitting(store)
    work(sitting, f"first of {n_pairs}")
    n_calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal n_calls
        n_calls += event == "call"

    offered: list[Assignment | None] = []
    sys.setprofile(count)
    try:
        offered += [sitting.offer(f"{n} of {n_pairs}") for n in range(4)]
    finally:
        sys.setprofile(None)
    assert None not in offered
    return n_calls / 4


class LeastVotes:
    """A plan of another kind: the pair with fewest votes and offers, one at a time, whatever is decided."""

    def __init__(self, pairs: list[Pair]) -> None:
        self._pairs = pairs

    def waiting(self, _desk: DeskRecords) -> dict[Pair, int]:
        return dict.fromkeys(self._pairs, 1)

    def wants(self, _desk: DeskRecords, _task: Task) -> bool:
        return True

    def choose(self, desk: DeskRecords, n: int, fits: Callable[[Pair], bool]) -> Chosen:
        def n_asked(pair: Pair) -> int:
            votes = desk.outcomes_of(pair.query_id).get(pair)
            return desk.pending_of(pair.query_id).get(pair, 0) + (0 if votes is None else votes.n)

        return Chosen(own=tuple(sorted(filter(fits, self._pairs), key=lambda pair: (n_asked(pair), pair))[: min(n, 1)]))


def test_another_plan_says_what_is_asked(open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store()
    start(store, [3], golds=0)
    pairs = [Pair("q00000", "d0", "d1"), Pair("q00000", "d0", "d2")]
    monkeypatch.setattr(dealing, "make_plan", lambda *_: LeastVotes(pairs))
    sitting = Sitting(store)
    offers = [sitting.offer(name) for name in ("ann", "bob", "cid")]
    asked = [sitting.tasks[each.task_id].pairs[0] for each in offers if each is not None]
    assert asked == [pairs[0], pairs[1], pairs[0]]  # an open offer is pending: bob is given the other pair

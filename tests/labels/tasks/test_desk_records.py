"""How does a desk stand, and which task is free for whom?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from tests.labels.tasks.test_assignments import GOLDS, NOON, TASKS, WAYS

from toprung.data.judgments import Choice, Judgment, Pair
from toprung.errors import InputError
from toprung.labels.tasks.assignments import RELEASED, Assignment, AssignmentStage
from toprung.labels.tasks.blocking import BlockRule
from toprung.labels.tasks.desk_records import DeskRecords
from toprung.labels.tasks.quality import to_void
from toprung.labels.tasks.task import Task, reissue


def desk_of(tasks: Iterable[Task], events: Iterable[Assignment] = ()) -> DeskRecords:
    desk = DeskRecords()
    for fact in (*tasks, *events):
        desk.add(fact)
    return desk


def events_of(task: Task, assessor: str, stage: AssignmentStage) -> list[Assignment]:
    found = [Assignment.offer(task, assessor, at=NOON)]
    for step in WAYS[stage]:
        found.append(found[-1].move(step, at=NOON))
    return found


def judged(pair: Pair, assessor: str, number: int = 0) -> Judgment:
    return Judgment(
        judgment_id=f"{assessor}{pair}{number}",
        query_id=pair.query_id,
        left=pair.a,
        right=pair.b,
        choice=Choice.LEFT,
        assessor=assessor,
    )


@pytest.mark.parametrize("stage", list(AssignmentStage))
def test_a_task_is_free_for_others_only_once_it_was_released(stage: AssignmentStage) -> None:
    desk = desk_of(TASKS, events_of(TASKS[0], "ann", stage))
    assert desk.free_task("bob") == (TASKS[0] if stage in RELEASED else TASKS[1])


def test_nobody_gets_a_task_back() -> None:
    desk = desk_of(TASKS, events_of(TASKS[0], "ann", AssignmentStage.RETURNED))
    assert desk.free_task("ann") == TASKS[1]


def test_golds_of_work_that_was_handed_in_are_counted_once() -> None:
    *before, excluded = events_of(TASKS[0], "ann", AssignmentStage.EXCLUDED)
    accepted = events_of(TASKS[1], "ann", AssignmentStage.ACCEPTED)
    events = [*before, replace(excluded, n_missed=1), *accepted, accepted[-1].move(AssignmentStage.EXCLUDED, at=NOON)]
    stored = [Assignment.from_record(each.to_record()) for each in events]
    desk = desk_of(TASKS, stored)
    n_golds = len(TASKS[0].golds) + len(TASKS[1].golds)
    assert (desk.golds_of("ann"), desk.golds_of("bob")) == ((n_golds, 1), (0, 0))
    assert desk.blocked(BlockRule.FIRST_MISS) == ["ann"]
    assert desk.blocked(BlockRule.TEST) == []


def test_more_misses_than_golds_are_refused() -> None:
    *before, excluded = events_of(TASKS[0], "ann", AssignmentStage.EXCLUDED)
    n_golds = len(TASKS[0].golds)
    assert desk_of(TASKS, [*before, replace(excluded, n_missed=n_golds)]).golds_of("ann") == (n_golds, n_golds)
    with pytest.raises(InputError, match=f"{n_golds + 1} missed golds in task t00001, which has {n_golds}"):
        desk_of(TASKS, [*before, replace(excluded, n_missed=n_golds + 1)])


def test_no_assessor_sees_a_pair_twice() -> None:
    desk = desk_of(TASKS)
    desk.add(judged(TASKS[0].pairs[1], "ann"))
    assert desk.free_task("ann") == TASKS[1]
    for task in TASKS:
        desk.add(judged(task.pairs[0], "ann"))
    assert desk.free_task("ann") is None


def test_tasks_with_golds_that_were_not_seen_come_first() -> None:
    desk = desk_of(TASKS)
    desk.add(judged(TASKS[0].golds[0], "ann"))
    assert desk.free_task("ann") == TASKS[1]
    for task in TASKS:
        desk.add(judged(task.golds[0], "ann"))
    assert desk.free_task("ann") == TASKS[0]


def test_only_the_newest_attempt_is_free() -> None:
    again = reissue(TASKS[0], GOLDS)
    returned = events_of(TASKS[0], "ann", AssignmentStage.RETURNED)
    assert desk_of([*TASKS, again], returned).free_task("bob") == TASKS[1]
    assert desk_of([TASKS[0], again]).free_task("bob") == again


def test_a_judgment_that_was_written_twice_is_one() -> None:
    desk = desk_of(TASKS)
    for _ in range(2):
        desk.add(judged(TASKS[0].pairs[0], "ann"))
    assert len(desk.answers((None, "ann"))) == 1


def pending_on(desk: DeskRecords) -> dict[Pair, int]:
    return {pair: n for task in TASKS for q in task.pairs for pair, n in desk.pending_of(q.query_id).items()}


def test_pairs_are_pending_until_their_task_is_accepted() -> None:
    desk = desk_of(TASKS[:2])
    for event in events_of(TASKS[0], "ann", AssignmentStage.ACCEPTED):
        assert pending_on(desk) == dict.fromkeys((*TASKS[0].pairs, *TASKS[1].pairs), 1)
        desk.add(event)
    assert pending_on(desk) == dict.fromkeys(TASKS[1].pairs, 1)
    desk.add(reissue(TASKS[1], GOLDS))
    assert pending_on(desk) == dict.fromkeys(TASKS[1].pairs, 1)


def test_answers_count_once_their_work_is_handed_in() -> None:
    """In whichever order the records are read."""
    task, pair = TASKS[0], TASKS[0].pairs[0]
    slot = next(number for number, slot in enumerate(task.slots) if slot.pair == pair)
    vote = replace(judged(pair, "ann"), task_id=task.task_id, slot=slot)
    events = events_of(task, "ann", AssignmentStage.ACCEPTED)
    desk = desk_of(TASKS, events[:-2])
    desk.add(vote)
    assert desk.outcomes_of(pair.query_id) == {}
    for event in events[-2:]:
        desk.add(event)
    late = desk_of(TASKS, events)
    late.add(vote)
    for each in (desk, late):
        assert each.outcomes_of(pair.query_id)[pair].wins_a == 1
        each.add(to_void(vote))
        assert each.outcomes_of(pair.query_id) == {}

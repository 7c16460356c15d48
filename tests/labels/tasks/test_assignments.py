"""Who works on which task?"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

import pytest

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.tasks.assignments import NEXT, Assignment, AssignmentBook, AssignmentStage
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.task import Task, make_tasks

GOLDS = [Gold(f"g{i}", "good", "bad") for i in range(6)]
TASKS = make_tasks([Pair(f"q{i:02d}", "a", "b") for i in range(6)], GOLDS, per_task=2, golds_per_task=1)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

WAYS = {
    AssignmentStage.OFFERED: (),
    AssignmentStage.CONSENTED: (AssignmentStage.CONSENTED,),
    AssignmentStage.ACTIVE: (AssignmentStage.CONSENTED, AssignmentStage.ACTIVE),
    AssignmentStage.SUBMITTED: (AssignmentStage.CONSENTED, AssignmentStage.ACTIVE, AssignmentStage.SUBMITTED),
    AssignmentStage.ACCEPTED: (
        AssignmentStage.CONSENTED,
        AssignmentStage.ACTIVE,
        AssignmentStage.SUBMITTED,
        AssignmentStage.ACCEPTED,
    ),
    AssignmentStage.EXCLUDED: (
        AssignmentStage.CONSENTED,
        AssignmentStage.ACTIVE,
        AssignmentStage.SUBMITTED,
        AssignmentStage.EXCLUDED,
    ),
    AssignmentStage.RETURNED: (AssignmentStage.RETURNED,),
    AssignmentStage.TIMED_OUT: (AssignmentStage.TIMED_OUT,),
    AssignmentStage.EXITED: (AssignmentStage.CONSENTED, AssignmentStage.EXITED),
}


def assigned(task: Task, assessor: str, stage: AssignmentStage) -> Assignment:
    found = Assignment.offer(task, assessor, at=NOON)
    for step in WAYS[stage]:
        found = found.move(step, at=NOON)
    return found


@pytest.mark.parametrize(("before", "after"), list(product(AssignmentStage, AssignmentStage)))
def test_only_the_steps_that_are_drawn_are_taken(before: AssignmentStage, after: AssignmentStage) -> None:
    released = {"returned", "timed_out"}
    legal = {
        "offered": {"consented"} | released,
        "consented": {"active", "exited_prorated"} | released,
        "active": {"submitted", "exited_prorated"} | released,
        "submitted": {"accepted", "excluded_but_paid"},
        "accepted": {"excluded_but_paid"},
        "excluded_but_paid": {"accepted"},
    }
    assignment = assigned(TASKS[0], "ann", before)
    if after in legal.get(before, set()):
        assert assignment.move(after).stage is after
    else:
        with pytest.raises(InputError, match=f"found {after} after {before}"):
            assignment.move(after)


def test_every_stage_can_be_reached() -> None:
    assert set(WAYS) == set(AssignmentStage) == set(NEXT)


def test_the_last_event_of_each_counts() -> None:
    one, other = Assignment.offer(TASKS[0], "ann", at=NOON), Assignment.offer(TASKS[1], "bob", at=NOON)
    events = [one, other, one.move(AssignmentStage.CONSENTED), other.move(AssignmentStage.RETURNED)]
    found = list(AssignmentBook(events).current.values())
    assert [(each.assessor, each.stage) for each in found] == [
        ("ann", AssignmentStage.CONSENTED),
        ("bob", AssignmentStage.RETURNED),
    ]


def test_the_same_event_twice_is_one() -> None:
    one = Assignment.offer(TASKS[0], "ann", at=NOON)
    events = [one, one, one.move(AssignmentStage.RETURNED), one.move(AssignmentStage.RETURNED)]
    book = AssignmentBook(events)
    found, n_impossible = list(book.current.values()), book.n_impossible
    assert ([each.stage for each in found], n_impossible) == ([AssignmentStage.RETURNED], 0)


@pytest.mark.parametrize(
    ("stages", "last", "n_impossible"),
    [
        ([AssignmentStage.ACTIVE], [], 1),
        ([AssignmentStage.OFFERED, AssignmentStage.ACCEPTED], [AssignmentStage.OFFERED], 1),
        (
            [AssignmentStage.OFFERED, AssignmentStage.TIMED_OUT, AssignmentStage.SUBMITTED, AssignmentStage.ACCEPTED],
            [AssignmentStage.TIMED_OUT],
            2,
        ),
        (
            [
                AssignmentStage.OFFERED,
                *WAYS[AssignmentStage.ACCEPTED],
                AssignmentStage.SUBMITTED,
                AssignmentStage.ACCEPTED,
            ],
            [AssignmentStage.ACCEPTED],
            1,
        ),
    ],
)
def test_what_cannot_have_happened_is_passed_over_and_counted(
    stages: list[AssignmentStage], last: list[AssignmentStage], n_impossible: int
) -> None:
    offered = Assignment.offer(TASKS[0], "ann")
    book = AssignmentBook(replace(offered, stage=stage) for stage in stages)
    assert ([each.stage for each in book.current.values()], book.n_impossible) == (last, n_impossible)


@pytest.mark.parametrize(
    "wrong", [{"at": None}, {"at": "2026-01-01T12:00:00"}, {"at": "noon"}, {"stage": "lost"}, {"assessor": 5}]
)
def test_a_record_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    record = Assignment.offer(TASKS[0], "ann").to_record()
    assert Assignment.from_record(record).to_record() == record
    with pytest.raises(InputError, match="which is no event of an assignment"):
        Assignment.from_record({**record, **wrong})


def test_nameless_assessors_get_nothing() -> None:
    with pytest.raises(InputError, match="without a name"):
        Assignment.offer(TASKS[0], "")

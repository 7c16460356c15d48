"""What does a desk decide? Whom to offer what, what an answer replaces, what follows from work that is handed in.

Each decision reads how the desk stands and gives, step by step, the records to add. It writes nothing: whoever asks for
it keeps each step before asking for the next, wherever records lie. Same records, same decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from toprung.data.judgments import AssessorKind, Choice, Judgment
from toprung.errors import InputError
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.blocking import BlockRule
from toprung.labels.tasks.desk_records import DeskRecords, Fact, Work
from toprung.labels.tasks.quality import Review, VoidRule, VoidScope, review, to_void
from toprung.labels.tasks.task import Slot, Task, reissue

MOST_SKIPS = 2
"""A skipped pair is offered once more at the end of its task; skipped again it stays open."""

type Deal = Callable[[], Task | None]
"""A task for whoever asks, made of what is wanted now; None if there is nothing for them."""
type Steps[T] = Generator[Sequence[Fact], None, T]
"""Records to add, those of a step all of one kind and kept together; at the end what was asked for."""


class NotActiveError(InputError):
    """The work was handed in or released meanwhile, here or in another process: it takes no more answers."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """An answer as it comes from an assessor. Its id is made where it was given: sent twice it is kept once."""

    answer_id: str
    slot: int
    choice: Choice
    ms: int | None = None
    kind: AssessorKind = AssessorKind.HUMAN


def offer(
    desk: DeskRecords,
    assessor: str,
    *,
    deal: Deal | None,
    at: datetime | None,
    most_paid: int | None = None,
    block: BlockRule = BlockRule.TEST,
    is_wanted: Callable[[Task], bool] = lambda _: True,
) -> Steps[Assignment | None]:
    """The open assignment of an assessor, or a new one; None if there is no work for this assessor, or no money.

    Work that was released or is to be done again goes first, where it is still wanted; then a task is dealt.
    """
    for each in desk.assignments_of(assessor):
        if each.is_open:
            return each
    if desk.is_blocked(assessor, block) or (most_paid is not None and desk.n_paid >= most_paid):
        return None
    task = desk.free_task(assessor, is_wanted)
    if task is None:
        task = None if deal is None else deal()
        if task is None:
            return None
        yield [task]
    offered = Assignment.offer(task, assessor, at=at)
    yield [offered]
    return offered


def move(
    desk: DeskRecords, assignment: Assignment, *stages: AssignmentStage, rule: VoidRule, at: datetime | None = None
) -> Steps[Assignment]:
    """Take an assignment one or more steps on, and do what follows from it."""
    for stage in stages:
        yield [desk.current(assignment).move(stage, at=at)]
    yield from settle(desk, [assignment], rule=rule)
    return desk.current(assignment)


def answer(desk: DeskRecords, assignment: Assignment, given: Given) -> Steps[Judgment]:
    """Keep one answer. An answer to a slot that has one supersedes it."""
    known = desk.judgments.get(given.answer_id)
    if known is not None:
        return _same_again(known, assignment, given)
    _check_active(desk, assignment)
    shown = _shown_in(desk, assignment, given.slot)
    before = [each for each in answers_to(desk, assignment) if each.slot == given.slot and _gives_way(each)]
    judgment = Judgment(
        judgment_id=given.answer_id,
        query_id=shown.query_id,
        left=shown.left,
        right=shown.right,
        choice=given.choice,
        assessor=assignment.assessor,
        kind=given.kind,
        task_id=assignment.task_id,
        slot=given.slot,
        is_gold=shown.is_gold,
        ms=given.ms,
        supersedes=_replaced_by(given, before),
    )
    yield [judgment]
    return judgment


def _replaced_by(given: Given, before: Sequence[Judgment]) -> str | None:
    """The answer or the undo that gives way; a skip after an undo is a plain one, and counted."""
    if not before or (given.choice is Choice.SKIP and before[-1].choice is Choice.SKIP):
        return None
    return before[-1].judgment_id


def _same_again(known: Judgment, assignment: Assignment, given: Given) -> Judgment:
    """An answer that is sent again is the one that was kept, even when its work was handed in since."""
    before = (known.task_id, known.assessor, known.slot, known.choice)
    if before != (assignment.task_id, assignment.assessor, given.slot, given.choice):
        raise InputError(
            f"Answer {given.answer_id}: found '{given.choice}' to slot {given.slot}; expected what was kept under this "
            f"id, '{known.choice}' to slot {known.slot}, or an id of its own."
        )
    return known


def _shown_in(desk: DeskRecords, assignment: Assignment, slot: int) -> Slot:
    slots = desk.tasks[assignment.task_id].slots
    if not 0 <= slot < len(slots):
        raise InputError(f"Task {assignment.task_id}: found slot {slot}; expected one from 0 to {len(slots) - 1}.")
    return slots[slot]


def _gives_way(judgment: Judgment) -> bool:
    """An earlier answer or an undo is superseded by the next answer; a plain skip stays, for skips are counted."""
    return judgment.choice is not Choice.SKIP or judgment.supersedes is not None


def undo(desk: DeskRecords, assignment: Assignment) -> Steps[int | None]:
    """Take the last answer of an assignment back; its slot, which is open again, or None if there is none."""
    _check_active(desk, assignment)
    answered = [each for each in answers_to(desk, assignment) if each.choice is not Choice.SKIP]
    if not answered:
        return None
    yield [to_void(answered[-1])]
    return answered[-1].slot


def submit(desk: DeskRecords, assignment: Assignment, *, rule: VoidRule, at: datetime | None = None) -> Steps[Review]:
    """Hand the work in. As many failed golds as the rule asks for exclude it and give the pairs to someone else."""
    _check_active(desk, assignment)
    if left := open_slots(desk, assignment):
        said = f"found {len(left)} of {len(desk.tasks[assignment.task_id].slots)} without an answer"
        raise InputError(f"Task {assignment.task_id}: {said}; expected none.")
    found = _review(desk, assignment, rule)
    yield from move(desk, assignment, AssignmentStage.SUBMITTED, rule=rule, at=at)
    return found


def release_stale(desk: DeskRecords, before: datetime, *, rule: VoidRule) -> Steps[list[Assignment]]:
    """Time out the open assignments that were begun before then."""
    stale = [each for each in desk.open_assignments() if each.since < before]
    for each in stale:
        yield from move(desk, each, AssignmentStage.TIMED_OUT, rule=rule)
    return [desk.current(each) for each in stale]


def settle(desk: DeskRecords, assignments: Iterable[Assignment], *, rule: VoidRule) -> Steps[None]:
    """Bring assignments to where their events lead; doing it twice changes nothing."""
    for each in assignments:
        now = desk.current(each)
        if now.stage is AssignmentStage.SUBMITTED:
            found = _review(desk, now, rule)
            to = AssignmentStage.ACCEPTED if found.is_passed else AssignmentStage.EXCLUDED
            now = replace(now.move(to, at=now.since), n_missed=len(found.failed))
            yield [now]
        if now.stage is AssignmentStage.EXCLUDED and rule.scope is VoidScope.ASSESSOR:
            yield from _exclude_all_of(desk, now.assessor)
        elif now.stage is AssignmentStage.EXCLUDED:
            yield from _void(desk, (now.task_id, now.assessor))
            yield from _reissue(desk, now.task_id)
        elif now.is_released:  # its golds were not all seen, so that nothing vouches for its answers
            yield from _void(desk, (now.task_id, now.assessor))


def _exclude_all_of(desk: DeskRecords, assessor: str) -> Steps[None]:
    """Void whatever an assessor answered, in tasks or without."""
    for each in desk.assignments_of(assessor):
        if each.stage is AssignmentStage.ACCEPTED:
            yield [each.move(AssignmentStage.EXCLUDED)]
    for work in desk.works_of(assessor):
        yield from _void(desk, work)
    for each in desk.assignments_of(assessor):
        if each.stage is AssignmentStage.EXCLUDED:
            yield from _reissue(desk, each.task_id)


def _void(desk: DeskRecords, work: Work) -> Steps[None]:
    voided = [to_void(each) for each in desk.answers(work) if each.choice is not Choice.SKIP]
    if voided:
        yield voided


def _reissue(desk: DeskRecords, task_id: str) -> Steps[None]:
    """A new attempt at a task, if there is none yet, with golds that no attempt before it had."""
    if not desk.is_replaced(task_id):
        task = desk.tasks[task_id]
        yield [reissue(task, desk.golds, avoid=desk.golds_of_attempts(task))]


def answers_to(desk: DeskRecords, assignment: Assignment) -> list[Judgment]:
    """The answers in force, skips among them, in the order they were given."""
    return desk.answers((assignment.task_id, assignment.assessor))


def open_slots(desk: DeskRecords, assignment: Assignment) -> list[int]:
    """What is still to be answered, in the order of the task; what was skipped comes once more at the end."""
    answers = answers_to(desk, assignment)
    answered = {each.slot for each in answers if each.choice is not Choice.SKIP}
    skips = Counter(each.slot for each in answers if each.choice is Choice.SKIP and each.supersedes is None)
    slots = range(len(desk.tasks[assignment.task_id].slots))
    is_open = [slot for slot in slots if slot not in answered and skips[slot] < MOST_SKIPS]
    return sorted(is_open, key=lambda slot: (skips[slot], slot))


def _check_active(desk: DeskRecords, assignment: Assignment) -> None:
    stage = desk.current(assignment).stage
    if stage is not AssignmentStage.ACTIVE:
        raise NotActiveError(f"Task {assignment.task_id}: found it {stage}; expected it to be active.")


def _review(desk: DeskRecords, assignment: Assignment, rule: VoidRule) -> Review:
    return review(desk.tasks[assignment.task_id], answers_to(desk, assignment), misses=rule.misses)

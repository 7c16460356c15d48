"""Can this work be used, and what is it paid? One failed gold voids it; payment is another matter.

Voided answers are taken back by rows that supersede them, so that whoever reads the judgments sees only those in force.
Nobody is refused payment for a failed gold: work is excluded, but paid.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from uuid import NAMESPACE_OID, uuid5

from toprung.data.judgments import Choice, Judgment
from toprung.errors import InputError
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.task import Task


class VoidScope(StrEnum):
    """What a failed gold voids: the task's answers, or everything its assessor ever answered."""

    TASK = "task"
    ASSESSOR = "assessor"


def read_scope(value: object) -> VoidScope:
    """The scope of that name."""
    if value not in list(VoidScope):
        raise InputError(f"Found {value!r} as what a failed gold voids; expected one of {', '.join(VoidScope)}.")
    return VoidScope(str(value))


@dataclass(frozen=True, kw_only=True)
class Review:
    """What the golds say of one assignment: ``failed`` are the slots whose known answer was missed."""

    n_answered: int
    n_golds: int
    failed: tuple[int, ...]

    @property
    def is_passed(self) -> bool:
        return not self.failed


def review(task: Task, judgments: Iterable[Judgment]) -> Review:
    """Check an assessor's answers to a task against its golds.

    A gold is passed by choosing its good answer. A tie is a miss, and so is a gold that was skipped to the end: nobody
    gets round the golds by not answering them.
    """
    answers = {each.slot: each for each in judgments if each.choice is not Choice.SKIP}
    golds = [number for number, slot in enumerate(task.slots) if slot.is_gold]
    failed = [number for number in golds if number not in answers or answers[number].winner != task.slots[number].good]
    return Review(n_answered=len(answers), n_golds=len(golds), failed=tuple(failed))


def tasks_failed_by(judgments: Iterable[Judgment], tasks: Iterable[Task]) -> set[str]:
    """The tasks with a gold that these judgments of one assessor miss, whichever task they were asked in."""
    winners = {each.pair: each.winner for each in judgments if each.is_gold and each.choice is not Choice.SKIP}
    return {
        task.task_id
        for task in tasks
        for slot in task.slots
        if slot.is_gold and winners.get(slot.pair, slot.good) != slot.good
    }


def to_void(judgment: Judgment) -> Judgment:
    """The row that takes a judgment back; its id follows from the other's, so that it is never written twice."""
    return replace(
        judgment,
        judgment_id=uuid5(NAMESPACE_OID, f"void {judgment.judgment_id}").hex,
        choice=Choice.SKIP,
        ms=None,
        supersedes=judgment.judgment_id,
    )


def pay_for(stage: AssignmentStage, *, reward: Decimal | str, n_answered: int, n_slots: int) -> Decimal:
    """What an assignment is paid: all if it was submitted, its share if its assessor left early.

    Work that was returned or timed out is paid nothing by the platforms that have these words.

    >>> pay_for(AssignmentStage.EXITED, reward="2.00", n_answered=5, n_slots=13)
    Decimal('0.77')
    >>> pay_for(AssignmentStage.EXCLUDED, reward="2.00", n_answered=13, n_slots=13)
    Decimal('2.00')
    """
    if stage in (AssignmentStage.SUBMITTED, AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED):
        return prorate(reward, n_slots, n_slots)
    return prorate(reward, n_answered if stage is AssignmentStage.EXITED else 0, n_slots)


def prorate(reward: Decimal | str, n_answered: int, n_slots: int) -> Decimal:
    """The reward times the share that was answered, rounded up to the cent."""
    try:
        cents = Decimal(reward) * 100
    except InvalidOperation:
        cents = Decimal(-1)
    if not cents.is_finite() or cents < 0 or cents != int(cents):
        raise InputError(f"reward: found {reward}; expected an amount of money in whole cents, such as 2.00.")
    if not 0 <= n_answered <= n_slots or n_slots < 1:
        raise InputError(f"Found {n_answered} of {n_slots} answered; expected counts that fit.")
    return Decimal(-(-int(cents) * n_answered // n_slots)).scaleb(-2)

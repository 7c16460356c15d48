"""Can this work be used, and what is it paid? One failed gold voids it, or two; payment is another matter.

Voided answers are taken back by rows that supersede them, so that whoever reads the judgments sees only those in force.
Nobody is refused payment for a failed gold: work is excluded, but paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from toprung.data.judgments import Choice, Judgment
from toprung.errors import InputError
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.task import Task

SCOPE, MISSES = "void_scope", "void_misses"
"""In the manifest."""


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
class VoidRule:
    """When golds void work, and how much of it."""

    scope: VoidScope = VoidScope.TASK
    misses: int = 1
    """So many missed golds of a task void it."""


def read_void_rule(manifest: Mapping[str, Any]) -> VoidRule:
    """As a manifest has it: one missed gold voids its task unless something else is asked for."""
    misses = manifest.get(MISSES, 1)
    if type(misses) is not int or misses < 1:
        raise InputError(f"Found {misses!r} as how many missed golds void a task; expected a whole number from 1.")
    return VoidRule(scope=read_scope(manifest.get(SCOPE, VoidScope.TASK)), misses=misses)


@dataclass(frozen=True, kw_only=True)
class Review:
    """What the golds say of one assignment: ``failed`` are the slots whose known answer was missed."""

    n_answered: int
    n_golds: int
    failed: tuple[int, ...]
    misses: int = 1
    """So many are too many."""

    @property
    def is_passed(self) -> bool:
        return len(self.failed) < self.misses


def review(task: Task, judgments: Iterable[Judgment], *, misses: int = 1) -> Review:
    """Check an assessor's answers to a task against its golds; ``misses`` of them fail it.

    A gold is passed by choosing its good answer. A tie is a miss, and so is a gold that was skipped to the end: nobody
    gets round the golds by not answering them.
    """
    answers = {each.slot: each for each in judgments if each.choice is not Choice.SKIP}
    golds = [number for number, slot in enumerate(task.slots) if slot.is_gold]
    failed = [number for number in golds if number not in answers or answers[number].winner != task.slots[number].good]
    return Review(n_answered=len(answers), n_golds=len(golds), failed=tuple(failed), misses=misses)


def tasks_failed_by(judgments: Iterable[Judgment], tasks: Iterable[Task], *, misses: int = 1) -> set[str]:
    """The tasks with so many golds that these judgments of one assessor miss, whichever task they were asked in."""
    winners = {each.pair: each.winner for each in judgments if each.is_gold and each.choice is not Choice.SKIP}
    missed = Counter(
        task.task_id
        for task in tasks
        for slot in task.slots
        if slot.is_gold and winners.get(slot.pair, slot.good) != slot.good
    )
    return {task_id for task_id, n in missed.items() if n >= misses}


def to_void(judgment: Judgment) -> Judgment:
    """The row that takes a judgment back; its id follows from the other's, so that it is never written twice."""
    return replace(
        judgment,
        judgment_id=uuid5(NAMESPACE_OID, f"void {judgment.judgment_id}").hex,
        choice=Choice.SKIP,
        ms=None,
        supersedes=judgment.judgment_id,
    )


def restored_rows(judgments: Sequence[Judgment]) -> list[Judgment]:
    """The rows that put answers back into use which were taken back and are so still; ids follow from the others'.

    ``judgments`` are all rows of some work, in order.
    """
    by_id = {each.judgment_id: each for each in judgments}
    superseded = {each.supersedes for each in judgments}
    taken_back = (
        (each, by_id[each.supersedes])
        for each in judgments
        if each.supersedes in by_id and each.choice is Choice.SKIP and each.judgment_id not in superseded
    )
    return [
        replace(
            answer,
            judgment_id=uuid5(NAMESPACE_OID, f"restored {void.judgment_id}").hex,
            supersedes=void.judgment_id,
        )
        for void, answer in taken_back
        if answer.choice is not Choice.SKIP
    ]


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

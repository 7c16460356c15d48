"""Who works on which task? Assignments: events that only grow in number, of which the last says how things stand.

::

    offered ─► consented ─► active ─► submitted ─► accepted ─┐
       │           │           │           └─► excluded_but_paid ◄┘ (if all work of an assessor is voided, or by an
       │           │           │                                     organiser, who may accept it after all)
       └───────────┴───────────┴─► returned, timed_out: released, and offered again to someone else
                   └───────────┴─► exited_prorated: left early, paid for what was answered, released
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Self
from uuid import uuid4

from toprung.errors import InputError
from toprung.labels.tasks.task import Task


class AssignmentStage(StrEnum):
    """How far an assignment has come."""

    OFFERED = "offered"
    CONSENTED = "consented"
    ACTIVE = "active"
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    EXCLUDED = "excluded_but_paid"
    RETURNED = "returned"
    TIMED_OUT = "timed_out"
    EXITED = "exited_prorated"


OPEN = frozenset({AssignmentStage.OFFERED, AssignmentStage.CONSENTED, AssignmentStage.ACTIVE})
RELEASED = frozenset({AssignmentStage.RETURNED, AssignmentStage.TIMED_OUT, AssignmentStage.EXITED})
"""The work is not done and goes to someone else."""
UNPAID = RELEASED - {AssignmentStage.EXITED}
NEXT: Mapping[AssignmentStage, frozenset[AssignmentStage]] = {
    AssignmentStage.OFFERED: frozenset(
        {AssignmentStage.CONSENTED, AssignmentStage.RETURNED, AssignmentStage.TIMED_OUT}
    ),
    AssignmentStage.CONSENTED: frozenset({AssignmentStage.ACTIVE, *RELEASED}),
    AssignmentStage.ACTIVE: frozenset({AssignmentStage.SUBMITTED, *RELEASED}),
    AssignmentStage.SUBMITTED: frozenset({AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED}),
    AssignmentStage.ACCEPTED: frozenset({AssignmentStage.EXCLUDED}),
    AssignmentStage.EXCLUDED: frozenset({AssignmentStage.ACCEPTED}),
    AssignmentStage.RETURNED: frozenset(),
    AssignmentStage.TIMED_OUT: frozenset(),
    AssignmentStage.EXITED: frozenset(),
}


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """One task in the hands of one assessor."""

    assignment_id: str
    task_id: str
    assessor: str
    stage: AssignmentStage
    since: datetime
    n_missed: int = 0
    """Golds that were missed, once the work was looked at."""

    @classmethod
    def offer(cls, task: Task, assessor: str, *, at: datetime | None = None) -> Self:
        """A new assignment."""
        if not assessor:
            raise InputError("Found an assessor without a name; expected one to offer work to.")
        since = at or datetime.now(UTC)
        return cls(
            assignment_id=uuid4().hex,
            task_id=task.task_id,
            assessor=assessor,
            stage=AssignmentStage.OFFERED,
            since=since,
        )

    def move(self, to: AssignmentStage, *, at: datetime | None = None) -> Self:
        """The assignment one step on; a step that is not drawn above is an `InputError`."""
        if to not in NEXT[self.stage]:
            ways = ", ".join(sorted(NEXT[self.stage])) or "nothing more"
            raise InputError(
                f"Task {self.task_id} of '{self.assessor}': found {to} after {self.stage}; expected {ways}."
            )
        return replace(self, stage=to, since=at or datetime.now(UTC))

    @property
    def is_open(self) -> bool:
        return self.stage in OPEN

    @property
    def is_released(self) -> bool:
        return self.stage in RELEASED

    def to_record(self) -> dict[str, Any]:
        """The event, as a line of JSONL holds it."""
        record: dict[str, Any] = {
            "assignment_id": self.assignment_id,
            "task_id": self.task_id,
            "assessor": self.assessor,
            "stage": str(self.stage),
            "at": self.since.isoformat(),
        }
        return record | ({"n_missed": self.n_missed} if self.n_missed else {})

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """From the line of an event."""
        try:
            found = cls(
                assignment_id=record["assignment_id"],
                task_id=record["task_id"],
                assessor=record["assessor"],
                stage=AssignmentStage(record["stage"]),
                since=datetime.fromisoformat(record["at"]),
                n_missed=record.get("n_missed", 0),
            )
            if type(found.n_missed) is not int or found.n_missed < 0:
                raise ValueError("a count that is none")
            if found.since.tzinfo is None:
                raise ValueError("a time without its zone")
            if not all(isinstance(each, str) for each in (found.assignment_id, found.task_id, found.assessor)):
                raise TypeError("a name that is no text")
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{str(record)[:200]}, which is no event of an assignment ({error!r})") from None
        return found


class AssignmentBook:
    """Each assignment as its last event left it, in the order they were offered.

    The same event twice is one: two processes may have drawn the same conclusion. An event that cannot follow the one
    before it is passed over: one wrong line must not make all others unreadable.
    """

    def __init__(self, events: Iterable[Assignment] = ()) -> None:
        self.current: dict[str, Assignment] = {}
        self.n_impossible = 0
        """Events that were passed over."""
        for event in events:
            self.add(event)

    def add(self, event: Assignment) -> bool:
        """Whether the event says something new."""
        before = self.current.get(event.assignment_id)
        if before is not None and before.stage is event.stage:
            return False
        follows = event.stage is AssignmentStage.OFFERED if before is None else event.stage in NEXT[before.stage]
        if follows:
            now = event if before is None else before.move(event.stage, at=event.since)
            self.current[event.assignment_id] = replace(now, n_missed=event.n_missed)
        else:
            self.n_impossible += 1
        return follows

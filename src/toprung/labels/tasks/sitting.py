"""What happens when an assessor sits down? Work is offered, answers are kept one by one, golds are checked at the end.

The sitting joins tasks, assignments and judgments of one `Effort`. Others may work on it as well: whatever is done here
is done alone, from what is on disk then. What follows from an event (void what failed, make the
task anew) is done again when a sitting begins, so that a crash in between leaves nothing half done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import uuid4

from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.errors import InputError
from toprung.labels.effort.effort import JUDGMENTS, Effort
from toprung.labels.effort.records import parse_records
from toprung.labels.tasks.assignments import Assignment, AssignmentStage, current_assignments, next_task
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.quality import Review, VoidScope, read_scope, review, to_void
from toprung.labels.tasks.task import Task, reissue

TASKS, ASSIGNMENTS, GOLDS = "tasks", "assignments", "golds"
SCOPE = "void_scope"
"""In the manifest."""
MOST_SKIPS = 2
"""A skipped pair is offered once more at the end of its task; skipped again it stays open."""

type Work = tuple[str | None, str]
"""A task (or none) and an assessor: nobody has a task twice, so that this names an assignment."""


class NotActiveError(InputError):
    """The work was handed in or released meanwhile, here or in another process: it takes no more answers."""


class Sitting:
    """Hands out tasks and takes answers.

    What a failed gold voids, the answers to its task or all that its assessor ever answered, stands in the manifest.
    """

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self._sizes: dict[str, int] = {}
        with self.alone():
            self._settle(self.assignments)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else writes meanwhile, and what others wrote before is known."""
        with self.effort.alone():
            self._load()
            yield

    def _load(self) -> None:
        """Read what has changed since it was last read."""
        effort = self.effort
        self.scope = read_scope(effort.manifest.get(SCOPE, VoidScope.TASK))
        if self._has_changed(TASKS):
            self.tasks = {task.task_id: task for task in parse_records(effort, TASKS, Task.from_record)}
        if self._has_changed(GOLDS):
            self.golds = parse_records(effort, GOLDS, Gold.from_record)
        if self._has_changed(ASSIGNMENTS):
            found, self.n_impossible_events = current_assignments(parse_records(effort, ASSIGNMENTS, self._to_event))
            self._assignments = {each.assignment_id: each for each in found}
        if self._has_changed(JUDGMENTS):
            self._rows_of: dict[Work, list[Judgment]] = {}
            self._index(effort.read_judgments().rows)

    def _has_changed(self, kind: str) -> bool:
        """Files only grow, so that their size tells."""
        size, known = self._size_of(kind), self._sizes.get(kind)
        self._sizes[kind] = size
        return size != known

    def _size_of(self, kind: str) -> int:
        path = self.effort.path_of(kind)
        return path.stat().st_size if path.exists() else 0

    def _to_event(self, record: dict[str, Any]) -> Assignment:
        event = Assignment.from_record(record)
        if event.task_id not in self.tasks:
            raise InputError(f"task {event.task_id}, which is not among the tasks")
        return event

    @property
    def assignments(self) -> list[Assignment]:
        """As they stand, in the order they were offered."""
        return list(self._assignments.values())

    def offer(self, assessor: str, *, at: datetime | None = None) -> Assignment | None:
        """The open assignment of an assessor, or a new one; None if there is no work for this assessor."""
        with self.alone():
            held = [each for each in self.assignments if each.assessor == assessor and each.is_open]
            if held:
                return held[0]
            seen = self._seen_by(assessor)
            task = next_task(list(self.tasks.values()), self.assignments, assessor=assessor, seen=seen)
            return None if task is None else self._write(Assignment.offer(task, assessor, at=at))

    def move(self, assignment: Assignment, *stages: AssignmentStage, at: datetime | None = None) -> Assignment:
        """Take an assignment one or more steps on, and do what follows from it."""
        with self.alone():
            return self._move(assignment, *stages, at=at)

    def _move(self, assignment: Assignment, *stages: AssignmentStage, at: datetime | None = None) -> Assignment:
        for stage in stages:
            assignment = self._write(self._current(assignment).move(stage, at=at))
        self._settle([assignment])
        return self._current(assignment)

    def answer(
        self,
        assignment: Assignment,
        slot: int,
        choice: Choice,
        *,
        ms: int | None = None,
        kind: AssessorKind = AssessorKind.HUMAN,
    ) -> Judgment:
        """Keep one answer; it is on disk when this returns. An answer to a slot that has one supersedes it."""
        shown = self.tasks[assignment.task_id].slots[slot]
        with self.alone():
            self._check_active(assignment)
            before = [each for each in self.answers(assignment) if each.slot == slot and _gives_way(each)]
            judgment = Judgment(
                judgment_id=uuid4().hex,
                query_id=shown.query_id,
                left=shown.left,
                right=shown.right,
                choice=choice,
                assessor=assignment.assessor,
                kind=kind,
                task_id=assignment.task_id,
                slot=slot,
                is_gold=shown.is_gold,
                ms=ms,
                supersedes=before[-1].judgment_id if before else None,
            )
            self._add([judgment])
        return judgment

    def _check_active(self, assignment: Assignment) -> None:
        stage = self._current(assignment).stage
        if stage is not AssignmentStage.ACTIVE:
            raise NotActiveError(f"Task {assignment.task_id}: found it {stage}; expected it to be active.")

    def undo(self, assignment: Assignment) -> int | None:
        """Take the last answer of an assignment back; its slot, which is open again, or None if there is none."""
        with self.alone():
            self._check_active(assignment)
            answered = [each for each in self.answers(assignment) if each.choice is not Choice.SKIP]
            if not answered:
                return None
            self._add([to_void(answered[-1])])
        return answered[-1].slot

    def answers(self, assignment: Assignment) -> list[Judgment]:
        """The answers in force, skips among them, in the order they were given."""
        return self._current_rows((assignment.task_id, assignment.assessor))

    def open_slots(self, assignment: Assignment) -> list[int]:
        """What is still to be answered, in the order of the task; what was skipped comes once more at the end."""
        answers = self.answers(assignment)
        answered = {each.slot for each in answers if each.choice is not Choice.SKIP}
        skips = Counter(each.slot for each in answers if each.choice is Choice.SKIP and each.supersedes is None)
        slots = range(len(self.tasks[assignment.task_id].slots))
        is_open = [slot for slot in slots if slot not in answered and skips[slot] < MOST_SKIPS]
        return sorted(is_open, key=lambda slot: (skips[slot], slot))

    def submit(self, assignment: Assignment, *, at: datetime | None = None) -> Review:
        """Hand the work in. A failed gold excludes it, blocks its assessor and gives the pairs to someone else."""
        with self.alone():
            self._check_active(assignment)
            if left := self.open_slots(assignment):
                said = f"found {len(left)} of {len(self.tasks[assignment.task_id].slots)} without an answer"
                raise InputError(f"Task {assignment.task_id}: {said}; expected none.")
            found = self._review(assignment)
            self._move(assignment, AssignmentStage.SUBMITTED, at=at)
        return found

    def release_stale(self, before: datetime) -> list[Assignment]:
        """Time out the open assignments that were begun before then."""
        with self.alone():
            stale = [each for each in self.assignments if each.is_open and each.since < before]
            return [self._move(each, AssignmentStage.TIMED_OUT) for each in stale]

    def _review(self, assignment: Assignment) -> Review:
        return review(self.tasks[assignment.task_id], self.answers(assignment))

    def _settle(self, assignments: Iterable[Assignment]) -> None:
        """Bring assignments to where their events lead; doing it twice changes nothing."""
        for each in assignments:
            now = self._current(each)
            if now.stage is AssignmentStage.SUBMITTED:
                is_passed = self._review(now).is_passed
                now = self._write(
                    now.move(AssignmentStage.ACCEPTED if is_passed else AssignmentStage.EXCLUDED, at=now.since)
                )
            if now.stage is AssignmentStage.EXCLUDED and self.scope is VoidScope.ASSESSOR:
                self._exclude_all_of(now.assessor)
            elif now.stage is AssignmentStage.EXCLUDED:
                self._void((now.task_id, now.assessor))
                self._reissue(now.task_id)
            elif now.is_released:  # its golds were not all seen, so that nothing vouches for its answers
                self._void((now.task_id, now.assessor))

    def _exclude_all_of(self, assessor: str) -> None:
        """Void whatever an assessor answered, in tasks or without."""
        for each in self.assignments:
            if each.assessor == assessor and each.stage is AssignmentStage.ACCEPTED:
                self._write(each.move(AssignmentStage.EXCLUDED))
        for work in [work for work in self._rows_of if work[1] == assessor]:
            self._void(work)
        for each in self.assignments:
            if each.assessor == assessor and each.stage is AssignmentStage.EXCLUDED:
                self._reissue(each.task_id)

    def _void(self, work: Work) -> None:
        self._add([to_void(each) for each in self._current_rows(work) if each.choice is not Choice.SKIP])

    def _reissue(self, task_id: str) -> None:
        """A new attempt at a task, if there is none yet, with golds that no attempt before it had."""
        if any(task.parent == task_id for task in self.tasks.values()):
            return
        task = self.tasks[task_id]
        earlier = {pair for other in self.tasks.values() if other.number == task.number for pair in other.golds}
        again = reissue(task, self.golds, avoid=earlier)
        self.effort.append(TASKS, [again.to_record()])
        self.tasks[again.task_id] = again

    def _current(self, assignment: Assignment) -> Assignment:
        return self._assignments[assignment.assignment_id]

    def _write(self, assignment: Assignment) -> Assignment:
        self.effort.append(ASSIGNMENTS, [assignment.to_record()])
        self._assignments[assignment.assignment_id] = assignment
        return assignment

    def _seen_by(self, assessor: str) -> set[Pair]:
        return {each.pair for work, rows in self._rows_of.items() if work[1] == assessor for each in rows}

    def _current_rows(self, work: Work) -> list[Judgment]:
        """What supersedes an answer was written to the same task by the same assessor."""
        return list(Judgments.of(self._rows_of.get(work, ())).current)

    def _add(self, judgments: list[Judgment]) -> None:
        if judgments:
            self.effort.add_judgments(judgments)
            self._index(judgments)
            self._sizes[JUDGMENTS] = self._size_of(JUDGMENTS)  # an answer is no reason to read all others again

    def _index(self, judgments: Iterable[Judgment]) -> None:
        for each in judgments:
            self._rows_of.setdefault((each.task_id, each.assessor), []).append(each)


def _gives_way(judgment: Judgment) -> bool:
    """An earlier answer or an undo is superseded by the next answer; a plain skip stays, for skips are counted."""
    return judgment.choice is not Choice.SKIP or judgment.supersedes is not None

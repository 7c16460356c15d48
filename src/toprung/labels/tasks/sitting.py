"""What happens when an assessor sits down? Work is offered, answers are kept one by one, golds are checked at the end.

The sitting keeps what is decided (``decisions.py``) in a store. Others may work on it as well: whatever is done here is
done alone, from what is in the store then. What follows from an event (void what failed, make the task anew) is done
again when a sitting begins, so that a crash in between leaves nothing half done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from toprung.data.judgments import AssessorKind, Choice, Judgment, Pair
from toprung.errors import InputError
from toprung.labels.effort.records import parse_records
from toprung.labels.effort.store import JUDGMENTS, RecordStore
from toprung.labels.tasks import decisions
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.blocking import BlockRule, read_block_rule
from toprung.labels.tasks.dealing import NOTED, RELEASE_AFTER, Dealer, DealerOf
from toprung.labels.tasks.decisions import Given, Steps
from toprung.labels.tasks.desk_records import ASSIGNMENTS, GOLDS, TASKS, DeskRecords, Fact
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.quality import Review, read_void_rule
from toprung.labels.tasks.task import Task

BLOCK = "block"
"""In the manifest."""
READERS: Mapping[str, Callable[[dict[str, Any]], Fact]] = {
    GOLDS: Gold.from_record,
    TASKS: Task.from_record,
    ASSIGNMENTS: Assignment.from_record,
    JUDGMENTS: Judgment.from_record,
}
"""In the order they are read: an assignment needs its task."""
KINDS: Mapping[type[Fact], str] = {Gold: GOLDS, Task: TASKS, Assignment: ASSIGNMENTS, Judgment: JUDGMENTS}


class Sitting[Store: RecordStore]:
    """Hands out tasks and takes answers.

    How many failed golds void work, what they void, the answers to their task or all that its assessor ever answered,
    and what blocks an assessor stand in the manifest.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._forget()
        with self.alone():
            self._carry_out(decisions.settle(self.desk, self.desk.assignments, rule=self.rule))

    def _forget(self) -> None:
        self.desk = DeskRecords()
        self._dealer_of = DealerOf(self.store)
        self._n_read = dict.fromkeys(READERS, 0)
        self._is_in_doubt = False
        """Whether the store may not hold all that is known here: it takes back what was written before a failure."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else writes meanwhile, and what others wrote before is known."""
        try:
            with self.store.alone():
                self._load()
                yield
        except BaseException:
            if self._is_in_doubt:
                self._forget()
            raise
        self._is_in_doubt = False

    def _load(self) -> None:
        """Read what was added since it was last read."""
        self._manifest = self.store.manifest
        self.rule = read_void_rule(self._manifest)
        self.block = read_block_rule(self._manifest.get(BLOCK, BlockRule.TEST))
        self._is_in_doubt = True
        for kind in READERS:
            found = parse_records(self.store, kind, self._take_in(kind), after=self._n_read[kind])
            self._n_read[kind] += len(found)
        self._is_in_doubt = False

    def _take_in(self, kind: str) -> Callable[[dict[str, Any]], None]:
        read = READERS[kind]
        return lambda record: self.desk.add(read(record))

    def _carry_out[T](self, steps: Steps[T]) -> T:
        """Keep each step before the next is decided."""
        while True:
            try:
                facts = next(steps)
            except StopIteration as end:
                found: T = end.value
                return found
            self._write(facts)

    def _write(self, facts: Sequence[Fact]) -> None:
        kind = KINDS[type(facts[0])]
        self._is_in_doubt = True
        self.store.append(kind, [each.to_record() for each in facts])
        self._n_read[kind] += len(facts)
        for each in facts:
            self.desk.add(each)

    @property
    def tasks(self) -> Mapping[str, Task]:
        return self.desk.tasks

    @property
    def golds(self) -> Sequence[Gold]:
        return self.desk.golds

    @property
    def assignments(self) -> list[Assignment]:
        """As they stand, in the order they were offered."""
        return self.desk.assignments

    @property
    def n_impossible_events(self) -> int:
        return self.desk.book.n_impossible

    def offer(
        self,
        assessor: str,
        *,
        can_show: Callable[[Pair], bool] = lambda _: True,
        at: datetime | None = None,
        n_saved: int = 0,
    ) -> Assignment | None:
        """The open assignment of an assessor, or a new one; None if there is no work for this assessor.

        What others, or this assessor, began too long ago and did not hand in is released first. A task is dealt of
        pairs that can be shown. ``n_saved``: so many more tasks the money pays for, as some who left early got less.
        """
        with self.alone():
            hours = self._manifest.get(NOTED, {}).get(RELEASE_AFTER)
            if hours is not None:
                before = (at or datetime.now(UTC)) - timedelta(hours=hours)
                self._carry_out(decisions.release_stale(self.desk, before, rule=self.rule))
            return self._carry_out(self._decide_offer(assessor, can_show, at, n_saved=n_saved))

    def look_ahead(self, assessor: str, can_show: Callable[[Pair], bool], *, n_saved: int = 0) -> None:
        """Ask what an offer would ask of pairs, and offer nothing: who must look texts up does it for all at once."""
        with self.alone(), suppress(InputError):  # too few golds, say: the offer says it
            next(self._decide_offer(assessor, can_show, n_saved=n_saved), None)

    def _decide_offer(
        self, assessor: str, can_show: Callable[[Pair], bool], at: datetime | None = None, *, n_saved: int
    ) -> Steps[Assignment | None]:
        dealer = self._dealer_of.find(self._manifest)
        most_paid = None if dealer is None else dealer.most_paid
        return decisions.offer(
            self.desk,
            assessor,
            deal=None if dealer is None else partial(dealer.deal, self.desk, assessor, can_show),
            at=at,
            most_paid=None if most_paid is None else most_paid + n_saved,
            block=self.block,
            is_wanted=lambda task: self._is_wanted(dealer, task, can_show),
        )

    def _is_wanted(self, dealer: Dealer | None, task: Task, can_show: Callable[[Pair], bool]) -> bool:
        is_worth_it = dealer is None or dealer.wants(self.desk, task)
        return is_worth_it and all(map(can_show, task.golds)) and any(map(can_show, task.pairs))

    @property
    def has_tasks(self) -> bool:
        """Whether there are tasks, or some are to be dealt."""
        return bool(self.tasks) or NOTED in self._manifest

    def move(self, assignment: Assignment, *stages: AssignmentStage, at: datetime | None = None) -> Assignment:
        """Take an assignment one or more steps on, and do what follows from it."""
        with self.alone():
            return self._carry_out(decisions.move(self.desk, assignment, *stages, rule=self.rule, at=at))

    def answer(
        self,
        assignment: Assignment,
        slot: int,
        choice: Choice,
        *,
        ms: int | None = None,
        kind: AssessorKind = AssessorKind.HUMAN,
        answer_id: str | None = None,
    ) -> Judgment:
        """Keep one answer; it is in the store when this returns. An answer to a slot that has one supersedes it.

        An answer with the id of one that is kept already is not kept again, and must be the same.
        """
        given = Given(answer_id=answer_id or uuid4().hex, slot=slot, choice=choice, ms=ms, kind=kind)
        with self.alone():
            return self._carry_out(decisions.answer(self.desk, assignment, given))

    def undo(self, assignment: Assignment) -> int | None:
        """Take the last answer of an assignment back; its slot, which is open again, or None if there is none."""
        with self.alone():
            return self._carry_out(decisions.undo(self.desk, assignment))

    def answers(self, assignment: Assignment) -> list[Judgment]:
        """The answers in force, skips among them, in the order they were given."""
        return decisions.answers_to(self.desk, assignment)

    def open_slots(self, assignment: Assignment) -> list[int]:
        """What is still to be answered, in the order of the task; what was skipped comes once more at the end."""
        return decisions.open_slots(self.desk, assignment)

    def submit(self, assignment: Assignment, *, at: datetime | None = None) -> Review:
        """Hand the work in. A failed gold excludes it and gives the pairs to someone else."""
        with self.alone():
            return self._carry_out(decisions.submit(self.desk, assignment, rule=self.rule, at=at))

    def release_stale(self, before: datetime) -> list[Assignment]:
        """Time out the open assignments that were begun before then."""
        with self.alone():
            return self._carry_out(decisions.release_stale(self.desk, before, rule=self.rule))

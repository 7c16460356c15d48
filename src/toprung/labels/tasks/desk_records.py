"""How does a desk stand? What follows from its records, kept up with each that is added.

Nothing here is written, and nothing asks for more time the more records there are: an offer looks up, it does not read
all tasks.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from toprung.data.judgments import Judgment, Judgments, Pair
from toprung.errors import InputError
from toprung.labels.tasks.assignments import UNPAID, Assignment, AssignmentBook, AssignmentStage
from toprung.labels.tasks.blocking import BlockRule, is_blocked
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.task import Task
from toprung.labels.votes.outcomes import PairOutcome
from toprung.labels.votes.tally import VoteTally

GOLDS, TASKS, ASSIGNMENTS = "golds", "tasks", "assignments"
"""Kinds of records; judgments are another."""

type Fact = Gold | Task | Assignment | Judgment
"""What a desk keeps: each is one record."""
type GoldCount = tuple[int, int]
"""Golds that were shown, and those of them that were missed."""
type Work = tuple[str | None, str]
"""A task (or none) and an assessor: nobody has a task twice, so that this names an assignment."""


class DeskRecords:
    """Golds, tasks, assignments and judgments, and who has what."""

    def __init__(self) -> None:
        self.golds: list[Gold] = []
        self.tasks: dict[str, Task] = {}
        self.book = AssignmentBook()
        self.judgments: dict[str, Judgment] = {}
        self._rows_of: defaultdict[Work, list[Judgment]] = defaultdict(list)
        self._works_of: defaultdict[str, dict[Work, None]] = defaultdict(dict)
        self._seen_by: defaultdict[str, set[Pair]] = defaultdict(set)
        self._held_by: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._golds_of: defaultdict[str, dict[str, GoldCount]] = defaultdict(dict)
        self._open: dict[str, None] = {}
        self._attempts: defaultdict[int, list[Task]] = defaultdict(list)
        self._places: dict[str, int] = {}
        self._keepers: defaultdict[str, set[str]] = defaultdict(set)
        self._free: list[tuple[int, str]] = []
        self._accepted: set[str] = set()
        self._in_work: set[str] = set()
        self._open_works: set[Work] = set()
        self._tally = VoteTally()
        self._pending: defaultdict[str, Counter[Pair]] = defaultdict(Counter)
        self.changes: list[Pair] = []
        """Pairs whose votes or tasks changed, in the order that they did: a plan reads on from where it was."""
        self.dealt: list[Task] = []
        """All tasks in the order they were made."""
        self.last_number = 0
        self.penalty: float | None = None
        """λ as the last task has it that was dealt by an adaptive plan."""
        self._n_unpaid = 0

    def add(self, fact: Fact) -> None:
        """Take a record in; one that is known already changes nothing."""
        if isinstance(fact, Gold):
            self.golds.append(fact)
        elif isinstance(fact, Task):
            self._add_task(fact)
        elif isinstance(fact, Assignment):
            self._add_assignment(fact)
        elif fact.judgment_id not in self.judgments:
            self._add_judgment(fact)

    def _add_task(self, task: Task) -> None:
        if task.task_id in self.tasks:
            return
        self._places[task.task_id] = len(self._places)
        self.tasks[task.task_id] = task
        self.dealt.append(task)
        self.last_number = max(self.last_number, task.number)
        self.penalty = self.penalty if task.penalty is None else task.penalty
        self._attempts[task.number].append(task)
        for each in self._attempts[task.number]:
            self._note_where_it_stands(each)

    def _add_assignment(self, event: Assignment) -> None:
        if event.task_id not in self.tasks:
            raise InputError(f"task {event.task_id}, which is not among the tasks")
        if event.n_missed > (n_golds := len(self.tasks[event.task_id].golds)):
            raise InputError(f"{event.n_missed} missed golds in task {event.task_id}, which has {n_golds}")
        if not self.book.add(event):
            return
        now = self.book.current[event.assignment_id]
        self._held_by[now.assessor].setdefault(now.assignment_id)
        task = self.tasks[now.task_id]
        self._seen_by[now.assessor].update(task.pairs, task.golds)
        if now.stage in (AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED):
            self._golds_of[now.assessor][now.assignment_id] = (len(task.golds), now.n_missed)
        self._n_unpaid += now.stage in UNPAID
        self._note_whether_open(now)
        keepers = self._keepers[now.task_id]
        keepers.discard(now.assignment_id) if now.is_released else keepers.add(now.assignment_id)
        if now.stage is AssignmentStage.ACCEPTED:
            self._accepted.add(now.task_id)
        self._note_where_it_stands(task)

    def _note_whether_open(self, now: Assignment) -> None:
        """Answers count once the work is closed: until then their pairs are pending."""
        work = (now.task_id, now.assessor)
        if now.is_open:
            self._open.setdefault(now.assignment_id)
            self._open_works.add(work)
        else:
            self._open.pop(now.assignment_id, None)
            self._open_works.discard(work)
            for each in self.answers(work):
                self._count(each)

    def _add_judgment(self, judgment: Judgment) -> None:
        work = (judgment.task_id, judgment.assessor)
        self.judgments[judgment.judgment_id] = judgment
        self._rows_of[work].append(judgment)
        self._works_of[judgment.assessor].setdefault(work)
        self._seen_by[judgment.assessor].add(judgment.pair)
        if work not in self._open_works:
            self._count(judgment)

    def _count(self, judgment: Judgment) -> None:
        less = None if judgment.supersedes is None else self._tally.take_back(judgment.supersedes)
        more = self._tally.count(judgment)
        self.changes.extend(pair for pair in (less, more) if pair is not None)

    def outcomes_of(self, query_id: str) -> Mapping[Pair, PairOutcome]:
        """What the official votes on a query say, but for those of work that is not handed in."""
        return self._tally.outcomes_of(query_id)

    def pending_of(self, query_id: str) -> Mapping[Pair, int]:
        """In how many tasks that are still to be done the pairs of a query stand."""
        return +self._pending.get(query_id, Counter())

    @property
    def n_pairs_in_work(self) -> int:
        return sum(n > 0 for of_query in self._pending.values() for n in of_query.values())

    def _note_where_it_stands(self, task: Task) -> None:
        self._note_whether_free(task.task_id)
        is_in_work = task.task_id not in self._accepted and not self.is_replaced(task.task_id)
        if is_in_work == (task.task_id in self._in_work):
            return
        (self._in_work.add if is_in_work else self._in_work.discard)(task.task_id)
        for pair in task.pairs:
            self._pending[pair.query_id][pair] += 1 if is_in_work else -1
        self.changes.extend(task.pairs)

    def _note_whether_free(self, task_id: str) -> None:
        """A task is free if nobody has it or has done it, and no later attempt at it was made."""
        entry = (self._places[task_id], task_id)
        place = bisect_left(self._free, entry)
        is_known = place < len(self._free) and self._free[place] == entry
        is_free = not self._keepers[task_id] and not self.is_replaced(task_id)
        if is_free and not is_known:
            insort(self._free, entry)
        elif is_known and not is_free:
            del self._free[place]

    def is_replaced(self, task_id: str) -> bool:
        """Whether there is a later attempt."""
        task = self.tasks[task_id]
        return any(each.parent == task_id for each in self._attempts[task.number])

    @property
    def assignments(self) -> list[Assignment]:
        """As they stand, in the order they were offered."""
        return list(self.book.current.values())

    @property
    def n_paid(self) -> int:
        """How many assignments are paid for, or will be. Who left early is counted whole, though paid by the answer."""
        return len(self.book.current) - self._n_unpaid

    def outcomes(self) -> dict[Pair, PairOutcome]:
        """What the official votes say of all queries, but for those of work that is not handed in."""
        return self._tally.outcomes()

    def current(self, assignment: Assignment) -> Assignment:
        return self.book.current[assignment.assignment_id]

    def assignments_of(self, assessor: str) -> list[Assignment]:
        return [self.book.current[each] for each in self._held_by.get(assessor, ())]

    def open_assignments(self) -> list[Assignment]:
        return [self.book.current[each] for each in self._open]

    def golds_of(self, assessor: str) -> GoldCount:
        """How many golds an assessor was shown in work that was handed in, and how many of them were missed."""
        counts = self._golds_of.get(assessor, {}).values()
        return sum(n for n, _ in counts), sum(missed for _, missed in counts)

    def is_blocked(self, assessor: str, rule: BlockRule) -> bool:
        return is_blocked(*self.golds_of(assessor), rule)

    def blocked(self, rule: BlockRule) -> list[str]:
        """The assessors who are offered nothing more."""
        return sorted(assessor for assessor in self._golds_of if self.is_blocked(assessor, rule))

    def seen_by(self, assessor: str) -> frozenset[Pair] | set[Pair]:
        """The pairs, golds too, that an assessor answered or was given."""
        return self._seen_by.get(assessor, frozenset())

    def works_of(self, assessor: str) -> list[Work]:
        return list(self._works_of.get(assessor, ()))

    def answers(self, work: Work) -> list[Judgment]:
        """Those in force, skips among them: what supersedes an answer is of the same task and assessor."""
        return list(Judgments.of(self._rows_of.get(work, ())).current)

    def given(self, work: Work) -> list[Judgment]:
        """All that was ever answered there, also what was taken back."""
        return list(self._rows_of.get(work, ()))

    def free_task(self, assessor: str, is_wanted: Callable[[Task], bool] = lambda _: True) -> Task | None:
        """The first task that is free, wanted, and shows this assessor no pair twice; None if there is none.

        Nobody gets a task back that was released or voided. Those come first whose golds the assessor has not seen
        either: golds are few, and a gold seen twice is better than no work.
        """
        seen = self.seen_by(assessor)
        first = None
        for task in self._free_tasks():
            if not seen.isdisjoint(task.pairs) or not is_wanted(task):
                continue
            if seen.isdisjoint(task.golds):
                return task
            first = first or task
        return first

    def _free_tasks(self) -> Iterator[Task]:
        return (self.tasks[task_id] for _, task_id in self._free)

    def golds_of_attempts(self, task: Task) -> set[Pair]:
        """The golds that any attempt at a task had."""
        return set(chain.from_iterable(each.golds for each in self._attempts[task.number]))

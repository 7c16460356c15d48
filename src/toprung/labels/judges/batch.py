"""How does a judge that is no person work through many pairs? Every answer is kept the moment it is there.

An answer is on disk before anything else happens. Whoever is interrupted and starts again loses none and asks for none
that is stored. Between the arrival of an answer and its writing lies the time to parse a line: an answer lost in that
moment is asked for again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock, Thread
from uuid import NAMESPACE_OID, uuid5

from toprung.data.judgments import AssessorKind, Choice, Judgment
from toprung.labels.effort.effort import Effort
from toprung.labels.effort.records import parse_records
from toprung.labels.judges.answers import ANSWERS, Answered, Order, orders_of, to_record
from toprung.labels.judges.one_at_a_time import one_at_a_time
from toprung.labels.judges.recorded import SWAPPED, NotOnRecordError, RecordedJudge
from toprung.labels.judges.session import Session
from toprung.labels.tasks.desk_records import TASKS
from toprung.labels.tasks.protocol import Answer, Judge, JudgeStoppedError, NoAnswerError
from toprung.labels.tasks.quality import VoidScope, read_void_rule, tasks_failed_by, to_void
from toprung.labels.tasks.questions import Question, Texts, newest_attempts
from toprung.labels.tasks.task import Task

MOST_FAILURES = 5
"""After so many pairs in a row without an answer there is something wrong with the judge, not with the pairs."""


def judge_all(
    effort: Effort,
    judge: Judge,
    questions: Sequence[Question],
    texts: Texts,
    *,
    limit: int | None = None,
    budget: float | None = None,
    at_once: int = 1,
    ask_again: int = 0,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Session:
    """Ask a judge whatever it has not answered yet.

    Parameters
    ----------
    state
        Where answers (``answers``) and what follows from them (``judgments``) are kept.
    questions, texts
        What to ask. A judge of both orders is asked each question twice.
    limit
        At most so many pairs now.
    budget
        Stop before the money spent by this judge, in earlier sessions too, passes this: the next answer is taken to
        cost as much as the dearest so far.
    at_once
        How many pairs are asked at the same time, of a judge that can be.
    ask_again
        How often at most an order whose answer was invalid, now or in an earlier session, is asked once more.
    on_progress
        Called with the query of each pair that is done.

    """
    with one_at_a_time(effort, judge.name):
        answered = Answered.read(effort, judge.name)
        batch = _Batch(effort=effort, judge=judge, texts=texts, budget=budget, answered=answered, ask_again=ask_again)
        batch.complete(questions)
        waiting = [each for each in questions if batch.is_waiting(each)]
        showable = texts.showable(waiting)
        batch.session.n_left = len(showable)
        batch.session.n_without_text = len(waiting) - len(showable)
        batch.ask_all(showable[:limit], on_progress, at_once=at_once)
        if judge.kind is not AssessorKind.LLM:  # a model's golds are told, and its votes are no labels
            batch.session.n_voided = void_failed_tasks(effort, judge.name)
    return batch.session


def void_failed_tasks(effort: Effort, assessor: str) -> int:
    """Take back what an assessor without assignments answered in tasks whose golds they missed; how many judgments.

    The tasks stay open for others. Doing it twice changes nothing.
    """
    with effort.alone():
        tasks = newest_attempts(parse_records(effort, TASKS, Task.from_record))
        own = [each for each in effort.read_judgments().current if each.assessor == assessor]
        rule = read_void_rule(effort.manifest)
        failed = tasks_failed_by(own, tasks, misses=rule.misses)
        if failed and rule.scope is VoidScope.ASSESSOR:
            failed.update(each.task_id for each in own if each.task_id is not None)
        voided = [to_void(each) for each in own if each.task_id in failed and each.is_vote]
        if voided:
            effort.add_judgments(voided)
    return len(voided)


class _BudgetSpentError(Exception):
    """The next answer would cost more than is left."""


@dataclass(kw_only=True)
class _Batch:
    """A judge at work; ``lock`` guards all that its threads share."""

    effort: Effort
    judge: Judge
    texts: Texts
    budget: float | None
    answered: Answered
    ask_again: int
    session: Session = field(default_factory=Session)
    lock: Lock = field(default_factory=Lock)
    n_failed_in_a_row: int = 0
    reserved: float = 0.0
    """For answers that are under way."""
    is_ended: bool = False
    failure: BaseException | None = None

    def ask_all(self, questions: Iterable[Question], on_progress: Callable[[str], None], *, at_once: int) -> None:
        waiting = iter(questions)
        if self.budget is not None and not self.answered.dearest:  # what one costs is to be known before many are asked
            self._work(islice(waiting, 1), on_progress)
        if at_once == 1:
            self._work(waiting, on_progress)
            return
        # Daemons: an interrupted command ends without waiting for answers, which are asked for again.
        threads = [Thread(target=self._work_aside, args=(waiting, on_progress), daemon=True) for _ in range(at_once)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.failure is not None:
            raise self.failure

    def _work_aside(self, waiting: Iterator[Question], on_progress: Callable[[str], None]) -> None:
        try:
            self._work(waiting, on_progress)
        except BaseException as error:
            with self.lock:
                self.failure = self.failure or error
                self.is_ended = True

    def _work(self, waiting: Iterator[Question], on_progress: Callable[[str], None]) -> None:
        while True:
            with self.lock:
                question = None if self.is_ended else next(waiting, None)
            if question is None:
                return
            try:
                self._ask(question)
            except _BudgetSpentError:
                self._end_for_budget()
            except NoAnswerError as error:
                self._count_failure(error)
            else:
                with self.lock:
                    self.n_failed_in_a_row = 0
                    on_progress(question.query_id)

    def _end_for_budget(self) -> None:
        with self.lock:
            self.is_ended = True
            self.session.ended = f"the budget of {self.budget:g} is reached, with {self.answered.spent:.4f} spent"

    def _count_failure(self, error: NoAnswerError) -> None:
        with self.lock:
            self.session.n_failed += 1
            if not isinstance(error, NotOnRecordError):
                self.session.last_failure = str(error)
                self.n_failed_in_a_row += 1
            if self.n_failed_in_a_row >= MOST_FAILURES:
                kept = f"Stopped after {self.n_failed_in_a_row} pairs without an answer; all others are kept."
                raise JudgeStoppedError(f"{error} {kept}") from None

    def _ask(self, question: Question) -> None:
        """Ask in the orders that have no answer yet, and conclude."""
        started = time.monotonic()
        for order in self._orders(question):
            while self.answered.is_open(order, ask_again=self.ask_again):
                self._ask_order(order)
        # A file tells nothing of the time its answers took.
        ms = None if isinstance(self.judge, RecordedJudge) else round(1000 * (time.monotonic() - started))
        judgment = self._conclude(question, ms=ms)
        if judgment is not None:
            self.effort.add_judgments([judgment])
        self._count_pair(question, judgment)

    def _ask_order(self, order: Order) -> None:
        query_id, left, right = order
        with self._reserved_cost():
            answer = self.judge.compare(
                self.texts.query(query_id), self.texts.document(left), self.texts.document(right)
            )
            self.effort.append(ANSWERS, [to_record(self.judge.name, order, answer)])
            self._count_answer(order, answer)
        if self.budget is not None and not answer.is_metered:
            raise JudgeStoppedError(
                f"{self.judge.name}: found an answer that does not say what it cost; expected the tokens (or of a "
                "program the cost), to hold the budget. Without --budget it goes on."
            )

    @contextmanager
    def _reserved_cost(self) -> Iterator[None]:
        with self.lock:
            likely = self.answered.dearest
            taken = self.answered.spent + self.reserved
            if self.budget is not None and (taken + likely > self.budget or taken >= self.budget):
                raise _BudgetSpentError
            self.reserved += likely
        try:
            yield
        finally:
            with self.lock:
                self.reserved -= likely

    def _count_answer(self, order: Order, answer: Answer) -> None:
        with self.lock:
            is_again = self.answered.n_invalid[order] > 0
            self.session.n_asked_again += is_again
            self.session.n_mended += is_again and answer.choice is not None
            self.answered.add(order, answer.choice, answer.cost, is_final=answer.is_final)
            self.session.n_answers += 1
            self.session.tokens_in += answer.tokens_in
            self.session.tokens_out += answer.tokens_out
            self.session.cost += answer.cost

    def _count_pair(self, question: Question, judgment: Judgment | None) -> None:
        with self.lock:
            self.session.n_pairs += judgment is not None
            self.session.n_left -= 1
            self.session.n_invalid += judgment is None
            self.session.n_golds += question.is_gold
            is_missed = judgment is None or judgment.winner != question.good
            self.session.n_golds_missed += question.is_gold and is_missed

    def _orders(self, question: Question) -> list[Order]:
        return orders_of(question, both=self.judge.asks_both_orders)

    def is_waiting(self, question: Question) -> bool:
        """Whether an order is still to be asked."""
        return any(self.answered.is_open(order, ask_again=self.ask_again) for order in self._orders(question))

    def complete(self, questions: Iterable[Question]) -> None:
        """Write the judgments that an interruption left unwritten behind their answers."""
        known = {each.judgment_id for each in self.effort.read_judgments().rows}
        concluded = (self._conclude(each) for each in questions if not self.is_waiting(each))
        missing = [each for each in concluded if each is not None and each.judgment_id not in known]
        if missing:
            self.effort.add_judgments(missing)

    def _conclude(self, question: Question, *, ms: int | None = None) -> Judgment | None:
        """What the answers to a pair come to: a tie if both orders disagree; nothing if one is invalid."""
        first, *second = [self.answered.choices[order] for order in self._orders(question)]
        if first is None or None in second:
            return None
        agrees = all(SWAPPED.get(each, each) is first for each in second if each is not None)
        pair = question.pair
        return Judgment(
            # From what it is about, so that it is the same whenever it is written.
            judgment_id=uuid5(NAMESPACE_OID, "\t".join((self.judge.name, pair.query_id, pair.a, pair.b))).hex,
            query_id=question.query_id,
            left=question.left,
            right=question.right,
            choice=first if agrees else Choice.TIE,
            assessor=self.judge.name,
            kind=self.judge.kind,
            task_id=question.task_id,
            slot=question.slot,
            is_gold=question.is_gold,
            ms=ms,
        )

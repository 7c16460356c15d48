"""How does a person work? Through a task, or pair by pair where there are no tasks; every answer is kept at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import uuid4

from toprung.data.judgments import Choice, Judgment
from toprung.labels.effort.effort import Effort
from toprung.labels.judges.one_at_a_time import one_at_a_time
from toprung.labels.judges.session import Session
from toprung.labels.judges.terminal import TerminalJudge
from toprung.labels.tasks.assignments import Assignment, AssignmentStage
from toprung.labels.tasks.decisions import NotActiveError
from toprung.labels.tasks.protocol import QuitError, UndoError
from toprung.labels.tasks.quality import to_void
from toprung.labels.tasks.questions import Question, Texts
from toprung.labels.tasks.sitting import Sitting

TO_ACTIVE = {
    AssignmentStage.OFFERED: (AssignmentStage.CONSENTED, AssignmentStage.ACTIVE),
    AssignmentStage.CONSENTED: (AssignmentStage.ACTIVE,),
}
"""Whoever sits down at a terminal under a name of their own has consented."""

type Desk = Sitting[Effort]


def sit_at_tasks(sitting: Desk, judge: TerminalJudge, texts: Texts, *, limit: int | None = None) -> Session:
    """Work through tasks until there are none for this person, so many pairs are answered, or they quit.

    A task that is left open is taken up again next time.
    """
    session = Session()
    with one_at_a_time(sitting.store, judge.name):
        while limit is None or session.n_pairs < limit:
            offered = sitting.offer(judge.name, can_show=texts.can_show)
            if offered is None:
                if not session.n_pairs:
                    _say_what_hides_tasks(sitting, judge.name, texts)
                session.ended = "no more tasks for this assessor"
                break
            n_before = session.n_pairs
            try:
                if not _do_task(sitting, judge, offered, texts, session=session, limit=limit):
                    break
            except NotActiveError:
                session.n_pairs = n_before
                session.ended = "the task was taken back meanwhile, and its answers do not count"
                break
    return session


def _say_what_hides_tasks(sitting: Desk, name: str, texts: Texts) -> None:
    """Refuse texts without those of golds, where tasks wait for nothing else: nobody is to fail by such a gold."""
    hidden = sitting.desk.free_task(name, lambda task: not all(map(texts.can_show, task.golds)))
    for pair in () if hidden is None else hidden.golds:
        texts.showable([Question(query_id=pair.query_id, left=pair.a, right=pair.b)])


def _do_task(
    sitting: Desk,
    judge: TerminalJudge,
    offered: Assignment,
    texts: Texts,
    *,
    session: Session,
    limit: int | None,
) -> bool:
    """Whether the task was answered to its end and handed in."""
    assignment = sitting.move(offered, *TO_ACTIVE.get(offered.stage, ()))
    if not _work(sitting, judge, assignment, texts, session=session, limit=limit):
        return False
    is_passed = sitting.submit(assignment).is_passed
    session.n_tasks_accepted += is_passed
    session.n_tasks_excluded += not is_passed
    return True


def _work(
    sitting: Desk,
    judge: TerminalJudge,
    assignment: Assignment,
    texts: Texts,
    *,
    session: Session,
    limit: int | None,
) -> bool:
    """Whether the task was answered to its end."""
    slots = sitting.tasks[assignment.task_id].slots
    questions = [Question(query_id=slot.query_id, left=slot.left, right=slot.right, good=slot.good) for slot in slots]
    for question in questions:
        if question.is_gold:  # also of work that was begun with other texts
            texts.showable([question])
    texts.showable(questions)
    _pass_over(sitting, assignment, [not texts.can_show(each.pair) for each in questions], session)
    while open_slots := sitting.open_slots(assignment):
        if limit is not None and session.n_pairs >= limit:
            return False
        number, slot = open_slots[0], slots[open_slots[0]]
        judge.progress = f"{len(slots) - len(open_slots) + 1} of {len(slots)}"
        started = time.monotonic()
        try:
            answer = judge.compare(texts.query(slot.query_id), texts.document(slot.left), texts.document(slot.right))
        except UndoError:
            session.n_pairs -= sitting.undo(assignment) is not None and session.n_pairs > 0
            continue
        except QuitError:
            session.ended = "quit"
            return False
        choice = answer.choice or Choice.SKIP
        sitting.answer(assignment, number, choice, ms=_since(started))
        session.n_skipped += choice is Choice.SKIP
        session.n_pairs += choice is not Choice.SKIP
    return True


def _pass_over(sitting: Desk, assignment: Assignment, is_hidden: Sequence[bool], session: Session) -> None:
    """Skip the pairs of a task that cannot be shown, for good: they stay open for whoever has the texts."""
    session.n_without_text += sum(is_hidden[number] for number in sitting.open_slots(assignment))
    while hidden := [number for number in sitting.open_slots(assignment) if is_hidden[number]]:
        for number in hidden:
            sitting.answer(assignment, number, Choice.SKIP)


def sit_at_pairs(
    effort: Effort, judge: TerminalJudge, questions: Sequence[Question], texts: Texts, *, limit: int | None = None
) -> Session:
    """Ask a person pair by pair. A skipped pair is asked again next time."""
    with one_at_a_time(effort, judge.name):
        return _sit_at_pairs(effort, judge, questions, texts, limit=limit)


def _sit_at_pairs(
    effort: Effort, judge: TerminalJudge, questions: Sequence[Question], texts: Texts, *, limit: int | None
) -> Session:
    asked = texts.showable(questions)
    session = Session(n_left=len(asked), n_without_text=len(questions) - len(asked))
    given: list[Judgment] = []
    taken_back: str | None = None
    while len(given) < len(asked[:limit]):
        judge.progress = f"{len(given) + 1} of {len(asked[:limit])}"
        try:
            judgment = _ask(judge, asked[len(given)], texts, supersedes=taken_back)
        except UndoError:
            if given:
                taken_back = _take_back(effort, given.pop())
            continue
        except QuitError:
            session.ended = "quit"
            break
        effort.add_judgments([judgment])
        given.append(judgment)
        taken_back = None
    session.n_skipped = sum(each.choice is Choice.SKIP for each in given)
    session.n_pairs = len(given) - session.n_skipped
    session.n_left -= session.n_pairs
    return session


def _ask(judge: TerminalJudge, question: Question, texts: Texts, *, supersedes: str | None) -> Judgment:
    started = time.monotonic()
    left, right = texts.document(question.left), texts.document(question.right)
    answer = judge.compare(texts.query(question.query_id), left, right)
    return Judgment(
        judgment_id=uuid4().hex,
        query_id=question.query_id,
        left=question.left,
        right=question.right,
        choice=answer.choice or Choice.SKIP,
        assessor=judge.name,
        kind=judge.kind,
        ms=_since(started),
        supersedes=supersedes,
    )


def _take_back(effort: Effort, judgment: Judgment) -> str:
    """Void it; returns the id that the next answer supersedes."""
    void = to_void(judgment)
    effort.add_judgments([void])
    return void.judgment_id


def _since(started: float) -> int:
    return round(1000 * (time.monotonic() - started))

"""How does a person work through a hosted task? On the screen of the local desk; the answers go to the server."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from toprung.client.connection import ServerRefusedError
from toprung.client.hosted_desk import HostedDesk, HostedTask
from toprung.client.record import Record
from toprung.data.judgments import Choice
from toprung.labels.judges.session import Session
from toprung.labels.judges.terminal import TerminalJudge
from toprung.labels.tasks.protocol import QuitError, Text, UndoError

HTTP_CONFLICT = 409


def judge_task(desk: HostedDesk, judge: TerminalJudge, session: Session, tell: Callable[[str], None]) -> bool:
    """Whether all of a task is answered. Each answer is kept at once; who quits goes on another time.

    What the server refuses is told in its words, and the task is looked at anew. `LeaveError` says that someone wants
    to leave it for good.
    """
    task = desk.start()
    while task.open_slots:
        try:
            task = _ask(desk, judge, task, session)
        except QuitError:
            session.ended = "quit"
            return False
        except ServerRefusedError as refused:
            if refused.status != HTTP_CONFLICT:
                raise
            tell(str(refused))
            task = desk.start()
    return True


def _ask(desk: HostedDesk, judge: TerminalJudge, task: HostedTask, session: Session) -> HostedTask:
    """Show the next pair and send what was chosen; the task as it stands then."""
    slot = task.open_slots[0]
    judge.progress = f"{task.n_pairs - len(task.open_slots) + 1} of {task.n_pairs}"
    question, left, right = (Text("", text) for text in task.pairs[slot])
    started = time.monotonic()
    try:
        choice = judge.compare(question, left, right).choice or Choice.SKIP
    except UndoError:
        return take_back(desk, task, session)
    answer_id = desk.answer(task, slot, choice, ms=round(1000 * (time.monotonic() - started)))
    if choice is Choice.SKIP:  # when it is asked again is for the server to say
        session.n_skipped += 1
        return desk.start()
    session.n_pairs += 1
    return replace(task, open_slots=task.open_slots[1:], done=(*task.done, answer_id))


def take_back(desk: HostedDesk, task: HostedTask, session: Session) -> HostedTask:
    """The last answer, if there is one."""
    if not task.done:
        return task
    desk.undo(task, task.done[-1])
    session.n_pairs -= session.n_pairs > 0
    return desk.start()


def try_example(desk: HostedDesk, judge: TerminalJudge, example: Record) -> Record:
    """The pair of the guidelines; any answer but left or right is asked again."""
    judge.progress = "A pair to try; it does not count"
    texts = [Text("", str(example.fields.get(name) or "")) for name in ("question", "left", "right")]
    while True:
        try:
            choice = judge.compare(*texts).choice
        except UndoError:
            continue
        if choice in (Choice.LEFT, Choice.RIGHT):
            return desk.try_pair(choice)

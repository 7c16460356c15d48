"""How far is a run, in steps that people know? Checked, queued, scored, settled, on the board; or failed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toprung.web.core.models.runs import RunState, Submission
from toprung.web.core.store.behind import is_behind


class StepState(StrEnum):
    """Where a step is."""

    DONE = "done"
    NOW = "now"
    FAILED = "failed"
    NEXT = "next"


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step, and what happens in it."""

    name: str
    detail: str
    state: StepState


STEPS = (
    ("Checked", "The file was accepted, and one submission was counted."),
    ("Queued", "A run waits until a worker is free."),
    ("Scoring", "Scored on the labels of the board."),
    ("Settling", "Runs are settled in the order of submission; a score above the holder’s is tested as a claim."),
    ("On the board", "Intervals, ranks and comparisons are computed anew."),
)
REACHED = {RunState.QUEUED: 1, RunState.SCORING: 2, RunState.SCORED: 3}
"""The step that a run is at in each state."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """All steps of a run."""

    steps: list[Step]
    sentence: str
    is_moving: bool
    has_failed: bool
    key: str
    """Tells one state from another, for a page that follows it."""

    @classmethod
    def of(cls, submission: Submission) -> Progress:
        state = RunState(submission.state)
        is_shown = not is_behind(submission.board)
        has_failed = state is RunState.FAILED
        at = len(STEPS) if state is RunState.DONE and is_shown else REACHED.get(state, 2 if has_failed else 4)
        return cls(
            steps=[_step(number, at, has_failed=has_failed) for number in range(len(STEPS))],
            sentence=_say(submission, is_shown=is_shown),
            is_moving=not has_failed and at < len(STEPS),
            has_failed=has_failed,
            key=f"{state.value}-{at}",
        )


def _step(number: int, at: int, *, has_failed: bool) -> Step:
    name, detail = STEPS[number]
    if number == at:
        state = StepState.FAILED if has_failed else StepState.NOW
    else:
        state = StepState.DONE if number < at else StepState.NEXT
    return Step(name=name, detail=detail, state=state)


def _say(submission: Submission, *, is_shown: bool) -> str:
    """Before it is on the board; from then on it is said how it stands there."""
    name, state = submission.name, submission.state
    if state == RunState.FAILED:
        return f"{name} failed."
    if state == RunState.DONE:
        return f"{name} is done." if is_shown else f"{name} is scored; the board is computed anew."
    return {RunState.QUEUED: f"{name} is queued.", RunState.SCORED: f"{name} is scored."}.get(
        RunState(state), f"{name} is being scored."
    )

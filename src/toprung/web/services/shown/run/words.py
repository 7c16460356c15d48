"""What is the one sentence about a run? Where it stands, as far as the release policy shows it, and its claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toprung.boards.row import Status
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import StoredResult
from toprung.web.core.models.runs import RunState, Submission
from toprung.web.services.shown.run.outcomes import say_place

NOT_RELEASED = "shows no score by the release policy of this board"


@dataclass(frozen=True, kw_only=True)
class RunSentence:
    """Bold is the verdict; the rest follows in plain type."""

    verdict: str
    rest: str = ""


def say_run(
    submission: Submission,
    standing: Mapping[str, Any] | None,
    claim: Claim | None,
    shown: StoredResult | None,
    *,
    called: str,
) -> RunSentence:
    """``standing``: its row on the board for the audience that asks; ``claim``: where the audience may know it.

    ``shown``: the board that the row is on; ``called``: the name that the run appears by.
    """
    if submission.state == RunState.FAILED:
        return RunSentence(verdict=f"{called} could not be scored.", rest=submission.failure)
    if submission.state != RunState.DONE:
        return RunSentence(
            verdict=f"{called} is {submission.get_state_display()}.", rest="It is on the board when done."
        )
    if submission.withdrawn_at is not None:
        withdrawn = f"{called} was withdrawn by its team on {submission.withdrawn_at:%Y-%m-%d}."
        return RunSentence(verdict=withdrawn, rest=_say_record(claim) or "It made no claim.")
    if standing is None and submission.shown_score is None:
        return RunSentence(verdict=f"{called} {NOT_RELEASED}.", rest="No figure of it is shown.")
    if standing is None or shown is None:
        return RunSentence(verdict=f"{called} is scored.", rest="Its standing is being computed.")
    return RunSentence(verdict=f"{called} {say_place(standing, shown.content)}.", rest=_say_proved(standing, claim))


def say_no_claim(submission: Submission) -> str:
    """Why a run has no claim to show; of one that is not released nothing else is said."""
    if submission.is_baseline:
        return "None: baselines make no claim."
    if submission.state != RunState.DONE:
        return "None yet."
    if submission.shown_score is None:
        return f"None is shown: the run {NOT_RELEASED}."
    if _found_nobody(submission):
        return "None: nobody held the top rung when it came."
    return "None: it did not score above the holder when it came."


def _found_nobody(submission: Submission) -> bool:
    """Whether no run was on the board before it, or none that had not been withdrawn."""
    before = submission.board.submissions.filter(number__lt=submission.number, settled_at__isnull=False)
    return not before.exclude(withdrawn_at__lt=submission.settled_at or submission.submitted_at).exists()


def _say_proved(standing: Mapping[str, Any], claim: Claim | None) -> str:
    is_voided = claim is not None and claim.voided_at is not None  # since the board was computed
    if standing["status"] == Status.LAST_PROVED and not is_voided:
        return "It was the last to prove an improvement when it came."
    return _say_claim(claim)


def _say_claim(claim: Claim | None) -> str:
    if claim is None:
        return ""
    if claim.voided_at is not None:
        return f"Its claim was voided by an organiser on {claim.voided_at:%Y-%m-%d}."
    return "Its claim passed: it proved an improvement when it came." if claim.passed else "Its claim did not pass."


def _say_record(claim: Claim | None) -> str:
    said = _say_claim(claim)
    return f"{said} That stays on record." if said else ""

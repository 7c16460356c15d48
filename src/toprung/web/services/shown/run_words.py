"""What is the one sentence about a run? Where it stands, as far as the release policy shows it, and its claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toprung.boards.engine.words import say_top_group
from toprung.boards.row import Status
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import StoredResult
from toprung.web.core.models.runs import RunState, Submission
from toprung.words.wording import say_count

NOT_RELEASED = "shows no score by the release policy of this board"


@dataclass(frozen=True, kw_only=True)
class RunSentence:
    """Bold is the verdict; the rest follows in plain type."""

    verdict: str
    rest: str = ""


def say_run(
    submission: Submission, standing: Mapping[str, Any] | None, claim: Claim | None, shown: StoredResult | None
) -> RunSentence:
    """``standing``: its row on the board for the audience that asks; ``claim``: where the audience may know it.

    ``shown``: the board that the row is on.
    """
    label = submission.run_id
    if submission.state == RunState.FAILED:
        return RunSentence(verdict=f"{label} could not be scored.", rest=submission.failure)
    if submission.state != RunState.DONE:
        return RunSentence(
            verdict=f"{label} is {submission.get_state_display()}.", rest="It is on the board when done."
        )
    if submission.withdrawn_at is not None:
        withdrawn = f"{label} was withdrawn by its team on {submission.withdrawn_at:%Y-%m-%d}."
        return RunSentence(verdict=withdrawn, rest=_say_record(claim) or "It made no claim.")
    if standing is None and submission.shown_score is None:
        return RunSentence(verdict=f"{label} {NOT_RELEASED}.", rest="No figure of it is shown.")
    if standing is None or shown is None:
        return RunSentence(verdict=f"{label} is scored.", rest="Its standing is being computed.")
    return RunSentence(verdict=_say_standing(label, standing, shown.content), rest=_say_proved(standing, claim))


def _say_standing(label: str, standing: Mapping[str, Any], board: Mapping[str, Any]) -> str:
    """As the sentence of the board has it."""
    if not standing["top_group"]:
        return f"{label} ranks {say_ranks(standing['rank_low'], standing['rank_high'])}."
    others = len(board["top_group"]) - 1
    if others:
        return f"{label} may be best, with {say_count(others, 'other')}."
    return " ".join(say_top_group([label], n_runs=board["n_runs"], n_queries=board["n_queries"])).rstrip()


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


def say_ranks(low: int, high: int) -> str:
    """The ranks a run may have, in words.

    >>> say_ranks(1, 4), say_ranks(3, 3)
    ('between 1st and 4th', '3rd')
    """
    return ordinal(low) if low == high else f"between {ordinal(low)} and {ordinal(high)}"


def ordinal(number: int) -> str:
    """A place in words.

    >>> [ordinal(number) for number in (1, 2, 3, 11, 22, 113)]
    ['1st', '2nd', '3rd', '11th', '22nd', '113th']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{'th' if 10 < number % 100 < 14 else ending}"

"""What is on record of claims to the top rung? Every one of them, as far as each audience may see it; none is hidden.

Everyone sees p to two digits, shares to 0.1% and mean ranks to two decimals. Of a claim whose run shows no score under
the release policy, everyone sees that it was made, what it was held to, and that it was not supported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet

from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.verdict import LinGrade
from toprung.boards.rounding import SCORE_DIGITS, round_to_grid, to_two_digits
from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Audience
from toprung.web.core.models.runs import Submission
from toprung.web.core.store.rules import release_of
from toprung.words.wording import show_level, show_number, show_p

VERDICTS = {
    Verdict.B: "the run does better",
    Verdict.A: "the holder does better",
    Verdict.CONFLICT: "each does better in one way",
    Verdict.TIED: "cannot be told apart",
}
GRADES = {
    LinGrade.SIGNIFICANT: "in both ways",
    LinGrade.NO_HARM_ANSWERED: "answers more, no harm",
    LinGrade.NO_HARM_RANKING: "finds it sooner, no harm",
    LinGrade.NONE: "",
}
NOT_SHOWN = "Not shown under this board’s release policy."


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """A claim in words."""

    number: int
    day: date
    run: str
    identity: Identity
    against: str
    outcome: str
    """Supported, not supported, or voided."""
    verdict: str
    grade: str
    shows: str
    reason: str
    p_value: float | None
    """To two digits for everyone."""
    level_held_to: float | None
    is_shown: bool
    is_supported: bool
    is_withdrawn: bool
    voided_on: date | None
    void_reason: str
    effects: Sequence[Mapping[str, str]] = ()
    """Differences against the holder of the day, each with its interval."""

    @property
    def p(self) -> str:
        return "" if self.p_value is None else show_p(self.p_value)

    @property
    def level(self) -> str:
        return "" if self.level_held_to is None else show_level(self.level_held_to)

    def record(self) -> dict[str, Any]:
        """For a file."""
        return {
            "number": self.number,
            "date": self.day.isoformat(),
            "run": self.run,
            "name": "" if self.identity.is_hidden else self.identity.name,
            "team": self.identity.team,
            "against": self.against,
            "outcome": self.outcome,
            "verdict": self.verdict,
            "grade": self.grade,
            "shows": self.shows,
            "reason": self.reason,
            "p": self.p_value,
            "level": self.level_held_to,
            "withdrawn": self.is_withdrawn,
            "voided_on": None if self.voided_on is None else self.voided_on.isoformat(),
            "void_reason": self.void_reason,
        }


def find_claims(viewer: Viewer) -> QuerySet[Claim]:
    """The latest first, with whom they are of; as of an earlier version of the labels, those made until then."""
    claims = viewer.board.claims.select_related("submission__team", "holder").order_by("-number")
    return claims.filter(label_set__version__lte=viewer.version) if viewer.is_as_of else claims


def to_entries(
    claims: Iterable[Claim], viewer: Viewer, effects: Mapping[str, Sequence[Mapping[str, str]]] | None = None
) -> list[LedgerEntry]:
    return [_to_entry(claim, viewer, (effects or {}).get(claim.submission.run_id, ())) for claim in claims]


def _to_entry(claim: Claim, viewer: Viewer, effects: Sequence[Mapping[str, str]]) -> LedgerEntry:
    submission, is_shown = claim.submission, is_claim_shown_to(claim, viewer.audience)
    is_voided = claim.voided_at is not None
    outcome = "voided" if is_voided else "supported" if claim.is_supported else "not supported"
    return LedgerEntry(
        number=claim.number,
        day=submission.submitted_at.date(),
        run=submission.run_id,
        identity=viewer.namer.name(submission),
        against=claim.holder.run_id,
        outcome=outcome,
        verdict=VERDICTS[Verdict(claim.verdict)] if is_shown and claim.verdict else "",
        grade=GRADES[LinGrade(claim.grade)] if is_shown and claim.verdict == Verdict.B else "",
        shows=claim.shows if is_shown else "not shown",
        reason=reason_for(claim, viewer.board, viewer.audience) if is_shown else NOT_SHOWN,
        p_value=p_for(claim.p, viewer.audience) if is_shown else None,
        level_held_to=claim.level,
        is_shown=is_shown,
        is_supported=claim.is_supported and not is_voided,
        is_withdrawn=submission.withdrawn_at is not None,
        voided_on=None if claim.voided_at is None else claim.voided_at.date(),
        void_reason=claim.void_reason,
        effects=effects if is_shown else (),
    )


def is_shown_to(submission: Submission, audience: Audience) -> bool:
    """Whether any figure of the run may be shown."""
    return audience is Audience.ORGANISERS or submission.shown_score is not None


def is_claim_shown_to(claim: Claim, audience: Audience) -> bool:
    """As it was under the labels it was tested on: what a later version shows of the run is something else."""
    if claim.was_shown is None:
        return is_shown_to(claim.submission, audience)
    return audience is Audience.ORGANISERS or claim.was_shown


def p_for(p: float | None, audience: Audience) -> float | None:
    """As exact as the audience may see it."""
    return p if p is None or audience is Audience.ORGANISERS else to_two_digits(p)


def reason_for(claim: Claim, board: Board, audience: Audience) -> str:
    """The sentence as recorded; where it holds means of RR, these are shown no finer than scores are."""
    means = [claim.evidence.get(name) for name in ("mean_run", "mean_holder")]
    if audience is Audience.ORGANISERS or claim.evidence.get("facet") != "rr" or None in means:
        return claim.reason
    release = release_of(board)
    exact = " against ".join(show_number(mean, SCORE_DIGITS) for mean in means)
    shown = " against ".join(show_number(round_to_grid(mean, release.grid), release.decimals) for mean in means)
    return claim.reason.replace(exact, shown)

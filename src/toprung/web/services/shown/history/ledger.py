"""What is on record of claims to the top rung? Every one of them that each audience may see.

Everyone sees them as the board's disclosure says. A run whose score is not released makes no claim, for that it scores
above the holder would tell of the labels; where a later policy or version of the labels hides a run, its claim is not
listed for everyone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import FloatField, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from toprung.boards.engine.words import in_short, say_beside, say_claim, say_verdict
from toprung.web.core.access.claims_shown import HOLDER_ANSWERED, RUN_ANSWERED, ClaimEffect, claim_for, effects_of
from toprung.web.core.access.namer import Identity
from toprung.web.core.access.viewer import Viewer
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Audience, Standing
from toprung.web.core.models.runs import Submission
from toprung.web.services.results.public import decimals_for
from toprung.words.wording import show_level, show_number, show_p

NOT_SHOWN = "Not shown under this board’s release policy."


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """A claim in words."""

    number: int
    day: date
    run: str
    identity: Identity
    against: str
    holder: Identity
    """By which name the run appears that it was made against."""
    outcome: str
    """Passed, not passed, or voided."""
    verdict: str
    """What the two runs are to each other, whatever the claim was held to: A, B, conflict or tied."""
    grade: str
    pair: str
    """The same in words."""
    shows: str
    """What it showed, or why it did not pass."""
    beside: str
    """What stands beside "not passed", where the pair differs all the same or harm is in question."""
    reason: str
    """All of it in one sentence."""
    p_value: float | None
    """To two digits for everyone."""
    level_held_to: float | None
    smallest_gain: float | None
    """What it could see four times in five."""
    decimals: int
    """Of scores, for this audience."""
    is_shown: bool
    passed: bool
    """And stands: a voided claim has not."""
    is_withdrawn: bool
    voided_on: date | None
    void_reason: str
    effects: Sequence[ClaimEffect] = ()
    """Differences against the holder of the day, each with its interval; that of the official measure first."""

    @property
    def p(self) -> str:
        return "" if self.p_value is None else show_p(self.p_value)

    @property
    def level(self) -> str:
        return "" if self.level_held_to is None else show_level(self.level_held_to)

    @property
    def could_see(self) -> str:
        """Empty where it is not known: runs that differ by the same everywhere have no spread."""
        return show_number(self.smallest_gain, self.decimals) if self.smallest_gain else ""

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
            "passed": self.passed,
            "verdict": self.verdict,
            "grade": self.grade,
            "pair": self.pair,
            "shows": self.shows,
            "beside": self.beside,
            "reason": self.reason,
            "p": self.p_value,
            "level": self.level_held_to,
            "smallest_gain": self.smallest_gain,
            "withdrawn": self.is_withdrawn,
            "voided_on": None if self.voided_on is None else self.voided_on.isoformat(),
            "void_reason": self.void_reason,
        }


def find_claims(viewer: Viewer) -> QuerySet[Claim]:
    """The latest first, with whom they are of; as of an earlier version of the labels, those made until then."""
    claims = Claim.objects if viewer.audience is Audience.ORGANISERS else claims_for_everyone()
    claims = _with_whom(claims.filter(board=viewer.board)).order_by("-number")
    return claims.filter(label_set__version__lte=viewer.version) if viewer.is_as_of else claims


def claims_for_everyone() -> QuerySet[Claim]:
    """Of all boards, those that may be listed for who has no role, with whom they are of."""
    return _with_whom(
        Claim.objects.filter(Q(was_shown=True) | Q(was_shown=None, submission__shown_score__isnull=False))
    )


def _with_whom(claims: QuerySet[Claim]) -> QuerySet[Claim]:
    claims = claims.select_related("submission__team", "holder__team", "label_set")
    return claims.annotate(**{RUN_ANSWERED: _answered("submission"), HOLDER_ANSWERED: _answered("holder")})


def _answered(of: str) -> Subquery:
    """As everyone sees it on the board now."""
    rows = Standing.objects.filter(audience=Audience.PUBLIC, submission=OuterRef(of))
    rows = rows.filter(labels_version=OuterRef("board__shown_version"))
    return Subquery(rows.values_list(Cast(KeyTextTransform("answered", "content"), FloatField()))[:1])


def to_entries(claims: Iterable[Claim], viewer: Viewer) -> list[LedgerEntry]:
    return [_to_entry(claim, viewer) for claim in claims]


def _to_entry(claim: Claim, viewer: Viewer) -> LedgerEntry:
    submission, is_shown = claim.submission, is_claim_shown_to(claim, viewer.audience)
    is_voided = claim.voided_at is not None
    outcome = "voided" if is_voided else "passed" if claim.passed else "not passed"
    decimals = decimals_for(viewer.board, viewer.audience)
    tested = claim_for(claim, viewer.board, viewer.audience)
    return LedgerEntry(
        number=claim.number,
        day=submission.submitted_at.date(),
        run=submission.run_id,
        identity=viewer.namer.name(submission),
        against=claim.holder.run_id,
        holder=viewer.namer.name(claim.holder),
        outcome=outcome,
        verdict=claim.verdict if is_shown else "",
        grade=claim.grade if is_shown else "",
        pair=say_verdict(tested.verdict) if is_shown and tested.verdict is not None else "",
        shows=in_short(tested) if is_shown else "not shown",
        beside=say_beside(tested) if is_shown else "",
        reason=say_claim(tested, decimals=decimals) if is_shown else NOT_SHOWN,
        p_value=tested.p if is_shown else None,
        level_held_to=claim.level,
        smallest_gain=_finite(tested.smallest_gain) if is_shown else None,
        decimals=decimals,
        is_shown=is_shown,
        passed=claim.passed and not is_voided,
        is_withdrawn=submission.withdrawn_at is not None,
        voided_on=None if claim.voided_at is None else claim.voided_at.date(),
        void_reason=claim.void_reason,
        effects=effects_of(claim, viewer.board, viewer.audience) if is_shown else (),
    )


def _finite(gain: float | None) -> float | None:
    """None where no gain would have been seen: files know no infinity."""
    return None if gain is None or math.isinf(gain) else gain


def is_shown_to(submission: Submission, audience: Audience) -> bool:
    """Whether any figure of the run may be shown."""
    return audience is Audience.ORGANISERS or submission.shown_score is not None


def is_claim_shown_to(claim: Claim, audience: Audience) -> bool:
    """As it was under the labels it was tested on: what a later version shows of the run is something else."""
    if claim.was_shown is None:
        return is_shown_to(claim.submission, audience)
    return audience is Audience.ORGANISERS or claim.was_shown

"""How well do people judge here? As the library finds it, in words for the organiser; nobody is called by a name."""

from __future__ import annotations

import math
from typing import Any

from toprung.analyses.diagnose.words import say_agreement
from toprung.labels.assessors.review import AssessorReview, ReviewedAssessor, review_assessors
from toprung.labels.assessors.shrunk_shares import ShrunkShare
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.stats.intervals.proportions import wilson_share
from toprung.web.core.models.judging import Campaign
from toprung.web.services.judging.campaigns.standing import CampaignStanding
from toprung.words.wording import say_count, show_number

IN_USE = "in use"
FEW_PAIRS = "Too few pairs were judged twice to say what one vote is worth."


def codes_of(campaign: Campaign) -> dict[str, str]:
    """What assessors are called on pages, by their names in the records."""
    return {seat.assessor: seat.code for seat in campaign.seats.order_by("number")}


def tell_quality(standing: CampaignStanding) -> dict[str, Any]:
    found = review_assessors(standing.judgments, standing.golds)
    codes, use = codes_of(standing.campaign), _say_use(standing)
    return {
        "rows": [_tell_row(row, codes) | {"use": use.get(row.record.assessor, IN_USE)} for row in found.rows],
        "worth": say_worth(found),
        "alpha": _number(found.agreement.alpha),
        "alpha_said": "" if math.isnan(found.agreement.alpha) else show_number(found.agreement.alpha, 2),
        "n_twice": found.agreement.n_compared,
        "golds": [found.golds.successes, found.golds.trials],
        "left": _say_left(found),
        "n_set_aside": sum(each.stage is AssignmentStage.EXCLUDED for each in standing.sitting.assignments),
    }


def _say_use(standing: CampaignStanding) -> dict[str, str]:
    """Of each assessor whether what they handed in is used."""
    found: dict[str, list[bool]] = {}
    for each in standing.sitting.assignments:
        if each.stage in (AssignmentStage.ACCEPTED, AssignmentStage.EXCLUDED):
            found.setdefault(each.assessor, []).append(each.stage is AssignmentStage.ACCEPTED)
    return {assessor: _say_used(sum(used), len(used)) for assessor, used in found.items()}


def _say_used(n: int, of: int) -> str:
    if n == of:
        return IN_USE
    return f"{n:,} of {say_count(of, 'task')} in use" if n else "out of use"


def say_worth(found: AssessorReview) -> str:
    """What one vote is worth, in plain words."""
    agreed = wilson_share(found.agreement.n_agreed, found.agreement.n_compared)
    said = say_agreement(agreed)
    return f"{said[0].upper()}{said[1:]}." if said else FEW_PAIRS


def _say_left(found: AssessorReview) -> str:
    """How often the left side was chosen; it says nothing of nobody."""
    left = found.left
    return "" if math.isnan(left.estimate) else f"{left.estimate:.1%} ({left.low:.1%} to {left.high:.1%})"


def _say_alpha(alpha: ShrunkShare) -> str:
    if math.isnan(alpha.estimate):
        return ""
    estimate, low, high = (show_number(each, 2) for each in (alpha.estimate, alpha.low, alpha.high))
    return f"{estimate} ({low} to {high}), n {alpha.n}"


def _tell_row(row: ReviewedAssessor, codes: dict[str, str]) -> dict[str, Any]:
    record = row.record
    return {
        "assessor": record.assessor,
        "code": codes.get(record.assessor, record.assessor[:8]),
        "n": record.n_answers,
        "accuracy": _share(row.accuracy),
        "agreement": _share(row.agreement),
        "alpha": _share(row.alpha),
        "alpha_said": _say_alpha(row.alpha),
        "left": [_number(row.left.estimate), _number(row.left.low), _number(row.left.high), record.n_sided],
        "fast": [_number(row.fast.estimate), _number(row.fast.low), _number(row.fast.high), record.n_timed],
        "median": None if record.median_seconds is None else round(record.median_seconds, 1),
        "longest_run": record.longest_run,
        "skips": record.n_skips,
        "golds": [record.n_golds - record.n_missed, record.n_golds],
        "reason": "" if row.suspicion is None else row.suspicion.reason,
        "p": None if row.suspicion is None else row.suspicion.p,
    }


def _share(share: Any) -> list[float | int | None]:
    return [_number(share.estimate), _number(share.low), _number(share.high), share.n]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)

"""What does the page of a comparison show, for one audience? Words, outcomes, evidence and figures, as JSON."""

from __future__ import annotations

from typing import Any

from toprung.analyses.compare.find import Comparisons
from toprung.analyses.compare.pair import PairComparison
from toprung.analyses.compare.words import say_elsewhere
from toprung.boards.disclosure.disclosure import LEFT_OUT, Disclosure
from toprung.boards.engine.words import say_as_claim, say_harm
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.boards.row import OutcomeShares
from toprung.report.charts.kinds import miss_cost, rank_differences
from toprung.result import json_safe
from toprung.web.core.models.results import Audience
from toprung.web.services.results.compare.evidence import show_evidence
from toprung.web.services.results.content import TO_THE_NEAREST_TEN, show_explanation, show_figure, show_provenance
from toprung.web.services.results.public import seen_by
from toprung.words.wording import list_names


def show_comparison(compared: Comparisons, audience: Audience, release: Disclosure) -> dict[str, Any]:
    """What the page of a comparison is made of; for everyone with the scores that the release policy shows."""
    is_public = audience is Audience.PUBLIC
    found = seen_by(audience, compared, release, key="compare")
    (pair,) = found.pairs
    figures = [draw(found) for draw in (rank_differences.draw, miss_cost.draw)]
    is_coarse = is_public and release.is_hidden
    remarks = {"rank-differences": TO_THE_NEAREST_TEN} if is_coarse else {}
    side = pair.found.side or 1
    return {
        "a": pair.a,
        "b": pair.b,
        "measure": pair.measure,
        "sentence": pair.reason,
        "verdict": pair.found.verdict.value,
        "grade": pair.found.grade.value,
        "harm": say_harm(pair.b if side > 0 else pair.a, pair.parts, side),
        "claim": _show_claim(pair),
        "elsewhere": say_elsewhere(pair),
        "outcomes": None if pair.breakdown is None else _show_outcomes(pair.breakdown, release if is_public else None),
        "evidence": list(show_evidence(pair, release, is_public=is_public)),
        "left_out": _say_left_out(pair, release) if is_coarse else "",
        "explanation": show_explanation(found.explanation),
        "figures": [show_figure(each, remarks.get(each.kind, "")) for each in figures if each is not None],
        "provenance": show_provenance(found, audience),
    }


def _say_left_out(pair: PairComparison, release: Disclosure) -> str:
    """Why a table or a drawing is not there; empty where all are."""
    found = pair.breakdown
    if found is None:
        return ""
    counts = found.outcomes
    missing = [
        *([] if release.shows_figure_over(counts.both) else ["RR and search length where both answer"]),
        *([] if release.shows_figure_over(counts.a_higher + counts.b_higher) else ["how far apart the answers are"]),
    ]
    return f"{LEFT_OUT}: here {list_names(missing)}." if missing else ""


def _show_claim(pair: PairComparison) -> dict[str, Any] | None:
    """What the pair would be as the first claim of the board."""
    claim = pair.claim
    if claim is None:
        return None
    figures: dict[str, Any] = json_safe({"p": claim.p, "level": claim.level, "smallest_gain": claim.smallest_gain})
    words = say_as_claim(claim, decimals=pair.score_decimals)
    return {"rule": claim.rule.value, **figures, "would_pass": claim.passed, "words": words}


def _show_outcomes(breakdown: Breakdown, release: Disclosure | None) -> dict[str, Any]:
    counts = breakdown.outcomes
    shares = OutcomeShares.of(counts)
    exact = {
        "only_this": counts.only_b,
        "better": counts.b_higher,
        "same": counts.same,
        "neither": counts.neither,
        "worse": counts.a_higher,
        "only_top": counts.only_a,
    }
    if release is None or not release.is_hidden:
        shown = shares if release is None else release.shares(shares)
        return {"shares": {name: getattr(shown, name) for name in exact}, "counts": exact, "is_about": False}
    told = {name: getattr(release.shares(shares), name) for name in exact}
    about = {name: release.count_of_share(share, counts.n) for name, share in told.items()}
    return {"shares": told, "counts": about, "is_about": True}

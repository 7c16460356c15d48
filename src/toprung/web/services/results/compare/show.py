"""What does the page of a comparison show, for one audience? Words, outcomes, evidence and figures, as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, replace
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
from toprung.web.services.results.compare.evidence import show_evidence, show_others
from toprung.web.services.results.compare.pair import ComparedPair
from toprung.web.services.results.content import (
    IN_TENS,
    show_explanation,
    show_figures,
    show_provenance,
)
from toprung.web.services.results.public import seen_by
from toprung.words.wording import list_names

OF_HIDDEN_QUERIES = "The labels are hidden, so nothing is shown query by query."
BOUNDED = "The p that decides is told as a bound that it does not exceed."


def show_comparison(compared: ComparedPair, audience: Audience, release: Disclosure) -> dict[str, Any]:
    """What the page of a comparison is made of; for everyone with the scores that the release policy shows."""
    is_public = audience is Audience.PUBLIC
    found = seen_by(audience, compared.found, release, key="compare")
    (pair,) = found.pairs
    is_coarse = is_public and release.is_hidden
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
        "has_ranks": pair.breakdown is not None,
        "decimals": pair.score_decimals,
        "outcomes": _show_outcomes(pair.breakdown, release if is_public else None),
        "bars": [] if is_coarse else [asdict(each) for each in compared.bars],
        "evidence": [
            *show_evidence(pair, release, is_public=is_public),
            *show_others(compared.others, release, is_public=is_public, n=pair.n),
        ],
        "left_out": _say_left_out(pair, release) if is_coarse else "",
        "explanation": show_explanation(found.explanation),
        "figures": show_figures(
            _in_letters(found),
            [rank_differences.draw, miss_cost.draw],
            remarks={"rank-differences": IN_TENS} if is_coarse else {},
            has_narrow=True,
        ),
        "provenance": show_provenance(found, audience),
    }


def _in_letters(found: Comparisons) -> Comparisons:
    """Figures speak of A and B: which runs these are, each person is told by the names they may know."""
    return replace(found, pairs=tuple(replace(pair, a="A", b="B") for pair in found.pairs))


def _say_left_out(pair: PairComparison, release: Disclosure) -> str:
    """Why a table, a drawing or a p is not there; empty where all are."""
    missing = list(_missing(pair, release))
    so = f"{LEFT_OUT}: here {list_names(missing)}." if missing else ""
    so = f"{so} {BOUNDED}" if _has_bounds(pair) else so
    return so if pair.breakdown is not None else f"{OF_HIDDEN_QUERIES} {so}".rstrip()


def _missing(pair: PairComparison, release: Disclosure) -> Iterator[str]:
    found = pair.breakdown
    if found is not None:
        counts = found.outcomes
        if not release.shows_figure_over(counts.n):
            yield from ("how the queries came out", "the share answered")
        if not release.shows_figure_over(counts.both):
            yield "RR and search length where both answer"
        if not release.shows_figure_over(counts.a_higher + counts.b_higher):
            yield "how far apart the answers are"
        if math.isnan(found.miss_cost.misses):
            yield "what a miss would have to cost"
    if _has_bounds(pair):
        yield "the p of tests on fewer that differ"


def _has_bounds(pair: PairComparison) -> bool:
    """Whether so few queries differ that the p of tests which explain a verdict are left out."""
    found = pair.breakdown
    explaining = [pair.naive.sign.p, *([] if found is None else [found.only_one.p, found.esl.signed_rank.p])]
    return any(map(math.isnan, explaining))


def _show_claim(pair: PairComparison) -> dict[str, Any] | None:
    """What the pair would be as the first claim of the board."""
    claim = pair.claim
    if claim is None:
        return None
    figures: dict[str, Any] = json_safe({"p": claim.p, "level": claim.level, "smallest_gain": claim.smallest_gain})
    words = say_as_claim(claim, decimals=pair.score_decimals)
    return {"rule": claim.rule.value, **figures, "would_pass": claim.passed, "words": words}


def _show_outcomes(breakdown: Breakdown | None, release: Disclosure | None) -> dict[str, Any] | None:
    """None without first ranks, or where too few hidden queries would be told by them."""
    if breakdown is None or (release is not None and not release.shows_figure_over(breakdown.outcomes.n)):
        return None
    counts = breakdown.outcomes
    shares = OutcomeShares.of(counts)
    shown = shares if release is None else release.shares(shares)
    if release is not None and release.is_hidden:
        return {"shares": vars(shown), "counts": release.counts(counts), "is_about": True}
    exact = {
        "only_this": counts.only_b,
        "better": counts.b_higher,
        "same": counts.same,
        "neither": counts.neither,
        "worse": counts.a_higher,
        "only_top": counts.only_a,
    }
    return {"shares": vars(shown), "counts": exact, "is_about": False}

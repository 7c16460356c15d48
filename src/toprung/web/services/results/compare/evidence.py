"""Which figures speak for a pair? One row a question: the measure that decides, then the parts that explain it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from toprung.analyses.compare.pair import PairComparison
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.rounding import RANK_DIGITS, SCORE_DIGITS
from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.words import say_points
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.boards.outcomes import Outcomes
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.intervals.harm import HarmBounds
from toprung.stats.tests.pair import MOST_FLIPPED, PairTest
from toprung.web.services.results.compare.pair import OtherDifference
from toprung.words.wording import show_interval, show_level, show_number, show_p, show_share

type Row = dict[str, Any]
ONE_ONLY, BOTH = ("only_this", "only_top"), ("better", "same", "worse")
"""Outcomes, by the names of their shares."""


def show_evidence(pair: PairComparison, release: Disclosure, *, is_public: bool) -> Iterator[Row]:
    """B, A, B less A with its interval, n, tests, levels; without first ranks the official measure alone."""
    yield _show_measure(pair, release, is_public=is_public)
    parts, breakdown = pair.parts, pair.breakdown
    if breakdown is None or parts.ranking is None:
        return
    levels = f"{show_level(pair.alpha / 2)}, {show_level(pair.alpha)}"
    told = release if is_public else None
    if told is None or told.shows_figure_over(breakdown.outcomes.n):
        yield _show_answered(pair, breakdown, told) | {"levels": levels}
    if told is None or told.shows_figure_over(breakdown.outcomes.both):
        yield _show_both(parts, parts.ranking, breakdown, pair.score_decimals, told) | {"levels": levels}
        yield _show_search(breakdown, told)


def show_others(others: Sequence[OtherDifference], release: Disclosure, *, is_public: bool, n: int) -> Iterator[Row]:
    """Measures that inform and never decide, as finely as scores are shown."""
    decimals = release.decimals if is_public else SCORE_DIGITS
    for each in others:
        b, a, effect = each.b, each.a, each.effect
        if is_public:
            b, a = release.score(b), release.score(a)
            effect = replace(release.score_effect(effect), estimate=b - a)
        yield {
            "question": each.measure,
            "detail": "for reference",
            "b": show_number(b, decimals),
            "a": show_number(a, decimals),
            **_show_difference(effect, decimals, ""),
            "more_is_better": higher_is_better(each.measure),
            "n": f"{n:,}",
            "of": "all queries",
            "harm": "",
            "tests": [["does not decide", "–"]],
            "levels": "–",
            "decides": False,
        }


def _show_measure(pair: PairComparison, release: Disclosure, *, is_public: bool) -> Row:
    """The official measure, to the digits that scores are released with; it decides."""
    b, a, effect = pair.mean_b, pair.mean_a, pair.difference
    if is_public:
        b, a = release.shown_scores[pair.b], release.shown_scores[pair.a]
        effect = replace(effect, estimate=b - a)
    decimals = release.decimals if is_public else SCORE_DIGITS
    others = (("Wilcoxon signed-rank test", pair.naive.signed_rank), ("Sign test", pair.naive.sign))
    return {
        "question": pair.measure,
        "detail": "official, decides",
        "b": show_number(b, decimals),
        "a": show_number(a, decimals),
        **_show_difference(effect, decimals, ""),
        "more_is_better": higher_is_better(pair.measure),
        "n": f"{pair.n:,}",
        "of": "all queries",
        "harm": "",
        "tests": [_show_test(pair.parts.measure), *([name, show_p(test.p)] for name, test in others)],
        "levels": show_level(pair.alpha),
        "decides": True,
    }


def _show_answered(pair: PairComparison, breakdown: Breakdown, release: Disclosure | None) -> Row:
    counts, answered = breakdown.outcomes, breakdown.answered_difference
    b, a = (counts.share(each + counts.both) for each in (counts.only_b, counts.only_a))
    if release is not None:  # the difference is that of what is shown
        b, a = release.share(b), release.share(a)
        answered = replace(answered, estimate=b - a)
    found = "share found" if pair.cutoff is None else f"share found in the first {pair.cutoff:,}"
    return {
        "question": "Answered",
        "detail": found,
        "b": show_share(b),
        "a": show_share(a),
        "difference": show_number(100 * answered.estimate, 1, signed=True) + " points",
        "interval": show_interval(100 * answered.low, 100 * answered.high, 1),
        "drawn": [round(each, 3) for each in (answered.estimate, answered.low, answered.high)],
        "more_is_better": True,
        "n": _show_count(counts.only_a + counts.only_b, counts, ONE_ONLY, release),
        "of": "found by one only",
        "harm": _show_harm(pair.parts.answered_harm),
        "tests": [["Binomial, exact", show_p(breakdown.only_one.p)]],
        "decides": False,
    }


def _show_both(
    parts: PairParts, ranking: PairTest, breakdown: Breakdown, decimals: int, release: Disclosure | None
) -> Row:
    return {
        "question": "RR",
        "detail": "where both find it",
        "b": show_number(breakdown.rr.mean_b, decimals),
        "a": show_number(breakdown.rr.mean_a, decimals),
        **_show_difference(breakdown.rr_difference, decimals, ""),
        "more_is_better": True,
        "n": _show_count(breakdown.outcomes.both, breakdown.outcomes, BOTH, release),
        "of": "found by both",
        "harm": _show_harm(parts.ranking_harm),
        "tests": [_show_test(ranking)],
        "decides": False,
    }


def _show_search(breakdown: Breakdown, release: Disclosure | None) -> Row:
    """How much sooner, in ranks: what RR does not say."""
    search = breakdown.esl
    tests = (("Paired t-test", search.facet_p("t")), ("Wilcoxon signed-rank test", search.facet_p("wsr")))
    return {
        "question": "Search length",
        "detail": "where both find it",
        "b": show_number(search.mean_b, RANK_DIGITS),
        "a": show_number(search.mean_a, RANK_DIGITS),
        **_show_difference(breakdown.search_difference, RANK_DIGITS, " ranks"),
        "more_is_better": False,
        "n": _show_count(breakdown.outcomes.both, breakdown.outcomes, BOTH, release),
        "of": "found by both",
        "harm": "",
        "tests": [[name, show_p(p)] for name, p in tests],
        "levels": "–",
        "decides": False,
    }


def _show_difference(effect: Effect, decimals: int, unit: str) -> Row:
    return {
        "difference": show_number(effect.estimate, decimals, signed=True) + unit,
        "interval": show_interval(effect.low, effect.high, decimals),
        "drawn": [_finite(each, decimals) for each in (effect.estimate, effect.low, effect.high)],
    }


def _show_test(found: PairTest) -> list[str]:
    return ["All exchanges, exact" if found.differing <= MOST_FLIPPED else "Paired t-test", show_p(found.p)]


def _show_harm(bounds: HarmBounds | None) -> str:
    """What B loses at most, beside what it may."""
    return "" if bounds is None else f"{say_points(bounds.worst(1))} (margin {100 * bounds.margin:.1f})"


def _show_count(n: int, outcomes: Outcomes, of: Sequence[str], release: Disclosure | None) -> str:
    """How many queries came out so; of hidden ones the sum of what stands beside the outcome bar."""
    if release is None or not release.is_hidden:
        return f"{n:,}"
    told = release.counts(outcomes)
    return f"about {sum(told[name] for name in of):,}"


def _finite(value: float, decimals: int) -> float | None:
    """None where there is no query to draw a difference from."""
    return None if math.isnan(value) else round(value, decimals)

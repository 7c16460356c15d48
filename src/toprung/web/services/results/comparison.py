"""What does the page of a comparison show, for one audience? Words, outcomes, evidence and figures, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from toprung.analyses.compare.find import PairComparison
from toprung.analyses.compare.tables import FACET_WORDS
from toprung.boards.board_release import BoardRelease
from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.breakdown import Breakdown, FacetTest
from toprung.boards.lin2021.verdict import LinRule
from toprung.boards.public import shares_in_public
from toprung.boards.rounding import SCORE_DIGITS, about, to_two_digits, widen_to_grid
from toprung.boards.row import OutcomeShares
from toprung.report.charts.kinds import miss_cost, rank_differences
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.finding import Scale
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.services.results.comparing import Compared
from toprung.web.services.results.content import TO_THE_NEAREST_TEN, show_explanation, show_figure, show_provenance
from toprung.web.services.results.public import seen_by
from toprung.words.wording import show_interval, show_level, show_number, show_p, show_share

TESTS: dict[FacetTest, str] = {"t": "paired t-test", "wsr": "Wilcoxon signed-rank test"}


def show_comparison(board: Board, compared: Compared, audience: Audience, release: BoardRelease) -> dict[str, Any]:
    """What the page of a comparison is made of; for everyone with the scores that the release policy shows."""
    is_public = audience is Audience.PUBLIC
    seen = replace(compared, found=seen_by(audience, compared.found, release, key="compare"))
    pair = seen.pair
    figures = [draw(seen.found) for draw in (rank_differences.draw, miss_cost.draw)]
    remarks = {"rank-differences": TO_THE_NEAREST_TEN} if is_public else {}
    return {
        "a": pair.a,
        "b": pair.b,
        "sentence": pair.reason,
        "verdict": seen.breakdown.verdict.value,
        "grade": seen.breakdown.grade.value,
        "outcomes": _show_outcomes(seen.breakdown, is_public=is_public),
        "evidence": list(_show_evidence(board, seen, release, is_public=is_public)),
        "disagreement": _show_disagreement(seen),
        "explanation": show_explanation(seen.found.explanation),
        "figures": [show_figure(each, remarks.get(each.kind, "")) for each in figures if each is not None],
        "provenance": show_provenance(seen.found, audience),
    }


def _show_outcomes(breakdown: Breakdown, *, is_public: bool) -> dict[str, Any]:
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
    shown = shares_in_public(shares) if is_public else shares
    return {
        "shares": {name: getattr(shown, name) for name in exact},
        "counts": {name: about(count) if is_public else count for name, count in exact.items()},
        "is_about": is_public,
    }


def _show_evidence(
    board: Board, compared: Compared, release: BoardRelease, *, is_public: bool
) -> Iterator[dict[str, Any]]:
    """One row a question: B, A, B less A with its interval, n, tests, levels, scale."""
    yield _show_answered(board, compared.breakdown, is_public=is_public)
    yield _show_ranking(board, compared.breakdown, release, is_public=is_public)
    if compared.official is not None:
        yield _show_official(compared.official, release, is_public=is_public)


def _show_answered(board: Board, breakdown: Breakdown, *, is_public: bool) -> dict[str, Any]:
    counts, answered = breakdown.outcomes, breakdown.answered_difference
    return {
        "question": "Answered",
        "detail": f"share found in the first {board.cutoff:,}",
        "b": show_share(counts.share(counts.only_b + counts.both)),
        "a": show_share(counts.share(counts.only_a + counts.both)),
        "difference": show_number(100 * answered.estimate, 1, signed=True) + " points",
        "interval": show_interval(100 * answered.low, 100 * answered.high, 1),
        "drawn": [round(each, 3) for each in (answered.estimate, answered.low, answered.high)],
        "more_is_better": True,
        "n": _show_count(counts.only_a + counts.only_b, is_public=is_public),
        "of": "found by one only",
        "tests": [["Binomial, exact", show_p(breakdown.only_one.p)]],
        "levels": _show_levels(board),
        "scale": "counts",
        "permits": "test permitted",
        "decides": True,
    }


def _show_ranking(board: Board, breakdown: Breakdown, release: BoardRelease, *, is_public: bool) -> dict[str, Any]:
    judged, difference = breakdown.ranking, breakdown.ranking_difference
    name, decimals, unit, scale = FACET_WORDS[breakdown.facet]
    if breakdown.facet == "rr" and is_public:
        decimals = min(decimals, release.decimals)
    tests = sorted(TESTS, key=lambda test: test != breakdown.facet_test)  # the one that decides first
    return {
        "question": _capitalised(name),
        "detail": "where both find it",
        "b": show_number(judged.mean_b, decimals),
        "a": show_number(judged.mean_a, decimals),
        "difference": show_number(difference.estimate, decimals, signed=True) + unit,
        "interval": show_interval(difference.low, difference.high, decimals),
        "drawn": [_finite(each, decimals) for each in (difference.estimate, difference.low, difference.high)],
        "more_is_better": breakdown.facet == "rr",
        "n": _show_count(breakdown.outcomes.both, is_public=is_public),
        "of": "found by both",
        "tests": [[_capitalised(TESTS[test]), show_p(judged.facet_p(test))] for test in tests],
        "levels": _show_levels(board),
        "scale": scale.name.lower(),
        "permits": "tests permitted" if scale is Scale.RATIO else "t not permitted",
        "decides": True,
    }


def _show_official(pair: PairComparison, release: BoardRelease, *, is_public: bool) -> dict[str, Any]:
    """The official measure, to the digits that scores are released with."""
    b, a, effect = pair.mean_b, pair.mean_a, pair.difference
    difference, low, high, decimals = effect.estimate, effect.low, effect.high, SCORE_DIGITS
    p = pair.naive.rank_sum.p
    if is_public:
        b, a = release.shown_scores[pair.b], release.shown_scores[pair.a]
        difference, (low, high) = b - a, widen_to_grid(low, high, release.grid)
        decimals, p = release.decimals, to_two_digits(p)
    permits = pair.scale is not None and pair.scale.permits(pair.naive.t.needs)
    return {
        "question": pair.measure,
        "detail": "official, not for the verdict",
        "b": show_number(b, decimals),
        "a": show_number(a, decimals),
        "difference": show_number(difference, decimals, signed=True),
        "interval": show_interval(low, high, decimals),
        "drawn": [round(each, decimals) for each in (difference, low, high)],
        "more_is_better": higher_is_better(pair.measure),
        "n": f"{pair.n:,}",
        "of": "all queries",
        "tests": [["Wilcoxon rank-sum test", show_p(p)]],
        "levels": "–",
        "scale": "" if pair.scale is None else pair.scale.name.lower(),
        "permits": "" if pair.scale is None else "tests permitted" if permits else "t not permitted",
        "decides": False,
    }


def _show_disagreement(compared: Compared) -> dict[str, str] | None:
    if compared.other_verdict is None:
        return None
    breakdown, pair = compared.breakdown, compared.pair
    other: FacetTest = "wsr" if breakdown.facet_test == "t" else "t"
    verdicts = {
        Verdict.B: f"{pair.b} would do better",
        Verdict.A: f"{pair.a} would do better",
        Verdict.CONFLICT: "each would do better in one way",
        Verdict.TIED: "the two could not be told apart",
    }
    return {
        "t": show_p(breakdown.ranking.facet_p("t")),
        "wsr": show_p(breakdown.ranking.facet_p("wsr")),
        "decides": TESTS[breakdown.facet_test],
        "other": TESTS[other],
        "otherwise": verdicts[compared.other_verdict],
    }


def _show_levels(board: Board) -> str:
    """For a gain and for harm: where one gain is enough, each is held to half the level."""
    gain = board.alpha if board.rule == LinRule.SIGNIFICANT else board.alpha / 2
    return f"{show_level(gain)}, {show_level(board.alpha)}"


def _show_count(n: int, *, is_public: bool) -> str:
    return f"about {about(n):,}" if is_public else f"{n:,}"


def _capitalised(text: str) -> str:
    return text[0].upper() + text[1:]


def _finite(value: float, decimals: int) -> float | None:
    """None where there is no query to draw a difference from."""
    return None if value != value else round(value, decimals)  # noqa: PLR0124 - NaN is not itself

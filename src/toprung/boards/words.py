"""What would a person say of two runs? One honest sentence for each verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.verdict import LinGrade
from toprung.result import Explanation
from toprung.stats.finding import Scale
from toprung.stats.tests.corrections import CORRECTION_NAMES
from toprung.words.assumptions import COMPLETE_LABELS, FAIR_SAMPLE, NEARLY_NORMAL, SAME_QUERIES, say_equal_steps
from toprung.words.wording import say_p, show_interval, show_number, show_share

if TYPE_CHECKING:
    from toprung.analyses.compare.find import Comparisons, PairComparison
    from toprung.boards.lin2021.breakdown import Breakdown

FACET_TESTS = {"t": "paired t-test", "wsr": "signed-rank test"}
FACETS = {"esl": "the rank of the answer", "rr": "RR"}


def say_pair(pair: PairComparison) -> str:
    """The verdict on a pair, with what it rests on."""
    breakdown = pair.breakdown
    if breakdown is None:
        return _say_naively(pair)
    if breakdown.verdict is Verdict.TIED:
        return (
            f"{pair.b} and {pair.a} cannot be told apart: neither in which questions they answer "
            f"({_answered(breakdown, 1)}), nor in how they rank the answers ({_ranking(breakdown, 1)})."
        )
    if breakdown.verdict is Verdict.CONFLICT:
        side = breakdown.only_one.direction
        winner = pair.b if side > 0 else pair.a
        return (
            f"{winner} answers more questions ({_answered(breakdown, side)}) but ranks them lower "
            f"({_ranking(breakdown, side)}): which is better depends on what a miss costs."
        )
    side = 1 if breakdown.verdict is Verdict.B else -1
    winner = pair.b if side > 0 else pair.a
    answered, ranking = _answered(breakdown, side), _ranking(breakdown, side)
    if breakdown.grade is LinGrade.SIGNIFICANT:
        return f"{winner} answers more questions ({answered}) and ranks them higher ({ranking}): {winner} is better."
    if breakdown.grade is LinGrade.NO_HARM_ANSWERED:
        return (
            f"{winner} answers more questions ({answered}) and ranks them no worse ({ranking}): "
            f"{winner} is better, doing no harm."
        )
    return (
        f"{winner} ranks answers higher ({ranking}) and answers no fewer questions ({answered}): "
        f"{winner} is better, doing no harm."
    )


def _answered(breakdown: Breakdown, side: int) -> str:
    """Shares of queries only one run answers, those of the given side first."""
    counts = breakdown.outcomes
    first, second = (counts.only_b, counts.only_a) if side > 0 else (counts.only_a, counts.only_b)
    shares = f"{show_share(counts.share(first))} against {show_share(counts.share(second))} that the other misses"
    return f"{shares}, {say_p(breakdown.only_one.p)}"


def _ranking(breakdown: Breakdown, side: int) -> str:
    """The facet's means where both answer, those of the given side first."""
    facet = breakdown.ranking
    name, decimals = ("mean rank", 2) if breakdown.facet == "esl" else ("mean RR", breakdown.score_decimals)
    first, second = (facet.mean_b, facet.mean_a) if side > 0 else (facet.mean_a, facet.mean_b)
    means = f"{name} {show_number(first, decimals)} against {show_number(second, decimals)}"
    return f"{means}, {say_p(breakdown.ranking_p)}"


def _say_naively(pair: PairComparison) -> str:
    found = pair.naive.t
    runs = [(pair.b, pair.mean_b), (pair.a, pair.mean_a)]
    (first, first_mean), (second, second_mean) = runs if found.direction >= 0 else reversed(runs)
    told = f"{show_number(first_mean, 4)} against {show_number(second_mean, 4)}, paired t-test, {say_p(found.p)}"
    if found.p > pair.alpha:
        return f"{first} and {second} cannot be told apart by {pair.measure} ({told})."
    return (
        f"{first} has a higher {pair.measure} than {second}, beyond chance ({told}); "
        "the measure does not say in which way."
    )


def say_notes(pair: PairComparison) -> Iterator[str]:
    """What else to know of a pair."""
    if pair.breakdown is not None:
        yield from _breakdown_notes(pair, pair.breakdown)
    if not math.isnan(pair.detectable):
        detectable = show_number(pair.detectable, 4)
        yield (
            f"With {pair.n:,} queries and this spread, a difference in {pair.measure} of {detectable} would be found "
            "with a power of 0.8."
        )


def _breakdown_notes(pair: PairComparison, breakdown: Breakdown) -> Iterator[str]:
    search = breakdown.esl
    if search.tests_point_apart and min(search.t.p, search.signed_rank.p) <= pair.alpha:
        test = "paired t-test" if breakdown.facet_test == "t" else "signed-rank test"
        yield f"On search length the mean and the signed ranks point opposite ways; the {test} decides here."
    if breakdown.facet_test == "t" and breakdown.ranking.t.is_constant:
        yield (
            "Where both answer, every query differs by the same amount: the t-test then gives p = 0 on however few "
            f"queries, so the verdict rests on exchanging the runs query by query, {say_p(breakdown.ranking_p)}."
        )
    yield _say_break_even(pair, breakdown)
    if breakdown.alignment.warning:
        yield f"Alignment, {breakdown.alignment.warning}."
    yield f"The claim that {pair.b} is better has {say_p(breakdown.claim_p)}."
    yield "A gain in one facet is held to half the level, harm is seen at the full level."


def _say_break_even(pair: PairComparison, breakdown: Breakdown) -> str:
    side, cost = breakdown.break_even.b_wins, breakdown.break_even.cost
    if cost.kind == "undetermined":
        return "These queries do not tell what a miss would have to cost for the runs to break even (undetermined)."
    interval = show_interval(cost.low, cost.high, 1)
    known = f"95% {'outside ' if cost.kind == 'complement' else ''}{interval}"
    at = f"{show_number(cost.estimate, 1)} ranks ({known})"
    if side in ("above", "below"):
        more_or_less = "more" if side == "above" else "less"
        return f"On these queries {pair.b} costs the user less in all if a miss costs {more_or_less} than {at}."
    cheaper = {"always": f"{pair.b} costs the user less", "never": f"{pair.a} costs the user less"}
    return f"On these queries {cheaper.get(side, 'neither costs the user less')} in all; break-even is at {at}."


def say_facets(facet: str, facet_test: str) -> str:
    """How the two ways of being better are tested."""
    return (
        "queries that only one of two runs answers are tested by the exact binomial test, those that both answer by "
        f"the {FACET_TESTS[facet_test]} on {FACETS[facet]}"
    )


def assume_of_facets(facet_test: str) -> tuple[str, ...]:
    """What those tests take for granted."""
    return (FAIR_SAMPLE, SAME_QUERIES, COMPLETE_LABELS, *((NEARLY_NORMAL,) if facet_test == "t" else ()))


def explain_comparisons(found: Comparisons) -> Explanation:
    """How pairs were compared, and what must be so."""
    first, level = found.pairs[0], f"{found.alpha:g}"
    is_family = len(found.pairs) > 1
    interval = f"every difference has a 95% interval from {found.resamples:,} bootstrap samples of the queries (BCa)"
    if first.breakdown is None:
        by = f"the paired t-test{f' {CORRECTION_NAMES[found.correction]}' if is_family else ''} decides at {level}"
        scale = () if first.scale is not Scale.ORDINAL else (say_equal_steps(first.measure),)
        return Explanation(
            how=(
                f"Two runs are compared on {first.measure} query by query, by the rank-sum, signed-rank, paired t- and "
                f"sign test; {by}. {interval[0].upper()}{interval[1:]}."
            ),
            assumptions=(FAIR_SAMPLE, SAME_QUERIES, NEARLY_NORMAL, *scale),
        )
    breakdown = first.breakdown
    alone = (f"Each verdict is read by itself: among {len(found.pairs):,} some may be chance.",)
    return Explanation(
        how=(
            f"Outcomes are kept apart (Lin et al. 2021): {say_facets(breakdown.facet, breakdown.facet_test)}. "
            f"A run is better if it gains in one way at {found.alpha / 2:g} or in both at {level}, and does no harm at "
            f"{level}; {interval}."
        ),
        assumptions=(*assume_of_facets(breakdown.facet_test), *(alone if is_family else ())),
    )

"""How is the reading of Lin et al. 2021 said? One honest sentence for each verdict, and what its tests are."""

from __future__ import annotations

from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.boards.lin2021.verdict import LinGrade
from toprung.words.assumptions import COMPLETE_LABELS, FAIR_SAMPLE, NEARLY_NORMAL, SAME_QUERIES
from toprung.words.wording import say_p, show_number, show_share

FACET_TESTS = {"t": "paired t-test", "wsr": "signed-rank test"}
FACETS = {"esl": "the rank of the answer", "rr": "RR"}


def say_verdict(a: str, b: str, breakdown: Breakdown) -> str:
    """The paper's verdict on a pair, with what it rests on."""
    if breakdown.verdict is Verdict.TIED:
        return (
            f"{b} and {a} cannot be told apart: neither in which questions they answer "
            f"({_answered(breakdown, 1)}), nor in how they rank the answers ({_ranking(breakdown, 1)})."
        )
    if breakdown.verdict is Verdict.CONFLICT:
        side = breakdown.only_one.direction
        return (
            f"{b if side > 0 else a} answers more questions ({_answered(breakdown, side)}) but ranks them lower "
            f"({_ranking(breakdown, side)}): which is better depends on what a miss costs."
        )
    return _say_winner(*((b, 1) if breakdown.verdict is Verdict.B else (a, -1)), breakdown)


def _say_winner(winner: str, side: int, breakdown: Breakdown) -> str:
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
    name, decimals = ("mean rank", 2) if breakdown.facet == "esl" else ("mean RR", 4)
    first, second = (facet.mean_b, facet.mean_a) if side > 0 else (facet.mean_a, facet.mean_b)
    means = f"{name} {show_number(first, decimals)} against {show_number(second, decimals)}"
    return f"{means}, {say_p(breakdown.ranking_p)}"


def say_facets(facet: str, facet_test: str) -> str:
    """How the two ways of being better are tested."""
    return (
        "queries that only one of two runs answers are tested by the exact binomial test, those that both answer by "
        f"the {FACET_TESTS[facet_test]} on {FACETS[facet]}"
    )


def assume_of_facets(facet_test: str) -> tuple[str, ...]:
    """What those tests take for granted."""
    return (FAIR_SAMPLE, SAME_QUERIES, COMPLETE_LABELS, *((NEARLY_NORMAL,) if facet_test == "t" else ()))

"""What is said of compared pairs besides the verdict? How they were compared, and what else to know."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.boards.engine.verdict import Verdict
from toprung.boards.engine.words import NOT_TOLD_APART, say_as_claim, say_harm, say_relation
from toprung.boards.lin2021.words import FACET_TESTS, assume_of_facets, say_facets, say_verdict
from toprung.result import Explanation
from toprung.stats.finding import Scale
from toprung.words.assumptions import COMPLETE_LABELS, FAIR_SAMPLE, NEARLY_NORMAL, SAME_QUERIES, say_equal_steps
from toprung.words.wording import say_p, show_interval, show_number

if TYPE_CHECKING:
    from toprung.analyses.compare.find import Comparisons
    from toprung.analyses.compare.pair import PairComparison
    from toprung.boards.lin2021.breakdown import Breakdown


def say_alone(pair: PairComparison, n_runs: int) -> str:
    """The sentence of one pair: first what the two are among all runs, where there are more."""
    if pair.at_once is None:
        return pair.reason
    return f"{' '.join(say_relation(pair.a, pair.b, pair.at_once, n_runs))} This pair alone: {pair.reason}"


def say_family(pairs: tuple[PairComparison, ...], n_runs: int) -> str:
    """How often which run is better: all runs at once, where there are more than two; else verdict by verdict."""
    by_paper = pairs[0].is_by_paper
    if pairs[0].at_once is not None:
        return _say_at_once(pairs, n_runs)
    verdicts = Counter(pair.breakdown.verdict if by_paper and pair.breakdown else pair.found.verdict for pair in pairs)
    apart, conflicts = verdicts[Verdict.TIED], verdicts[Verdict.CONFLICT]
    said = [f"{winner} is better in {verdicts[winner]:,}" for winner in (Verdict.B, Verdict.A) if verdicts[winner]]
    if by_paper and conflicts:
        said.append(f"each is better in one way in {conflicts:,}")
    elif conflicts:
        apart += conflicts
    if apart:
        said.append(f"they {NOT_TOLD_APART} in {apart:,}")
    paper = "By Lin et al. 2021, of" if by_paper else "Of"
    return f"{paper} {len(pairs):,} comparisons: {', '.join(said)}."


def _say_at_once(pairs: tuple[PairComparison, ...], n_runs: int) -> str:
    sides = Counter(pair.at_once for pair in pairs)
    words = {1: "B is better", -1: "A is better", 0: f"they {NOT_TOLD_APART}"}
    said = [f"{words[side]} in {sides[side]:,}" for side in (1, -1, 0) if sides[side]]
    more = sum(pair.found.do_differ for pair in pairs) - sides[1] - sides[-1]
    alone = f" Taken alone, {more:,} more would be told apart." if more > 0 else ""
    return f"Of {len(pairs):,} comparisons, all {n_runs:,} runs at once: {', '.join(said)}.{alone}"


def say_notes(pair: PairComparison, *, tells_paper: bool = True) -> Iterator[str]:
    """What else to know of a pair."""
    if not pair.is_by_paper:
        yield from _engine_notes(pair, tells_paper=tells_paper)
    if pair.breakdown is not None:
        yield from _breakdown_notes(pair, pair.breakdown)
    if not math.isnan(pair.detectable):
        detectable = show_number(pair.detectable, 4)
        yield (
            f"With {pair.n:,} queries and this spread, a difference in {pair.measure} of {detectable} would be found "
            "with a power of 0.8."
        )


def _engine_notes(pair: PairComparison, *, tells_paper: bool) -> Iterator[str]:
    side = pair.found.side or 1
    if harm := say_harm(pair.b if side > 0 else pair.a, pair.parts, side):
        yield harm
    if pair.claim is not None:
        yield say_as_claim(pair.claim, decimals=pair.score_decimals)
    if elsewhere := say_elsewhere(pair):
        yield elsewhere
    if pair.breakdown is not None:
        if tells_paper:
            yield f"By Lin et al. 2021: {say_verdict(pair.a, pair.b, pair.breakdown)}"
        yield (
            "A part is held to half the level where the measure does not tell the runs apart, and seen as a cost at "
            "the full level."
        )


def say_elsewhere(pair: PairComparison) -> str:
    """Where tests that ask for less of a scale point elsewhere than the one that decides; empty where none does."""
    found = list(pair.pointing_elsewhere())
    if not found:
        return ""
    names = {1: f"{pair.b} is better", -1: f"{pair.a} is better", 0: f"the two {NOT_TOLD_APART}"}
    said = [f"by the {name} {names[side]} ({say_p(test.p)})" for name, test, side in found]
    told = ", ".join(said)
    return f"{told[0].upper()}{told[1:]}: such a test counts queries or their ranks; here the mean decides."


def _breakdown_notes(pair: PairComparison, breakdown: Breakdown) -> Iterator[str]:
    search = breakdown.esl
    if search.tests_point_apart and min(search.t.p, search.signed_rank.p) <= pair.alpha:
        test = FACET_TESTS[breakdown.facet_test]
        yield f"On search length the mean and the signed ranks point opposite ways; the {test} decides for Lin et al."
    if breakdown.facet_test == "t" and breakdown.ranking.t.is_constant:
        yield (
            "Where both answer, every query differs by the same amount: the t-test then gives p = 0 on however few "
            f"queries; exchanging the runs query by query gives {say_p(breakdown.ranking_p)}."
        )
    yield _say_break_even(pair, breakdown)
    if breakdown.alignment.warning:
        yield f"Alignment, {breakdown.alignment.warning}."
    if pair.is_by_paper:
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


def explain_comparisons(found: Comparisons) -> Explanation:
    """How pairs were compared, and what must be so."""
    first = found.pairs[0]
    if first.is_by_paper and first.breakdown is not None:
        return _explain_paper(found, first.breakdown)
    how = (
        f"Two runs differ if the mean of {first.measure} does at {found.alpha:g}, by exchanging them query by query: "
        "all exchanges where at most 16 queries differ, else the paired t-test"
    )
    scale = () if first.scale is not Scale.ORDINAL else (say_equal_steps(first.measure),)
    if first.breakdown is None:
        assumptions = (FAIR_SAMPLE, SAME_QUERIES, NEARLY_NORMAL, *scale)
        return Explanation(how=f"{how}. {_say_interval(found)}.", assumptions=(*assumptions, *_alone(found)))
    parts = (
        "Queries that only one answers are tested by the exact binomial test, RR where both answer like the measure, "
        "and harm by one-sided 95% bounds"
    )
    interval = _say_interval(found)
    return Explanation(
        how=f"{how}. {parts}; {interval[0].lower()}{interval[1:]}.",
        assumptions=(FAIR_SAMPLE, SAME_QUERIES, COMPLETE_LABELS, NEARLY_NORMAL, *scale, *_alone(found)),
    )


def _explain_paper(found: Comparisons, breakdown: Breakdown) -> Explanation:
    interval = _say_interval(found)
    return Explanation(
        how=(
            f"Outcomes are kept apart (Lin et al. 2021): {say_facets(breakdown.facet, breakdown.facet_test)}. "
            f"A run is better if it gains in one way at {found.alpha / 2:g} or in both at {found.alpha:g}, and does no "
            f"harm at {found.alpha:g}; {interval[0].lower()}{interval[1:]}."
        ),
        assumptions=(*assume_of_facets(breakdown.facet_test), *_alone(found)),
    )


def _say_interval(found: Comparisons) -> str:
    return f"Every difference has a 95% interval from {found.resamples:,} bootstrap samples of the queries (BCa)"


def _alone(found: Comparisons) -> tuple[str, ...]:
    n = len(found.pairs)
    return (f"Each verdict is read by itself: among {n:,} some may be chance.",) if n > 1 else ()

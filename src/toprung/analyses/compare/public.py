"""What may everyone see of a comparison? What figures and words are made of, rounded; verdicts stay what they are."""

from __future__ import annotations

import math
from dataclasses import replace

from toprung.analyses.compare.find import Comparisons
from toprung.analyses.compare.pair import NaiveTests, PairComparison
from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.rounding import RANK_DIGITS
from toprung.boards.engine.public import claim_in_public, parts_in_public
from toprung.boards.lin2021.breakdown import BothAnswered, Breakdown
from toprung.boards.outcomes import Outcomes
from toprung.boards.rank_differences import RankDifferences
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.intervals.fieller import BreakEven
from toprung.stats.intervals.miss_cost import MissCost


def in_public(found: Comparisons, release: Disclosure) -> Comparisons:
    return replace(found, pairs=tuple(pair_in_public(pair, release) for pair in found.pairs))


def pair_in_public(pair: PairComparison, release: Disclosure) -> PairComparison:
    """A pair with what figures and words are made of rounded; its verdict stays what it is."""
    difference = release.score_effect(pair.difference)
    lead = difference.estimate
    if pair.a in release.shown_scores and pair.b in release.shown_scores:  # as a reader would subtract them
        lead = release.shown_scores[pair.b] - release.shown_scores[pair.a]
    lead = lead if higher_is_better(pair.measure) else -lead
    return replace(
        pair,
        difference=difference,
        parts=parts_in_public(pair.parts, release, lead=lead),
        naive=_naive_in_public(pair.naive, pair.alpha, release)
        if release.shows_figure_over(pair.parts.measure.differing)
        else _without_p(pair.naive),
        claim=None if pair.claim is None else claim_in_public(pair.claim, release, lead=lead),
        breakdown=None if pair.breakdown is None else _breakdown_in_public(pair.breakdown, release),
        score_decimals=release.decimals,
    )


def _naive_in_public(found: NaiveTests, alpha: float, release: Disclosure) -> NaiveTests:
    """What each test says at the level stays."""
    return NaiveTests(
        rank_sum=replace(found.rank_sum, p=release.p(found.rank_sum.p, alpha)),
        signed_rank=replace(found.signed_rank, p=release.p(found.signed_rank.p, alpha)),
        t=replace(found.t, p=release.p(found.t.p, alpha)),
        sign=replace(found.sign, p=release.p(found.sign.p, alpha)),
    )


def _without_p(found: NaiveTests) -> NaiveTests:
    """Where so few queries differ that a p would count them; the test of the measure, which decides, keeps its own."""
    return NaiveTests(
        rank_sum=replace(found.rank_sum, p=math.nan, tie_corrected_p=math.nan),
        signed_rank=replace(found.signed_rank, p=math.nan),
        t=replace(found.t, p=math.nan),
        sign=replace(found.sign, p=math.nan),
    )


def _breakdown_in_public(found: Breakdown, release: Disclosure) -> Breakdown:
    """Where too few queries are answered by both, nothing is told of these."""
    counts = found.outcomes
    n_both, n_one, n_ranked = counts.both, counts.only_a + counts.only_b, counts.a_higher + counts.b_higher
    has_cost = release.shows_figure_over(n_one) and release.shows_figure_over(n_ranked)
    told = replace(
        found,
        only_one=replace(found.only_one, p=release.p_over(n_one, found.only_one.p)),
        answered_difference=release.share_effect(found.answered_difference),
        search_difference=release.search_effect(found.search_difference, RANK_DIGITS, n_both),
        rr_difference=release.score_effect(found.rr_difference, release.step_over(n_both)),
        esl=_both_in_public(found.esl, release.search_step(RANK_DIGITS, n_both), n_ranked, release),
        rr=_both_in_public(found.rr, release.step_over(n_both), n_ranked, release),
        rank_differences=differences_in_public(found.rank_differences, counts, release),
        miss_cost=_cost_in_public(found.miss_cost, release) if has_cost else _no_cost(found.miss_cost),
        break_even=_break_even_in_public(found.break_even) if has_cost else _no_break_even(found.break_even),
        claim_p=release.p_over(min(n_one, n_ranked), found.claim_p),
    )
    return told if release.shows_figure_over(n_both) else _without_both(told)


def _without_both(found: Breakdown) -> Breakdown:
    return replace(
        found,
        search_difference=_nothing(found.search_difference),
        rr_difference=_nothing(found.rr_difference),
        esl=replace(found.esl, mean_a=math.nan, mean_b=math.nan),
        rr=replace(found.rr, mean_a=math.nan, mean_b=math.nan),
    )


def _nothing(effect: Effect) -> Effect:
    return replace(effect, estimate=math.nan, low=math.nan, high=math.nan)


def _both_in_public(found: BothAnswered, grid: float, n_ranked: int, release: Disclosure) -> BothAnswered:
    """The p of the t-test is that which the verdict rests on, never the 0 of differences without spread.

    ``n_ranked``: the queries that both answer and do not rank alike, which make the tests.
    """
    return replace(
        found,
        mean_a=release.on_grid(found.mean_a, grid),
        mean_b=release.on_grid(found.mean_b, grid),
        t=replace(found.t, p=release.p_over(n_ranked, found.facet_p("t")), is_constant=False),
        signed_rank=replace(found.signed_rank, p=release.p_over(n_ranked, found.signed_rank.p)),
    )


def differences_in_public(found: RankDifferences, outcomes: Outcomes, release: Disclosure) -> RankDifferences:
    """Counts in tens that add up to those beside the outcome bar; none where too few differ to be split so."""
    if not release.shows_figure_over(found.b_higher + found.a_higher):
        return RankDifferences(same=0, bins=())
    if not release.is_hidden:
        return found
    told = release.counts(outcomes)
    b_higher = release.parts([each.b_higher for each in found.bins], told["better"])
    a_higher = release.parts([each.a_higher for each in found.bins], told["worse"])
    bins = tuple(
        replace(each, b_higher=of_b, a_higher=of_a)
        for each, of_b, of_a in zip(found.bins, b_higher, a_higher, strict=True)
    )
    return RankDifferences(same=told["same"], bins=bins)


def _cost_in_public(cost: MissCost, release: Disclosure) -> MissCost:
    """The spread too: it follows from counts, and the band that is drawn from it would give them away."""
    return replace(
        cost,
        search=release.search_length(cost.search, RANK_DIGITS),
        misses=release.share(cost.misses),
        search_variance=release.spread(cost.search_variance),
        misses_variance=release.spread(cost.misses_variance),
        covariance=release.spread(cost.covariance),
    )


def _no_cost(cost: MissCost) -> MissCost:
    """Where few queries are answered by one run alone, or ranked differently: their variance would count them."""
    return replace(
        cost,
        search=math.nan,
        misses=math.nan,
        search_variance=math.nan,
        misses_variance=math.nan,
        covariance=math.nan,
    )


def _no_break_even(found: BreakEven) -> BreakEven:
    nothing = replace(found.cost, estimate=math.nan, low=math.nan, high=math.nan, kind="undetermined")
    return replace(found, cost=nothing, search_difference=math.nan)


def _break_even_in_public(found: BreakEven) -> BreakEven:
    """To whole ranks: the ratio of two small sums would tell both."""
    cost = found.cost
    return replace(
        found, cost=replace(cost, estimate=round(cost.estimate, 0), low=round(cost.low, 0), high=round(cost.high, 0))
    )

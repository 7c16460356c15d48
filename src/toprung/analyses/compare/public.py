"""What may everyone see of a comparison? What figures and words are made of, rounded; verdicts stay what they are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from toprung.analyses.compare.find import Comparisons
from toprung.analyses.compare.pair import NaiveTests, PairComparison
from toprung.boards.board_release import BoardRelease
from toprung.boards.engine.public import claim_in_public, parts_in_public
from toprung.boards.lin2021.breakdown import BothAnswered, Breakdown
from toprung.boards.public import effect_in_public, score_effect_in_public
from toprung.boards.rank_differences import RankDifferences
from toprung.boards.rounding import RANK_DIGITS, SHARE_DIGITS, about, round_to_grid, to_two_digits, to_two_digits_beside
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.intervals.fieller import BreakEven
from toprung.stats.intervals.miss_cost import MissCost


def in_public(found: Comparisons, release: BoardRelease) -> Comparisons:
    return replace(found, pairs=tuple(pair_in_public(pair, release) for pair in found.pairs))


def pair_in_public(pair: PairComparison, release: BoardRelease) -> PairComparison:
    """A pair with what figures and words are made of rounded; its verdict stays what it is."""
    difference = score_effect_in_public(pair.difference, release)
    lead = difference.estimate
    if pair.a in release.shown_scores and pair.b in release.shown_scores:  # as a reader would subtract them
        lead = release.shown_scores[pair.b] - release.shown_scores[pair.a]
    lead = lead if higher_is_better(pair.measure) else -lead
    return replace(
        pair,
        difference=difference,
        parts=parts_in_public(pair.parts, release, lead=lead),
        naive=_naive_in_public(pair.naive, pair.alpha),
        claim=None if pair.claim is None else claim_in_public(pair.claim, release, lead=lead),
        breakdown=None if pair.breakdown is None else _breakdown_in_public(pair.breakdown, release),
        score_decimals=release.decimals,
    )


def _naive_in_public(found: NaiveTests, alpha: float) -> NaiveTests:
    """What each test says at the level stays."""
    return NaiveTests(
        rank_sum=replace(found.rank_sum, p=to_two_digits_beside(found.rank_sum.p, alpha)),
        signed_rank=replace(found.signed_rank, p=to_two_digits_beside(found.signed_rank.p, alpha)),
        t=replace(found.t, p=to_two_digits_beside(found.t.p, alpha)),
        sign=replace(found.sign, p=to_two_digits_beside(found.sign.p, alpha)),
    )


def _breakdown_in_public(found: Breakdown, release: BoardRelease) -> Breakdown:
    return replace(
        found,
        only_one=replace(found.only_one, p=to_two_digits(found.only_one.p)),
        answered_difference=effect_in_public(found.answered_difference, SHARE_DIGITS),
        search_difference=effect_in_public(found.search_difference, RANK_DIGITS),
        rr_difference=score_effect_in_public(found.rr_difference, release),
        esl=_both_in_public(found.esl, 10.0**-RANK_DIGITS),
        rr=_both_in_public(found.rr, release.grid),
        rank_differences=differences_in_public(found.rank_differences),
        miss_cost=_cost_in_public(found.miss_cost),
        break_even=_break_even_in_public(found.break_even),
        claim_p=to_two_digits(found.claim_p),
    )


def _both_in_public(found: BothAnswered, grid: float) -> BothAnswered:
    """The p of the t-test is that which the verdict rests on, never the 0 of differences without spread."""
    return replace(
        found,
        mean_a=round_to_grid(found.mean_a, grid),
        mean_b=round_to_grid(found.mean_b, grid),
        t=replace(found.t, p=to_two_digits(found.facet_p("t")), is_constant=False),
        signed_rank=replace(found.signed_rank, p=to_two_digits(found.signed_rank.p)),
    )


@dataclass(frozen=True, kw_only=True)
class RoundedDifferences(RankDifferences):
    """With totals rounded by themselves, as they stand beside the outcome bar; rounded bins add up to others."""

    b_in_all: int
    a_in_all: int

    @property
    def b_higher(self) -> int:
        return self.b_in_all

    @property
    def a_higher(self) -> int:
        return self.a_in_all


def differences_in_public(found: RankDifferences) -> RoundedDifferences:
    """Counts to the nearest ten, which the histogram is drawn from."""
    bins = tuple(replace(each, b_higher=about(each.b_higher), a_higher=about(each.a_higher)) for each in found.bins)
    b_in_all, a_in_all = about(found.b_higher), about(found.a_higher)
    return RoundedDifferences(same=about(found.same), bins=bins, b_in_all=b_in_all, a_in_all=a_in_all)


def _cost_in_public(cost: MissCost) -> MissCost:
    """The spread too: it follows from counts, and the band that is drawn from it would give them away."""
    return replace(
        cost,
        search=round(cost.search, RANK_DIGITS),
        misses=round(cost.misses, SHARE_DIGITS),
        search_variance=to_two_digits(cost.search_variance),
        misses_variance=to_two_digits(cost.misses_variance),
        covariance=to_two_digits(cost.covariance),
    )


def _break_even_in_public(found: BreakEven) -> BreakEven:
    """To whole ranks: the ratio of two small sums would tell both."""
    cost = found.cost
    return replace(
        found, cost=replace(cost, estimate=round(cost.estimate, 0), low=round(cost.low, 0), high=round(cost.high, 0))
    )

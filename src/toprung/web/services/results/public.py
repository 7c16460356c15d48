"""What may everyone see of figures on hidden labels? Shares to 0.1%, counts to the nearest ten, p to two digits.

Exact counts of two nearly identical runs would tell single labels. Scores are as the board's release policy shows
them; an interval is widened to the same grid, or its middle would give the score away.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toprung.analyses.compare.find import PairComparison
from toprung.analyses.leaderboard.find import Leaderboard
from toprung.analyses.relabel.tables import Relabelled
from toprung.analyses.significance.find import SignificanceGrid
from toprung.analyses.stability.find import Stability
from toprung.boards.outcomes import BothAnswered, Breakdown
from toprung.boards.rank_differences import RankDifferences
from toprung.boards.release import Release
from toprung.boards.rounding import (
    DIGITS,
    RANK_DIGITS,
    SCORE_DIGITS,
    SHARE_DIGITS,
    about,
    round_to_grid,
    to_two_digits,
    widen_to_grid,
)
from toprung.boards.row import BoardRow, OutcomeShares, RowColumn, row_columns
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.intervals.fieller import BreakEven
from toprung.stats.intervals.miss_cost import MissCost
from toprung.stats.ranks.places import places_of
from toprung.web.core.models.boards import Board
from toprung.web.core.models.results import Audience
from toprung.web.core.store.rules import release_of

type ShownScores = Mapping[str, float]


def decimals_for(board: Board, audience: Audience) -> int:
    """Of scores on the pages of an audience."""
    return release_of(board).decimals if audience is Audience.PUBLIC else SCORE_DIGITS


# ---- the leaderboard ----


def board_in_public(found: Leaderboard, shown_scores: ShownScores, release: Release) -> Leaderboard:
    """The board as everyone sees it; every run in it is one that the release policy shows."""
    rows = tuple(_row_in_public(row, shown_scores[row.run], release) for row in found.rows)
    return replace(found, rows=rows, digest="")


def _row_in_public(row: BoardRow, shown_score: float, release: Release) -> BoardRow:
    low, high = widen_to_grid(row.score_low, row.score_high, release.grid)
    released = {"score": round(shown_score, release.decimals), "score_low": low, "score_high": high}
    outcomes = None if row.outcomes is None else shares_in_public(row.outcomes)
    figures = {each.name: _figure_in_public(each, getattr(row, each.name)) for each in row_columns()}
    return replace(row, outcomes=outcomes, **figures | released)


def _figure_in_public(column: RowColumn, value: float | None) -> Any:
    """What is not declared for everyone is for nobody but organisers."""
    return None if value is None or column.public_digits is None else round(value, column.public_digits)


def shares_in_public(shares: OutcomeShares) -> OutcomeShares:
    return OutcomeShares(
        only_this=round(shares.only_this, SHARE_DIGITS),
        better=round(shares.better, SHARE_DIGITS),
        same=round(shares.same, SHARE_DIGITS),
        neither=round(shares.neither, SHARE_DIGITS),
        worse=round(shares.worse, SHARE_DIGITS),
        only_top=round(shares.only_top, SHARE_DIGITS),
    )


# ---- ranks under the bootstrap, and the grid of all pairs: only their scores tell more than the board does ----


def stability_in_public(found: Stability, shown_scores: ShownScores, release: Release) -> Stability:
    (board,) = found.boards
    scores = np.array([shown_scores[run] for run in board.runs])
    shown = replace(board, scores=scores, digest="", score_decimals=release.decimals)
    return replace(found, boards=(shown,))


def grid_in_public(found: SignificanceGrid, shown_scores: ShownScores, release: Release) -> SignificanceGrid:
    means = np.array([shown_scores[run] for run in found.runs])
    return replace(found, means=means, digest="", score_decimals=release.decimals)


def relabelled_in_public(found: Relabelled, release: Release) -> Relabelled:
    """Runs under two versions of the labels; places are those of the scores as shown."""
    grid = release.grid
    rows = [
        replace(
            row,
            before=_score_effect_in_public(row.before, release),
            after=_score_effect_in_public(row.after, release),
            over_perfect=_score_effect_in_public(row.over_perfect, release),
        )
        for row in found.rows
    ]
    before, after = (
        places_of([getattr(row, when).estimate for row in rows], higher_is_better=found.higher_is_better).tolist()
        for when in ("before", "after")
    )
    placed = [
        replace(row, place_before=was, place_after=now) for row, was, now in zip(rows, before, after, strict=True)
    ]
    return replace(
        found,
        rows=tuple(sorted(placed, key=lambda row: (row.place_after, row.run))),
        perfect_before=round_to_grid(found.perfect_before, grid),
        perfect_after=round_to_grid(found.perfect_after, grid),
        tau=round(found.tau, DIGITS),
        tau_top=round(found.tau_top, DIGITS),
        n_without_new=about(found.n_without_new),
        n_only_new=about(found.n_only_new),
        sample=None,
        digests={},
    )


# ---- a pair ----


def pair_in_public(pair: PairComparison, release: Release) -> PairComparison:
    """A pair with what figures and words are made of rounded; its verdict stays what it is."""
    difference = _score_effect_in_public(pair.difference, release)
    breakdown = None if pair.breakdown is None else _breakdown_in_public(pair.breakdown, release)
    return replace(pair, difference=difference, breakdown=breakdown)


def _breakdown_in_public(found: Breakdown, release: Release) -> Breakdown:
    return replace(
        found,
        only_one=replace(found.only_one, p=to_two_digits(found.only_one.p)),
        answered_difference=effect_in_public(found.answered_difference, SHARE_DIGITS),
        search_difference=effect_in_public(found.search_difference, RANK_DIGITS),
        rr_difference=_score_effect_in_public(found.rr_difference, release),
        esl=_both_in_public(found.esl, RANK_DIGITS),
        rr=_both_in_public(found.rr, release.decimals),
        rank_differences=differences_in_public(found.rank_differences),
        miss_cost=_cost_in_public(found.miss_cost),
        break_even=_break_even_in_public(found.break_even),
        claim_p=to_two_digits(found.claim_p),
        score_decimals=release.decimals,
    )


def _both_in_public(found: BothAnswered, digits: int) -> BothAnswered:
    """The p of the t-test is that which the verdict rests on, never the 0 of differences without spread."""
    return replace(
        found,
        mean_a=round(found.mean_a, digits),
        mean_b=round(found.mean_b, digits),
        t=replace(found.t, p=to_two_digits(found.facet_p("t")), is_constant=False),
        signed_rank=replace(found.signed_rank, p=to_two_digits(found.signed_rank.p)),
    )


def effect_in_public(effect: Effect, digits: int) -> Effect:
    low, high = round(effect.low, digits), round(effect.high, digits)
    return replace(effect, estimate=round(effect.estimate, digits), low=low, high=high)


def _score_effect_in_public(effect: Effect, release: Release) -> Effect:
    if math.isnan(effect.estimate):
        return effect
    grid = release.grid
    low, high = widen_to_grid(effect.low, effect.high, grid)
    return replace(effect, estimate=round_to_grid(effect.estimate, grid), low=low, high=high)


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

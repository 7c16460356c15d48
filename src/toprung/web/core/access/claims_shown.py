"""What may an audience see of a tested claim? For everyone p to two digits, and no difference finer than scores are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from toprung.boards.board_release import BoardRelease
from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.public import claim_in_public
from toprung.boards.rounding import SCORE_DIGITS, SHARE_DIGITS, round_to_grid, widen_to_grid
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.tests.pair import PairTest
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Audience
from toprung.web.core.store.rules import release_of
from toprung.web.core.store.tested_claims import to_claim
from toprung.words.wording import show_interval, show_number

CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class ClaimEffect:
    """One difference between a run and the holder of the day, in words."""

    question: str
    difference: str
    interval: str
    """Of 95%; empty where a single query or none has no spread."""


def claim_for(claim: Claim, board: Board, audience: Audience) -> TestedClaim:
    """As exact as the audience may see it."""
    tested = to_claim(claim)
    if audience is Audience.ORGANISERS:
        return tested
    return claim_in_public(tested, BoardRelease(way=release_of(board)))


def effects_of(claim: Claim, board: Board, audience: Audience) -> list[ClaimEffect]:
    """The measure first, then what was answered and RR where both answer."""
    parts = to_claim(claim).parts
    if parts is None:
        return []
    is_public, release = audience is Audience.PUBLIC, release_of(board)
    decimals, grid = (release.decimals, release.grid) if is_public else (SCORE_DIGITS, 0.0)
    share_grid = 10.0**-SHARE_DIGITS if is_public else 0.0
    lead = _shown_lead(claim, board, grid) if is_public else None
    return [
        _to_effect(board.official_measure, parts.measure, decimals, grid, lead=lead),
        *_effects_of_ranks(parts, decimals, grid, share_grid),
    ]


def _effects_of_ranks(parts: PairParts, decimals: int, grid: float, share_grid: float) -> Iterator[ClaimEffect]:
    if parts.answered is not None and parts.ranking is not None:
        yield _to_effect("Answered", parts.answered, 1, share_grid, scale=100)
        yield _to_effect("RR where both answer", parts.ranking, decimals, grid)


def _shown_lead(claim: Claim, board: Board, grid: float) -> float | None:
    """By how much the scores differ as everyone sees them now; None where one is not shown, or of earlier labels."""
    scores = [claim.submission.shown_score, claim.holder.shown_score]
    if None in scores or claim.label_set.superseded_at is not None:
        return None
    run, holder = (round_to_grid(score, grid) for score in scores if score is not None)
    return (run - holder) * (1 if higher_is_better(board.official_measure) else -1)


def _to_effect(
    question: str, found: PairTest, decimals: int, grid: float, *, scale: int = 1, lead: float | None = None
) -> ClaimEffect:
    """``lead`` is the difference of what is shown of both, where that is to be told."""
    if math.isnan(found.mean):
        return ClaimEffect(question=question, difference="–", interval="")
    low, high = _interval(found)
    mean = found.mean
    if grid:
        mean, (low, high) = round_to_grid(mean, grid), widen_to_grid(low, high, grid)
    return ClaimEffect(
        question=question,
        difference=show_number(scale * (mean if lead is None else lead), decimals, signed=True),
        interval="" if math.isnan(low) else show_interval(scale * low, scale * high, decimals),
    )


def _interval(found: PairTest) -> tuple[float, float]:
    """Of the mean difference by the t-distribution, as the test of the pair has it."""
    from scipy.special import stdtrit

    if found.n < 2 or math.isnan(found.sd):
        return math.nan, math.nan
    reach = float(stdtrit(found.n - 1, (1 + CONFIDENCE) / 2)) * found.sd / math.sqrt(found.n)
    return found.mean - reach, found.mean + reach

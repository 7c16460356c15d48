"""What may an audience see of a tested claim? For everyone p to two digits, and no difference finer than scores are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.disclosure.rounding import SCORE_DIGITS
from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.public import claim_in_public
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.tests.pair import PairTest
from toprung.web.core.models.boards import Board
from toprung.web.core.models.claims import Claim
from toprung.web.core.models.results import Audience
from toprung.web.core.store.disclosing import disclosure_of
from toprung.web.core.store.tested_claims import to_claim
from toprung.words.wording import show_interval, show_number

CONFIDENCE = 0.95
RUN_ANSWERED, HOLDER_ANSWERED = "run_answered", "holder_answered"
"""What a list of claims fetches with each: the shares of queries that both runs answer, as the board shows them."""


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
    return claim_in_public(tested, disclosure_of(board))


def effects_of(claim: Claim, board: Board, audience: Audience) -> list[ClaimEffect]:
    """The measure first, then what was answered and RR where both answer."""
    parts = to_claim(claim).parts
    if parts is None:
        return []
    told = disclosure_of(board) if audience is Audience.PUBLIC else None
    decimals = SCORE_DIGITS if told is None else told.decimals
    grid = None if told is None else told.grid
    lead = None if told is None else _shown_lead(claim, board, told)
    return [
        _to_effect(board.official_measure, _seen(parts.measure, told, grid), decimals, lead=lead),
        *_effects_of_ranks(parts, decimals, told, lead=None if told is None else _shown_gap(claim)),
    ]


def _effects_of_ranks(
    parts: PairParts, decimals: int, told: Disclosure | None, *, lead: float | None
) -> Iterator[ClaimEffect]:
    answered, ranking = parts.answered, parts.ranking
    if answered is None or ranking is None:
        return
    step = None if told is None else told.share_step
    yield _to_effect("Answered", _seen(answered, told, step), 1, scale=100, lead=lead)
    if told is None or told.shows_figure_over(ranking.n):
        step = None if told is None else told.step_over(ranking.n)
        yield _to_effect("RR where both answer", _seen(ranking, told, step), decimals)


def _seen(found: PairTest, told: Disclosure | None, grid: float | None) -> tuple[float, float, float]:
    """The mean difference and its interval; on the grid for everyone."""
    low, high = _interval(found)
    if told is None or grid is None or math.isnan(found.mean):
        return found.mean, low, high
    return told.on_grid(found.mean, grid), *told.widened(low, high, grid)


def _shown_lead(claim: Claim, board: Board, told: Disclosure) -> float | None:
    """By how much the scores differ as everyone sees them now; None where one is not shown, or of earlier labels."""
    scores = [claim.submission.shown_score, claim.holder.shown_score]
    if None in scores or claim.label_set.superseded_at is not None:
        return None
    run, holder = (told.score(score) for score in scores if score is not None)
    return (run - holder) * (1 if higher_is_better(board.official_measure) else -1)


def _shown_gap(claim: Claim) -> float | None:
    """The same of queries answered: a reader subtracts what the board and the comparison show."""
    run, holder = getattr(claim, RUN_ANSWERED, None), getattr(claim, HOLDER_ANSWERED, None)
    if run is None or holder is None or claim.label_set.superseded_at is not None:
        return None
    return float(run - holder)


def _to_effect(
    question: str, seen: tuple[float, float, float], decimals: int, *, scale: int = 1, lead: float | None = None
) -> ClaimEffect:
    """``lead`` is the difference of what is shown of both, where that is to be told."""
    mean, low, high = seen
    if math.isnan(mean):
        return ClaimEffect(question=question, difference="–", interval="")
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

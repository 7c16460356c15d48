"""What may everyone see of figures on hidden labels? Shares to 0.1%, counts to the nearest ten, p to two digits.

Exact counts of two nearly identical runs would tell single labels. Scores are as the board's release policy shows
them; an interval is widened to the same grid, or its middle would give the score away. What follows for a result, its
analysis says in its ``public.py``.
"""

from __future__ import annotations

import math
from dataclasses import replace

from toprung.boards.board_release import BoardRelease
from toprung.boards.rounding import SHARE_DIGITS, round_to_grid, widen_to_grid
from toprung.boards.row import OutcomeShares
from toprung.stats.intervals.bootstrap import Effect


def shares_in_public(shares: OutcomeShares) -> OutcomeShares:
    return OutcomeShares(
        only_this=round(shares.only_this, SHARE_DIGITS),
        better=round(shares.better, SHARE_DIGITS),
        same=round(shares.same, SHARE_DIGITS),
        neither=round(shares.neither, SHARE_DIGITS),
        worse=round(shares.worse, SHARE_DIGITS),
        only_top=round(shares.only_top, SHARE_DIGITS),
    )


def effect_in_public(effect: Effect, digits: int) -> Effect:
    low, high = round(effect.low, digits), round(effect.high, digits)
    return replace(effect, estimate=round(effect.estimate, digits), low=low, high=high)


def score_effect_in_public(effect: Effect, release: BoardRelease) -> Effect:
    if math.isnan(effect.estimate):
        return effect
    grid = release.grid
    low, high = widen_to_grid(effect.low, effect.high, grid)
    return replace(effect, estimate=round_to_grid(effect.estimate, grid), low=low, high=high)

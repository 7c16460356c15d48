"""What could a claim see? The smallest gain that its level shows four times in five."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from toprung.boards.engine.parts import differences_of
from toprung.boards.engine.rules import Rule
from toprung.data.matrices import ScoreTable
from toprung.stats.tests.pair import smallest_p

POWER = 0.8
RUNS_AT_ONCE = 64
"""Of thousands: what is computed on the way stays in the cache of the processor."""


def smallest_gain(spread: float, n: int, *, level: float, rule: Rule = Rule.MEASURE) -> float:
    """By normal quantiles; ``no_harm`` has two chances, and each is held to half the level.

    Infinite where not even a run that is better on every query could pass.

    >>> round(smallest_gain(0.42, 5_793, level=0.002221), 6), smallest_gain(0.42, 9, level=0.002221)
    (0.021524, inf)
    """
    from scipy.special import ndtri

    share = level / 2 if rule is Rule.NO_HARM else level
    if n < 1 or not level > 0 or not spread > 0 or smallest_p(n) > share:
        return math.inf
    return float(ndtri(POWER) - ndtri(min(share, 1.0) / 2)) * spread / math.sqrt(n)


def usual_spread(scores: ScoreTable, holder: str, runs: Sequence[str]) -> float:
    """The median over runs of how much they differ from the holder: the standard deviation of the differences."""
    others = [run for run in runs if run != holder]
    if not others or len(scores.query_ids) < 2:
        return math.nan
    parts = (others[start : start + RUNS_AT_ONCE] for start in range(0, len(others), RUNS_AT_ONCE))
    spreads = [differences_of(scores, holder, some).std(axis=0, ddof=1) for some in parts]
    return float(np.median(np.concatenate(spreads)))

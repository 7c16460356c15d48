"""How fine may a figure on hidden labels be? Never finer than ten of their queries."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import lru_cache

QUERIES_IN_A_STEP = 10
"""One query more or less must not be seen: two that are shown apart differ by about so many."""
LEAST_STEPS = 5
"""A figure of fewer steps would be rounded into something else: it is left out."""
LEAST_HIDDEN = QUERIES_IN_A_STEP * LEAST_STEPS
"""Queries that a figure must be over to be shown."""
ROUND_NUMBERS = (1, 2, 5, 10)


@lru_cache(maxsize=1024)
def resolution(n_queries: int, *, each: float = 1.0) -> float:
    """The least step of a mean over so many hidden queries, of which one may move it by ``each`` over their number.

    >>> [resolution(n) for n in (200, 1_000, 5_793)], resolution(200, each=9)
    ([0.05, 0.01, 0.002], 0.5)
    """
    return round_up(QUERIES_IN_A_STEP * each / max(n_queries, 1))


def round_up(step: float) -> float:
    """To 1, 2 or 5 with zeros: what a reader can count in.

    >>> [round_up(step) for step in (0.0017, 0.05, 0.06, 0.2, 0.51)]
    [0.002, 0.05, 0.1, 0.2, 1.0]
    """
    unit = 10.0 ** math.floor(round(math.log10(step), 9))
    return next(round(each * unit, 12) for each in ROUND_NUMBERS if each * unit >= step * (1 - 1e-9))


def round_down(step: float) -> float:
    """To 5, 2 or 1 with zeros.

    >>> [round_down(step) for step in (0.0131, 0.0316, 0.0707, 0.2)]
    [0.01, 0.02, 0.05, 0.2]
    """
    unit = 10.0 ** math.floor(round(math.log10(step), 9))
    return next(round(each * unit, 12) for each in ROUND_NUMBERS[::-1] if each * unit <= step * (1 + 1e-9))


@lru_cache(maxsize=1024)
def decimals_of_step(step: float) -> int:
    """What a multiple of the step is written with.

    >>> [decimals_of_step(step) for step in (0.05, 0.002, 1.0, 0.0001)]
    [2, 3, 0, 4]
    """
    return max(0, -int(Decimal(str(round(step, 12))).normalize().as_tuple().exponent))

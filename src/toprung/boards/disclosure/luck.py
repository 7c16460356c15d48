"""How lucky may a run be on so many hidden queries, and what drowns its luck? The step of a ladder, and a lot.

Runs that deserve the same differ by luck, and who sends a thousand sees the luckiest of them rise above any step. So
each run draws a lot that is added before it is compared: what rises then owes it to the lot as much as to its luck.
docs/design/disclosure.md has the figures.
"""

from __future__ import annotations

import math

from toprung.scoring.catalogue import find_if_known

LOT = 1.5
"""The standard deviation of lots, in those of luck."""
STEP = 6.5
"""The step in the same: 3.6 standard deviations of luck and lot together, which a thousand tries hardly pass."""
HALF = 0.5
GRADUAL = {"RR", "nDCG", "AP", "ERR", "RBP", "P"}
"""Measures of which two equally good answers to a query differ by half at most, beyond the first rank."""


def spread_of(measure: str) -> float:
    """By how much the scores of two equally good answers to a query may differ: ½ as in RR, or 1.

    >>> [spread_of(measure) for measure in ("RR@10", "nDCG@10", "P@1", "R@100", "thumbs")]
    [0.5, 0.5, 1.0, 1.0, 1.0]
    """
    known = find_if_known(measure)
    name, _, cutoff = ("" if known is None else str(known)).partition("@")
    return HALF if name.partition("(")[0] in GRADUAL and cutoff != "1" else 1.0


def luck(n_queries: int, spread: float) -> float:
    """The standard deviation of the mean of a run that picks one of two answers to each query at random."""
    return spread / 2 / math.sqrt(max(n_queries, 1))


def lot_size(n_queries: int, spread: float) -> float:
    """The standard deviation of the lots.

    >>> [round(lot_size(n, 0.5), 4) for n in (200, 1_000, 5_793)]
    [0.0265, 0.0119, 0.0049]
    """
    return LOT * luck(n_queries, spread)


def automatic_step(n_queries: int, spread: float) -> float:
    """By how much the best of the board is to be beaten, the lot included.

    >>> [round(automatic_step(n, 0.5), 3) for n in (200, 1_000, 5_793)]
    [0.115, 0.051, 0.021]
    """
    return STEP * luck(n_queries, spread)

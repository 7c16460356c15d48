"""How sure is a share of a few trials? Moved towards the mean of all, the more the fewer there are.

Beta-binomial: shares of all assessors spread around their mean as a beta distribution does, whose width is the one that
makes their counts most probable. Of someone with three answers hardly more is known than of anyone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma

WIDTHS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""What the mean weighs, in trials: those tried."""
USUAL_WIDTH = 8.0
FEWEST = 5
"""Fewer assessors do not tell how far they spread."""
TAIL = 0.025


@dataclass(frozen=True, kw_only=True)
class ShrunkShare:
    """An estimate with its 95% interval, from this many trials."""

    estimate: float
    low: float
    high: float
    n: int


def shrink_shares(successes: Sequence[float], trials: Sequence[int]) -> list[ShrunkShare]:
    """Each share, moved towards the mean of all.

    >>> few, many = shrink_shares([0, 80], [1, 100])
    >>> round(few.estimate, 2), round(many.estimate, 2)
    (0.7, 0.8)
    """
    from scipy.special import betaincinv

    mean = (sum(successes) + 1) / (sum(trials) + 2)
    width = _find_width(successes, trials, mean)
    found = []
    for right, n in zip(successes, trials, strict=True):
        a, b = width * mean + right, width * (1 - mean) + n - right
        low, high = (float(betaincinv(a, b, tail)) for tail in (TAIL, 1 - TAIL))
        found.append(ShrunkShare(estimate=a / (a + b), low=low, high=high, n=n))
    return found


def _find_width(successes: Sequence[float], trials: Sequence[int], mean: float) -> float:
    if sum(n > 0 for n in trials) < FEWEST:
        return USUAL_WIDTH

    def likelihood(width: float) -> float:
        a, b = width * mean, width * (1 - mean)
        return sum(
            _log_beta(a + right, b + n - right) - _log_beta(a, b) for right, n in zip(successes, trials, strict=True)
        )

    return max(WIDTHS, key=likelihood)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)

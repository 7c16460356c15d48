"""How much worse may one run be than another, at most? Bounds of a mean of values from −1 to 1.

Two imaginary queries, one won and one lost by all there is, stand beside the real ones (after Bonett and Price 2012):
so a few queries without a difference do not prove that there is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from toprung.errors import InputError
from toprung.stats.inputs import Floats

CONFIDENCE = 0.95
SMALLEST_MARGIN, LARGEST_MARGIN = 0.01, 0.1


@dataclass(frozen=True, kw_only=True)
class HarmBounds:
    """One-sided 95% bounds of the mean of B less A over ``n`` queries, and the harm that is small enough to bear."""

    low: float
    high: float
    n: int
    margin: float

    def worst(self, side: int) -> float:
        """How much worse the run of that side (+1 B, −1 A) may be, as a number from 0; infinite where nothing is known.

        >>> HarmBounds(low=-0.02, high=0.01, n=400, margin=0.05).worst(1)
        0.02
        """
        return max(0.0, -self.low if side > 0 else self.high)

    def is_excluded(self, side: int) -> bool:
        """Whether harm beyond the margin is excluded for the run of that side."""
        return (-self.low if side > 0 else self.high) < self.margin


def usual_margin(n: int) -> float:
    """What is small beside the noise of so many queries, from 1 to 10 points.

    >>> usual_margin(1_000).__round__(4), usual_margin(50), usual_margin(20_000)
    (0.0316, 0.1, 0.01)
    """
    return LARGEST_MARGIN if n < 1 else min(LARGEST_MARGIN, max(SMALLEST_MARGIN, 1 / math.sqrt(n)))


def harm_bounds(differences: Floats, *, margin: float | None = None) -> HarmBounds:
    """Of the mean of values from −1 to 1, B less A; ``margin`` is the usual one unless another was fixed before.

    >>> found = harm_bounds(np.zeros(100))
    >>> round(found.low, 6), found.margin, found.is_excluded(1)
    (-0.02313, 0.1, True)
    """
    from scipy.special import stdtrit

    n = len(differences)
    if n and np.abs(differences).max() > 1:
        raise InputError(f"differences: found {np.abs(differences).max():g}; expected values from −1 to 1.")
    allowed = usual_margin(n) if margin is None else margin
    if not n:
        return HarmBounds(low=-math.inf, high=math.inf, n=0, margin=allowed)
    total, squares = float(differences.sum()), float(differences @ differences) + 2
    size = n + 2
    mean = total / size
    error = math.sqrt((squares - size * mean**2) / (size - 1) / size)
    reach = float(stdtrit(size - 1, CONFIDENCE)) * error
    return HarmBounds(low=mean - reach, high=mean + reach, n=n, margin=allowed)

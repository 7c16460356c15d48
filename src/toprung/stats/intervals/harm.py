"""How much worse may one run be than another, at most? Bounds of a mean of values from −1 to 1.

Two imaginary queries, one won and one lost by all there is, stand beside the real ones (after Bonett and Price 2012):
so a few queries without a difference do not prove that there is none.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from toprung.errors import InputError
from toprung.stats.inputs import Floats

CONFIDENCE = 0.95
SMALLEST_MARGIN, LARGEST_MARGIN = 0.01, 0.1
MOST_DOUBLINGS = 40
"""More than 2⁴⁰ queries nobody has."""


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
    n = len(differences)
    if n and np.abs(differences).max() > 1:
        raise InputError(f"differences: found {np.abs(differences).max():g}; expected values from −1 to 1.")
    allowed = usual_margin(n) if margin is None else margin
    if not n:
        return HarmBounds(low=-math.inf, high=math.inf, n=0, margin=allowed)
    mean, reach = _centre_and_reach(n, float(differences.sum()), float(differences @ differences))
    return HarmBounds(low=mean - reach, high=mean + reach, n=n, margin=allowed)


def queries_to_exclude(mean: float, sd: float, margin: float, *, power: float = 0.8) -> float:
    """How many queries exclude that B is worse by the margin, with that power, where B less A has this mean and sd.

    Infinite where the mean itself is as bad as the margin.

    >>> queries_to_exclude(0.0, 0.3, 0.05), queries_to_exclude(-0.05, 0.3, 0.05)
    (236.0, inf)
    """
    from scipy.special import ndtri

    def is_enough(n: int) -> bool:
        centre, reach = _centre_and_reach(n, n * mean, (n - 1) * sd**2 + n * mean**2)
        return centre - reach - float(ndtri(power)) * sd / math.sqrt(n) > -margin

    if not mean > -margin or math.isnan(sd):
        return math.inf
    enough = next((1 << power_of_2 for power_of_2 in range(1, MOST_DOUBLINGS) if is_enough(1 << power_of_2)), None)
    if enough is None:
        return math.inf
    return float(bisect_left(range(enough), True, lo=enough // 2, key=is_enough))


def _centre_and_reach(n: int, total: float, squares: float) -> tuple[float, float]:
    """The mean of n queries and the two imaginary ones, and how far its one-sided bounds are from it."""
    from scipy.special import stdtrit

    size = n + 2
    mean = total / size
    error = math.sqrt((squares + 2 - size * mean**2) / (size - 1) / size)
    return mean, float(stdtrit(size - 1, CONFIDENCE)) * error

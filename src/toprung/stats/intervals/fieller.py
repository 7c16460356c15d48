"""What must a miss cost for two runs to break even, and how sure is that? A ratio of two means with its Fieller set.

A ratio whose denominator may be zero has no ordinary interval: Fieller's set (1954) is then everything outside
one, or everything, and it says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.inputs import Floats, as_pair, as_ranks, check_share

type SetKind = Literal["interval", "complement", "undetermined"]
type WinningSide = Literal["above", "below", "always", "never", "equal"]


@dataclass(frozen=True, kw_only=True)
class RatioSet:
    """The values of a ratio that the data do not refute.

    "interval": low … high. "complement": everything up to ``low`` and everything from ``high``.
    "undetermined": every value is possible. A bound may be infinite.
    """

    estimate: float
    kind: SetKind
    low: float
    high: float
    confidence: float
    n: int

    def __contains__(self, value: float) -> bool:
        if self.kind == "interval":
            return self.low <= value <= self.high
        return self.kind == "undetermined" or value <= self.low or value >= self.high


@dataclass(frozen=True, kw_only=True)
class BreakEven:
    """The cost of a miss (in ranks) at which B and A cost the same, and on which side of it B is the cheaper.

    ``search_difference`` is ΔS, what B reads more than A where each found an answer, summed over the queries. With ΔM,
    how many more queries B misses, B is the cheaper where ΔS + cΔM < 0.
    """

    cost: RatioSet
    b_wins: WinningSide
    search_difference: float

    @property
    def undecided(self) -> tuple[tuple[float, float], ...]:
        """The costs from 0 on at which neither run is shown to be the cheaper: none, one or two ranges."""
        low, high = self.cost.low, self.cost.high
        parts = ((-math.inf, low), (high, math.inf)) if self.cost.kind == "complement" else ((low, high),)
        return tuple((max(start, 0.0), end) for start, end in parts if end >= 0)


def break_even(a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95) -> BreakEven:
    """The break-even cost c* = −ΔS/ΔM of two runs, from their first ranks (0 = miss), paired by query.

    >>> found = break_even([1, 0], [100, 99])
    >>> found.cost.estimate, found.b_wins
    (198.0, 'above')
    """
    first, second = as_pair(as_ranks(a, name="a"), as_ranks(b, name="b"))
    search = second - first  # a miss reads nothing here: what it costs is c
    misses = (second == 0).astype(np.float64) - (first == 0)
    ratio = fieller_ratio(-search, misses, confidence=confidence)
    delta_s, delta_m = float(search.sum()), float(misses.sum())
    return BreakEven(cost=ratio, b_wins=_winning_side(delta_s, delta_m), search_difference=delta_s)


def fieller_ratio(numerator: ArrayLike, denominator: ArrayLike, *, confidence: float = 0.95) -> RatioSet:
    """mean(numerator) / mean(denominator) of paired values, with the set of ratios that a t-test does not refute.

    >>> found = fieller_ratio([2.1, 1.9, 2.2, 1.8], [1, 1.1, 0.9, 1])
    >>> found.kind, round(found.estimate, 2), round(found.low, 2), round(found.high, 2)
    ('interval', 2.0, 1.55, 2.57)
    """
    check_share(confidence, name="confidence")
    x, y = as_pair(numerator, denominator)
    n = len(x)
    if n < 2:
        estimate = _ratio(float(x.sum()), float(y.sum()))
        return _everything(estimate, confidence, n)
    return _solve(x, y, confidence)


def _solve(x: Floats, y: Floats, confidence: float) -> RatioSet:
    """Where is (x̄ − r ȳ)² ≤ t² var(x − r y) / n? A quadratic in r, at most 0."""
    from scipy.special import stdtrit

    n = len(x)
    # Sorted by value, so that the order of the queries never shows.
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    x_mean, y_mean = float(x.mean()), float(y.mean())
    xx, xy, _, yy = map(float, np.cov(x, y).flat)
    t2 = float(stdtrit(n - 1, (1 + confidence) / 2)) ** 2 / n
    square, half_linear, constant = y_mean**2 - t2 * yy, -(x_mean * y_mean - t2 * xy), x_mean**2 - t2 * xx
    estimate = _ratio(x_mean, y_mean)
    discriminant = half_linear**2 - square * constant
    scale = y_mean**2 + t2 * yy
    if scale == 0:  # the denominator is 0 on every query: no ratio can be told from another
        return _everything(estimate, confidence, n)
    if abs(square) <= 1e-12 * scale:
        return _half_line(estimate, half_linear, constant, confidence, n)
    if square < 0 and discriminant <= 0:
        return _everything(estimate, confidence, n)
    root = math.sqrt(max(discriminant, 0.0))
    low, high = sorted(((-half_linear - root) / square, (-half_linear + root) / square))
    kind: SetKind = "interval" if square > 0 else "complement"
    return RatioSet(estimate=estimate, kind=kind, low=low, high=high, confidence=confidence, n=n)


def _half_line(estimate: float, half_linear: float, constant: float, confidence: float, n: int) -> RatioSet:
    """The denominator is just not distinguishable from 0: one bound lies at infinity."""
    if half_linear == 0:
        return _everything(estimate, confidence, n)
    bound = -constant / (2 * half_linear)
    low, high = (-math.inf, bound) if half_linear > 0 else (bound, math.inf)
    return RatioSet(estimate=estimate, kind="interval", low=low, high=high, confidence=confidence, n=n)


def _everything(estimate: float, confidence: float, n: int) -> RatioSet:
    return RatioSet(estimate=estimate, kind="undetermined", low=-math.inf, high=math.inf, confidence=confidence, n=n)


def _ratio(x: float, y: float) -> float:
    if y:
        return x / y
    return math.copysign(math.inf, x) if x else math.nan


def _winning_side(delta_s: float, delta_m: float) -> WinningSide:
    """Where, among costs from 0 on, is ΔS + cΔM < 0?"""
    if delta_m == 0:
        return "equal" if delta_s == 0 else ("always" if delta_s < 0 else "never")
    cost = -delta_s / delta_m
    if delta_m < 0:
        return "above" if cost > 0 else "always"
    return "below" if cost > 0 else "never"

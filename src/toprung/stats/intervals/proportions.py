"""How many of how many, and how sure is that share? Counts that travel with Wilson's interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

from toprung.stats.intervals.wilson import wilson_interval


@dataclass(frozen=True, kw_only=True)
class Share:
    """``successes`` of ``trials`` with Wilson's interval; without trials all three are NaN."""

    successes: int
    trials: int
    low: float
    high: float
    confidence: float

    @property
    def estimate(self) -> float:
        return self.successes / self.trials if self.trials else math.nan


def wilson_share(successes: int, trials: int, *, confidence: float = 0.95) -> Share:
    """A share with Wilson's score interval (Wilson 1927), without continuity correction.

    >>> found = wilson_share(640, 1868)
    >>> round(100 * found.estimate, 2), round(100 * found.low, 2), round(100 * found.high, 2)
    (34.26, 32.14, 36.44)
    """
    low, high = wilson_interval(successes, trials, confidence)
    return Share(successes=successes, trials=trials, low=low, high=high, confidence=confidence)

"""What do repetitions of a simulation add up to? A mean over independent cases, and how sure so many make it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from toprung.stats.intervals.wilson import wilson_interval

CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean over ``n`` independent cases with its 95% interval; without cases all three are NaN."""

    estimate: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float], *, least: float = -math.inf) -> Mean:
        """With an interval by t, cut off at the least that a mean can be; one case has none.

        >>> Mean.of([1.0, 2.0, 3.0]).estimate
        2.0
        """
        from scipy.special import stdtrit

        n = len(values)
        estimate = float(np.mean(values)) if n else math.nan
        if n < 2:
            return cls(estimate=estimate, low=math.nan, high=math.nan, n=n)
        half = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2)) * float(np.std(values, ddof=1)) / math.sqrt(n)
        return cls(estimate=estimate, low=max(least, estimate - half), high=estimate + half, n=n)

    @classmethod
    def of_shares(cls, shares: Sequence[float]) -> Mean:
        """Of a share from 0 to 1 in each case, with Wilson's interval.

        Shares that are 0 or 1 count as one trial each. Others vary less, and count as the number of trials that would
        leave the same variance (Korn and Graubard 1998); where all are the same nothing is known of that.

        >>> found = Mean.of_shares([0.0, 1.0, 0.0, 0.0])
        >>> found.estimate, (found.low, found.high) == wilson_interval(1, 4)
        (0.25, True)
        """
        n = len(shares)
        if not n:
            return cls(estimate=math.nan, low=math.nan, high=math.nan, n=0)
        estimate = float(np.mean(shares))
        trials = float(n) if min(shares) == max(shares) else n * estimate * (1 - estimate) / float(np.var(shares))
        low, high = wilson_interval(estimate * trials, trials, CONFIDENCE)
        return cls(estimate=estimate, low=low, high=high, n=n)

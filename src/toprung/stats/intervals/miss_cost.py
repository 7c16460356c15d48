"""How much more does one run cost a reader than another, for each price of a miss? A mean difference with its interval.

The interval holds for one price at a time: it is that of the paired t-test, so it leaves zero out exactly at the
prices outside Fieller's set of the break-even cost (see ``fieller``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.inputs import Ints, as_pair, as_ranks, check_share
from toprung.stats.intervals.bootstrap import Effect


@dataclass(frozen=True, kw_only=True)
class MissCost:
    """The mean cost per query of B less that of A, as a function of what a miss costs, in ranks.

    Over the queries, ``search`` is the mean of what B reads more where each found an answer, and ``misses`` the mean
    of how often B misses more; the variances are those of a sample, NaN below two queries.
    """

    search: float
    misses: float
    search_variance: float
    misses_variance: float
    covariance: float
    n: int
    confidence: float

    @property
    def depends_on_misses(self) -> bool:
        """Whether there is a query that one run misses and the other does not; else no cost of a miss matters."""
        return self.misses != 0 or self.misses_variance > 0

    def at(self, cost: float) -> Effect:
        """The difference where a miss costs so many ranks; B is the cheaper where it is below zero."""
        estimate = self.search + cost * self.misses
        reach = self._t * math.sqrt(self._variance(cost) / self.n) if self.n > 1 else math.nan
        return Effect(
            estimate=estimate, low=estimate - reach, high=estimate + reach, confidence=self.confidence, n=self.n
        )

    def _variance(self, cost: float) -> float:
        """Of what a query costs more; rounding must not make it negative."""
        return max(self.search_variance + 2 * cost * self.covariance + cost**2 * self.misses_variance, 0.0)

    @property
    def _t(self) -> float:
        from scipy.special import stdtrit

        return float(stdtrit(self.n - 1, (1 + self.confidence) / 2))


def miss_cost(a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95) -> MissCost:
    """From the first ranks of two runs (0 = miss), paired by query.

    >>> found = miss_cost([1, 2, 0, 3], [2, 5, 4, 3])
    >>> found.at(0).estimate, found.at(8).estimate, found.at(20).estimate
    (2.0, 0.0, -3.0)
    """
    check_share(confidence, name="confidence")
    first, second = as_pair(as_ranks(a, name="a"), as_ranks(b, name="b"))
    search = (second - first).astype(np.int64)
    misses = (second == 0).astype(np.int64) - (first == 0)
    return MissCost(
        search=_mean(int(search.sum()), len(search)),
        misses=_mean(int(misses.sum()), len(misses)),
        search_variance=_covariance(search, search),
        misses_variance=_covariance(misses, misses),
        covariance=_covariance(search, misses),
        n=len(search),
        confidence=confidence,
    )


def _mean(total: int, n: int) -> float:
    return total / n if n else math.nan


def _covariance(x: Ints, y: Ints) -> float:
    """In whole numbers, which are exact: the order of the queries never shows."""
    n = len(x)
    if n < 2:
        return math.nan
    return (n * int(x @ y) - int(x.sum()) * int(y.sum())) / (n * (n - 1))

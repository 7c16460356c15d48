"""How sure is a mean over seeds, and do two systems differ when seeds and queries are both samples?

Each system was run with several seeds on the same queries. Another seed would have given another run, and other queries
other scores: a test that knows only one of the two finds too much. The variance of a difference has a part from the
queries and one from the seeds of each system; Clark (1973) adds them up (min F′), which counts what is left over twice
and so errs on the safe side. Degrees of freedom after Satterthwaite (1946).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, check_share


@dataclass(frozen=True, kw_only=True)
class SeedMean:
    """The mean over seeds, with its t-interval; NaN for the spread of a single seed."""

    estimate: float
    sd: float
    """Of the scores of single seeds."""
    low: float
    high: float
    confidence: float
    n_seeds: int


@dataclass(frozen=True, kw_only=True)
class SystemDifference:
    """B's mean over seeds and queries less A's; p and interval are NaN where there is no spread to hold it against."""

    delta: float
    low: float
    high: float
    confidence: float
    p: float
    statistic: float
    df: float
    seed_share: float
    """How much of the variance comes from the seeds, the rest from the queries."""


def seed_mean(scores: Floats, *, confidence: float = 0.95) -> SeedMean:
    """The mean of the scores that seeds got on the same queries; the queries count as given.

    >>> import numpy as np
    >>> found = seed_mean(np.array([0.30, 0.32, 0.34]))
    >>> round(found.estimate, 4), round(found.sd, 4), round(found.low, 4), round(found.high, 4)
    (0.32, 0.02, 0.2703, 0.3697)
    """
    check_share(confidence, name="confidence")
    n = len(scores)
    mean = math.fsum(scores.tolist()) / n
    sd = _spread(scores) if n > 1 else math.nan
    reach = _t_quantile(n - 1, confidence) * sd / math.sqrt(n) if n > 1 else math.nan
    return SeedMean(estimate=mean, sd=sd, low=mean - reach, high=mean + reach, confidence=confidence, n_seeds=n)


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemScores:
    """What any comparison of a system needs of its scores."""

    by_query: Floats
    """The mean over its seeds."""
    seed_variance: float
    """Of the mean over its queries and seeds, as the seeds alone move it."""
    n_seeds: int

    @classmethod
    def of(cls, scores: Floats) -> Self:
        """Of queries × seeds."""
        n_seeds = scores.shape[1]
        variance = _spread(scores.mean(axis=0)) ** 2 / n_seeds
        return cls(by_query=scores.mean(axis=1), seed_variance=variance, n_seeds=n_seeds)


def compare_systems(a: SystemScores, b: SystemScores, *, confidence: float = 0.95) -> SystemDifference:
    """Do two systems differ? The queries are the same, the seeds have nothing in common.

    Two seeds of each system at least; the spread of one is not known.

    >>> import numpy as np
    >>> a = SystemScores.of(np.array([[0.1, 0.3], [0.5, 0.5], [0.3, 0.4]]))
    >>> b = SystemScores.of(np.array([[0.6, 0.7], [0.6, 0.8], [0.9, 0.9]]))
    >>> found = compare_systems(a, b)
    >>> round(found.delta, 4), round(found.df, 2), round(found.p, 4)
    (0.4, 3.52, 0.0401)
    """
    check_share(confidence, name="confidence")
    differences = b.by_query - a.by_query
    n_queries = len(differences)
    delta = float(differences.mean())
    parts = [(_spread(differences) ** 2 / n_queries, n_queries - 1)]
    parts += [(each.seed_variance, each.n_seeds - 1) for each in (a, b)]
    variance = math.fsum(part for part, _ in parts)
    if variance == 0 or math.isnan(variance):
        has_none = variance == 0 and round(delta, MEAN_DIGITS) == 0
        return _without_spread(delta, p=1.0 if has_none else math.nan, confidence=confidence)
    df = variance**2 / math.fsum(part**2 / freedom for part, freedom in parts)
    statistic = delta / math.sqrt(variance)
    reach = _t_quantile(df, confidence) * math.sqrt(variance)
    return SystemDifference(
        delta=delta,
        low=delta - reach,
        high=delta + reach,
        confidence=confidence,
        p=_two_sided_p(statistic, df),
        statistic=statistic,
        df=df,
        seed_share=(variance - parts[0][0]) / variance,
    )


def _without_spread(delta: float, *, p: float, confidence: float) -> SystemDifference:
    unknown = math.nan
    return SystemDifference(
        delta=delta,
        low=unknown,
        high=unknown,
        confidence=confidence,
        p=p,
        statistic=unknown,
        df=unknown,
        seed_share=unknown,
    )


def _spread(values: Floats) -> float:
    """The standard deviation; 0 where the values agree to 12 digits, NaN for fewer than two."""
    if len(values) < 2:
        return math.nan
    rounded = values.round(MEAN_DIGITS)
    return 0.0 if rounded.min() == rounded.max() else float(values.std(ddof=1))


def _t_quantile(df: float, confidence: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + confidence) / 2))


def _two_sided_p(statistic: float, df: float) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(statistic)))

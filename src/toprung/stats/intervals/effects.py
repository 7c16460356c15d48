"""How large is a difference? d_z, Cliff's δ, and the odds ratio of case 2."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.inputs import as_pair, check_share, round_differences
from toprung.stats.intervals.bootstrap import Effect


def cohens_dz(a: ArrayLike, b: ArrayLike) -> float:
    """The mean of B − A in standard deviations of it; 0 without a difference, ±∞ if it is constant.

    >>> round(cohens_dz([1, 2, 3, 4], [2, 3, 3, 6]), 6)
    1.224745
    """
    first, second = as_pair(a, b)
    differences = np.sort(second - first)
    rounded = round_differences(differences)
    if len(rounded) < 2 or not rounded.any():
        return 0.0
    mean = float(differences.mean())
    if rounded[0] == rounded[-1]:
        return math.copysign(math.inf, mean)
    return mean / float(differences.std(ddof=1))


def cliffs_delta(a: ArrayLike, b: ArrayLike) -> float:
    """P(B > A) − P(B < A) over all pairs of a value of B and a value of A, whatever their queries.

    >>> cliffs_delta([1, 2, 3], [2, 3, 4]).__round__(6)
    0.555556
    """
    first, second = as_pair(a, b)
    if not len(first):
        return 0.0
    first, second = np.sort(first), np.sort(second)  # values are found faster one after the other
    below = np.searchsorted(first, second, side="left").sum()
    not_above = np.searchsorted(first, second, side="right").sum()
    return float(int(below) + int(not_above) - len(first) ** 2) / len(first) ** 2


def odds_ratio(only_a: int, only_b: int, *, confidence: float = 0.95) -> Effect:
    """The odds that B rather than A answers a query that only one of them answers: only B / only A.

    The interval is exact (Clopper and Pearson on the share, turned into odds). Without any such query the ratio is
    NaN and the interval everything.

    >>> found = odds_ratio(10, 20)
    >>> found.estimate, round(found.low, 4), round(found.high, 4)
    (2.0, 0.8935, 4.7846)
    """
    check_share(confidence, name="confidence")
    if min(only_a, only_b) < 0:
        raise InputError(f"found {only_a} and {only_b}; expected counts from 0.")
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = _odds(float(betaincinv(only_b, only_a + 1, tail))) if only_b else 0.0
    high = _odds(float(betaincinv(only_b + 1, only_a, 1 - tail))) if only_a else math.inf
    return Effect(estimate=_count_ratio(only_b, only_a), low=low, high=high, confidence=confidence, n=only_a + only_b)


def _count_ratio(count: int, of: int) -> float:
    if of:
        return count / of
    return math.inf if count else math.nan


def _odds(share: float) -> float:
    return share / (1 - share) if share < 1 else math.inf

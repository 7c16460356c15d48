"""How large is a difference? Mean difference with its bootstrap interval, d_z, Cliff's δ, odds ratio of case 2.

The bootstrap interval is BCa (Efron 1987): second-order correct and, for a mean, its acceleration is a plain sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.inputs import Floats, Seed, as_pair, check_share, round_differences

BOOTSTRAP_RESAMPLES = 9_999
CHUNK_CELLS = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Effect:
    """An estimate with its interval; ``n`` counts the queries behind it."""

    estimate: float
    low: float
    high: float
    confidence: float
    n: int


def mean_difference(
    a: ArrayLike,
    b: ArrayLike,
    *,
    confidence: float = 0.95,
    resamples: int = BOOTSTRAP_RESAMPLES,
    rng: Seed = 0,
) -> Effect:
    """The mean of B − A with its BCa bootstrap interval.

    The same seed gives the same bytes, in whatever order the queries come; exchanging A and B mirrors the interval.
    Below two queries there is no spread to resample: the interval is NaN for none, a point for one.

    >>> found = mean_difference([0, 0, 0, 0, 0, 0], [1, 2, 3, 1, 2, 3], rng=1)
    >>> found.estimate, found.low < 2 < found.high
    (2.0, True)
    """
    check_share(confidence, name="confidence")
    first, second = as_pair(a, b)
    n = len(first)
    if n == 0:
        return Effect(estimate=math.nan, low=math.nan, high=math.nan, confidence=confidence, n=0)
    differences, side = _in_canonical_order(second - first)
    estimate = float(differences.mean()) if side else 0.0
    if differences[0] == differences[-1]:
        low = high = estimate
    else:
        means = bootstrap_means(differences, resamples=resamples, rng=rng)
        low, high = _bca_interval(differences, means, confidence)
    if side == 0:  # its own mirror image: so is the interval
        low, high = (low - high) / 2, (high - low) / 2
    elif side < 0:
        estimate, low, high = -estimate, -high, -low
    return Effect(estimate=estimate, low=low, high=high, confidence=confidence, n=n)


def bootstrap_means(values: Floats, *, resamples: int, rng: Seed) -> Floats:
    """The means of that many samples with replacement, in bounded memory."""
    if resamples < 1:
        raise InputError(f"resamples: found {resamples}; expected at least 1.")
    generator = np.random.default_rng(rng)
    n = len(values)
    rows = max(1, CHUNK_CELLS // n)
    chunks = [
        values[generator.integers(0, n, size=(min(rows, resamples - start), n), dtype=np.int32)].mean(axis=1)
        for start in range(0, resamples, rows)
    ]
    return np.concatenate(chunks)


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
    first = np.sort(first)
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


def _in_canonical_order(differences: Floats) -> tuple[Floats, int]:
    """Sorted, and of the two mirror images always the same one: 1 if it is as given, −1 if not, 0 if both are one."""
    ordered = np.sort(differences)
    mirrored = -ordered[::-1]
    unequal = np.flatnonzero(ordered != mirrored)
    if not len(unequal):
        return ordered, 0
    return (ordered, 1) if ordered[unequal[0]] > mirrored[unequal[0]] else (mirrored, -1)


def _bca_interval(values: Floats, means: Floats, confidence: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    centre = values.mean()
    spread = values - centre
    # Ties with the estimate count half; a share of 0 or 1 would send the bias to infinity.
    share = (np.mean(means < centre) + np.mean(means <= centre)) / 2
    bias = ndtri(np.clip(share, 0.5 / len(means), 1 - 0.5 / len(means)))
    acceleration = np.sum(spread**3) / (6 * np.sum(spread**2) ** 1.5)
    tails = bias + ndtri([(1 - confidence) / 2, (1 + confidence) / 2])
    low, high = np.quantile(means, ndtr(bias + tails / (1 - acceleration * tails)))
    return float(low), float(high)

"""Do two runs differ on these queries? One test for every pair, however few of the queries tell them apart.

Sign flips need only that the two runs could be exchanged on each query: no scale forbids them. Where few queries
differ all flips are visited and p is exact; where many do, the paired t-test gives the same to the digits that matter,
and is never surer than exchanging the runs on the queries that differ could be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import count

import numpy as np

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS, sign_of
from toprung.stats.inputs import Bools, Floats, as_sample
from toprung.stats.tests.sign_flips import flipped_p

SMALLEST_DIFFERENCE = 1e-10
"""What is not larger is rounding."""
NO_SPREAD = 1e-7
"""Below this share of the mean a spread is rounding."""
MOST_FLIPPED = 16
"""Differing queries up to which every one of the 2ᵏ flips is visited."""


@dataclass(frozen=True, kw_only=True)
class PairTest:
    """Whether a mean difference is more than chance; ``favours`` is +1 where it is above 0, −1 below, else 0."""

    p: float
    favours: int
    mean: float
    sd: float
    n: int
    differing: int
    """The queries on which the two differ at all."""


def differs(differences: Floats) -> Bools:
    """Where a difference is more than rounding."""
    found: Bools = np.abs(differences) > SMALLEST_DIFFERENCE
    return found


def smallest_p(differing: int) -> float:
    """What p is at least where so many queries differ: all of them for one run, or all for the other.

    >>> smallest_p(5), smallest_p(6), smallest_p(0)
    (0.0625, 0.03125, 1.0)
    """
    return min(1.0, 2.0 ** (1 - differing))


def least_differing(alpha: float) -> int:
    """How many queries must differ for any outcome to reach this level.

    >>> least_differing(0.05), least_differing(0.0625)
    (6, 5)
    """
    return next(k for k in count(1) if smallest_p(k) <= alpha)


def pair_test(differences: Floats) -> PairTest:
    """Test the differences of two runs, one for each query.

    >>> pair_test(np.array([1.0, 2, 3, 4, -1])).p, pair_test(np.full(40, 0.1)).p == 2.0**-39
    (0.1875, True)
    """
    found = as_sample(differences, name="differences")
    differing = np.sort(found[differs(found)])  # so that the order of the queries never shows, not even in the last bit
    n, k = len(found), len(differing)
    mean = float(differing.sum()) / n if n else math.nan
    sd = math.sqrt(max(0.0, float(differing @ differing) - n * mean**2) / (n - 1)) if n > 1 else math.nan
    return PairTest(
        p=_exact_p(differing) if k <= MOST_FLIPPED else max(_t_p(mean, sd, n), smallest_p(k)),
        favours=sign_of(round(mean, MEAN_DIGITS)) if k else 0,
        mean=mean,
        sd=sd,
        n=n,
        differing=k,
    )


def _exact_p(differing: Floats) -> float:
    if not len(differing):
        return 1.0
    weights = differing[None, :]
    return float(flipped_p(weights, weights.sum(axis=1), resamples=(1 << MOST_FLIPPED) - 1, seed=0)[0])


def _t_p(mean: float, sd: float, n: int) -> float:
    """Of the paired t-test; 0 where all queries differ by the same amount."""
    from scipy.special import stdtr

    if sd <= NO_SPREAD * abs(mean):
        return 0.0
    return 2 * float(stdtr(n - 1, -abs(mean) * math.sqrt(n) / sd))


def check_differences(a: Floats, b: Floats, *, measure: str) -> Floats:
    """B less A; a query without a value is refused."""
    found = b - a
    check_values(found, measure=measure)
    return found


def check_values(values: Floats, *, measure: str) -> None:
    """Refuse a query without a value."""
    if not np.isfinite(values).all():
        raise InputError(
            f"Found queries without a value of {measure}; expected one for every query and run. "
            "Take a measure that is 0 where a run finds nothing, such as RR."
        )

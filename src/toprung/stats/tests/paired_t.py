"""Is the mean difference of two runs more than chance? The paired t-test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.finding import MEAN_DIGITS, Finding, sign_of
from toprung.stats.inputs import Floats, as_pair, round_differences


@dataclass(frozen=True, kw_only=True)
class PairedT(Finding):
    """``statistic`` is t; ``mean`` and ``sd`` are those of B − A (NaN where too few queries define them).

    ``is_constant`` warns that every query differs by the same amount: p = 0 then, which no sampling could give.
    """

    mean: float
    sd: float
    is_constant: bool


def paired_t_test(a: ArrayLike, b: ArrayLike) -> PairedT:
    """``scipy.stats.ttest_rel``; with fewer than two queries, or no difference at all, p = 1.

    >>> found = paired_t_test([1, 2, 3, 4], [2, 3, 3, 6])
    >>> round(found.statistic, 6), round(found.p, 6), found.direction
    (2.44949, 0.091721, 1)
    """
    first, second = as_pair(a, b)
    # In the order of the differences, so that the order of the queries never shows, not even in the last bit.
    order = np.argsort(second - first)
    first, second = first[order], second[order]
    differences = second - first
    n = len(differences)
    rounded = round_differences(differences)
    mean = _mean(differences) if rounded.any() or not n else 0.0
    sd = float(differences.std(ddof=1)) if n > 1 else math.nan
    t, p, is_constant = 0.0, 1.0, False
    if n > 1 and rounded[0] == rounded[-1]:
        sd = 0.0
        if mean:
            t, p, is_constant = math.copysign(math.inf, mean), 0.0, True
    elif n > 1:
        from scipy.special import stdtr

        t = float(differences.mean()) / math.sqrt(float(differences.var(ddof=1)) / n)
        p = float(2 * stdtr(n - 1, -abs(t)))
    direction = sign_of(round(mean, MEAN_DIGITS))
    return PairedT(statistic=t, p=p, n=n, direction=direction, mean=mean, sd=sd, is_constant=is_constant)


def _mean(differences: Floats) -> float:
    return float(differences.mean()) if len(differences) else math.nan

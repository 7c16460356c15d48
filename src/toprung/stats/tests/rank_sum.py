"""Do B's values tend to be larger than A's, pairing set aside? The Wilcoxon rank-sum test (WRS)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.finding import Finding, sign_of
from toprung.stats.inputs import as_pair
from toprung.stats.tests.average_ranks import AverageRanks, normal_tail, two_sided_p


@dataclass(frozen=True, kw_only=True)
class RankSum(Finding):
    """``statistic`` is z without correction for ties; ``tie_corrected_p`` is its twin, with continuity correction.

    ``superiority`` is the chance that a value of B is larger than one of A, ties counted half.
    """

    tie_corrected_p: float
    superiority: float


def rank_sum_test(a: ArrayLike, b: ArrayLike) -> RankSum:
    """The rank-sum test over all n queries, as in the literature, and its tie-corrected twin.

    The first is ``scipy.stats.ranksums``, which ignores ties, the twin is
    ``scipy.stats.mannwhitneyu(method="asymptotic")``. Both ignore the pairing by query.

    >>> found = rank_sum_test([4, 5, 6], [1, 2, 3])
    >>> round(found.statistic, 6), round(found.p, 6), found.direction
    (-1.963961, 0.049535, -1)
    """
    first, second = as_pair(a, b)
    n = len(first)
    if n == 0:
        return RankSum(statistic=0.0, p=1.0, n=0, direction=0, tie_corrected_p=1.0, superiority=0.5)
    ranked = AverageRanks.of(np.concatenate([second, first]))
    total = float(ranked.ranks[:n].sum())
    z = (total - n * (2 * n + 1) / 2) / math.sqrt(n * n * (2 * n + 1) / 12)
    wins = total - n * (n + 1) / 2
    superiority = wins / n**2
    return RankSum(
        statistic=z,
        p=two_sided_p(z),
        n=n,
        direction=sign_of(z),
        tie_corrected_p=_tie_corrected_p(wins, n, ranked.tie_term),
        superiority=superiority,
    )


def _tie_corrected_p(wins: float, n: int, tie_term: float) -> float:
    """With half a win taken off for the step from counts to a curve; 1 where all are tied."""
    if tie_term >= (2.0 * n) ** 3 - 2.0 * n:
        return 1.0
    variance = n * n / 12 * ((2 * n + 1) - tie_term / (2 * n * (2 * n - 1)))
    z = (max(wins, n * n - wins) - n * n / 2 - 0.5) / math.sqrt(variance)
    return min(1.0, 2 * normal_tail(z))

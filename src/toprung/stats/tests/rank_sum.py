"""Do B's values tend to be larger than A's, pairing set aside? The Wilcoxon rank-sum test (WRS)."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from toprung.stats.finding import Finding, sign_of
from toprung.stats.inputs import as_pair


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
    from scipy.stats import mannwhitneyu, ranksums

    plain = ranksums(second, first)
    if min(first.min(), second.min()) == max(first.max(), second.max()):  # all tied: the twin would divide by zero
        tie_corrected_p, superiority = 1.0, 0.5
    else:
        twin = mannwhitneyu(second, first, method="asymptotic")
        tie_corrected_p, superiority = float(twin.pvalue), float(twin.statistic) / n**2
    return RankSum(
        statistic=float(plain.statistic),
        p=float(plain.pvalue),
        n=n,
        direction=sign_of(plain.statistic),
        tie_corrected_p=tie_corrected_p,
        superiority=superiority,
    )

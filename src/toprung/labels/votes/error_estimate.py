"""How often is one judgment wrong? A rough estimate from pairs whose answer two independent sources agree on.

Where a run and the label agree on the best answer, whoever prefers another one is likely to be wrong. That share is an
estimate of the error of one judgment, and lets the preference on other pairs be corrected for it.
"""

from __future__ import annotations

import math

from toprung.stats.intervals.proportions import Share, wilson_share

LAST_BITS = 1e-9
"""Votes that are right in 90% are right in 90%, whatever the root of their agreement is in binary."""


def estimate_error(n_lost: int, n: int, *, confidence: float = 0.95) -> Share:
    """The share of comparisons that the agreed answer lost, with Wilson's interval.

    >>> found = estimate_error(640, 1868)
    >>> f"{found.estimate:.4f} ({found.low:.4f} to {found.high:.4f})"
    '0.3426 (0.3214 to 0.3644)'
    """
    return wilson_share(n_lost, n, confidence=confidence)


def correct_preference(preferred: float, error: float) -> float:
    """What the preference would be without errors: (p − e) / (1 − 2e), kept between 0 and 1; NaN from e = ½ on.

    Rough: it takes every error to be as likely on one pair as on another.

    >>> round(correct_preference(2996 / 5112, 640 / 1868), 4)
    0.7734
    """
    if not error < 0.5 or math.isnan(preferred):
        return math.nan
    return min(1.0, max(0.0, (preferred - error) / (1 - 2 * error)))


def error_behind_agreement(agreement: float) -> float:
    """How often one vote is wrong if two agree this often: p² + (1 − p)² = agreement, 1 − p being the error.

    Rough: it takes every pair to be as hard as any other. From one half down nothing is right or wrong: ½.

    >>> round(error_behind_agreement(0.55), 3), error_behind_agreement(0.5), error_behind_agreement(1.0)
    (0.342, 0.5, 0.0)
    """
    return 0.5 - math.sqrt(max(0.0, 2 * agreement - 1)) / 2


def votes_needed(error: float, target: float = 0.9, *, most: int = 99) -> int | None:
    """The smallest odd number of votes whose majority is right this often; None if that takes more than ``most``.

    >>> votes_needed(0.342), votes_needed(0.2), votes_needed(0.05), votes_needed(0.49)
    (17, 5, 1, None)
    """
    for n in range(1, most + 1, 2):
        right = sum(math.comb(n, k) * (1 - error) ** k * error ** (n - k) for k in range(n // 2 + 1, n + 1))
        if right > target - LAST_BITS:
            return n
    return None

"""How sure is a share? Wilson's interval, which stays inside 0 and 1 and is never a point."""

from __future__ import annotations

import math

from toprung.errors import InputError
from toprung.stats.inputs import check_share


def wilson_interval(successes: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """The score interval of Wilson (1927), without continuity correction; NaN without trials.

    Counts need not be whole: trials that are alike may count as fewer.

    >>> low, high = wilson_interval(640, 1868)
    >>> round(low, 4), round(high, 4)
    (0.3214, 0.3644)
    """
    from scipy.special import ndtri

    check_share(confidence, name="confidence")
    if not 0 <= successes <= n:
        raise InputError(f"Found {successes:g} of {n:g}; expected a count that fits.")
    if n == 0:
        return math.nan, math.nan
    z = float(ndtri((1 + confidence) / 2))
    share, weight = successes / n, z * z / n
    centre = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    # Where all or none succeed that end is reached exactly; rounding must not leave it a hair beside.
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == n else centre + half)

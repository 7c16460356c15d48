"""What could have been seen? The minimum detectable difference.

``pair_power`` has the same of many pairs, by t where queries are few, how many queries a difference needs, and the test
of equivalence (TOST).
"""

from __future__ import annotations

import math

from toprung.errors import InputError
from toprung.stats.inputs import check_share


def minimum_detectable_difference(sd: float, n: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The mean difference that a two-sided test on n queries finds with that power, by normal quantiles.

    ``sd`` is the standard deviation of the per-query differences. Without queries nothing can be seen: ∞.

    >>> round(minimum_detectable_difference(0.58, 5793), 6)
    0.021349
    """
    if not (sd >= 0 and math.isfinite(sd)):
        raise InputError(f"sd: found {sd:g}; expected a standard deviation from 0.")
    return _quantiles(alpha, power) * sd / math.sqrt(n) if n else math.inf


def _quantiles(alpha: float, power: float) -> float:
    from scipy.special import ndtri

    check_share(alpha, name="alpha")
    check_share(power, name="power")
    return float(ndtri(power) - ndtri(alpha / 2))

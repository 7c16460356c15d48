"""What could have been seen? The minimum detectable difference, and the test of equivalence (TOST).

``pair_power`` has the same of many pairs, by t where queries are few, and how many queries a difference needs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.inputs import as_pair, check_share, round_differences


@dataclass(frozen=True, kw_only=True)
class Equivalence:
    """``p`` is the larger of the two one-sided p-values: small means the runs differ by less than the margin."""

    p: float
    mean: float
    margin: float
    n: int


def minimum_detectable_difference(sd: float, n: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The mean difference that a two-sided test on n queries finds with that power, by normal quantiles.

    ``sd`` is the standard deviation of the per-query differences. Without queries nothing can be seen: ∞.

    >>> round(minimum_detectable_difference(0.58, 5793), 6)
    0.021349
    """
    if not (sd >= 0 and math.isfinite(sd)):
        raise InputError(f"sd: found {sd:g}; expected a standard deviation from 0.")
    return _quantiles(alpha, power) * sd / math.sqrt(n) if n else math.inf


def equivalence_test(a: ArrayLike, b: ArrayLike, *, margin: float) -> Equivalence:
    """Two one-sided paired t-tests: is the mean of B − A within ±margin?

    Below two queries nothing is shown (p = 1); a constant difference is within the margin (p = 0) or not (p = 1).

    >>> found = equivalence_test([0.0] * 100, [0.01, -0.01] * 50, margin=0.002)
    >>> round(found.p, 6)
    0.024676
    """
    if not margin > 0:
        raise InputError(f"margin: found {margin:g}; expected a positive difference.")
    first, second = as_pair(a, b)
    differences = np.sort(second - first)
    n = len(differences)
    mean = float(differences.mean()) if n else math.nan
    return Equivalence(p=_equivalence_p(differences, mean, margin), mean=mean, margin=margin, n=n)


def _equivalence_p(differences: np.ndarray[tuple[int], np.dtype[np.float64]], mean: float, margin: float) -> float:
    n = len(differences)
    if n < 2:
        return 1.0
    rounded = round_differences(differences)
    if rounded[0] == rounded[-1]:
        return 0.0 if abs(mean) < margin else 1.0
    from scipy.special import stdtr

    error = float(differences.std(ddof=1)) / math.sqrt(n)
    return float(stdtr(n - 1, (abs(mean) - margin) / error))


def _quantiles(alpha: float, power: float) -> float:
    from scipy.special import ndtri

    check_share(alpha, name="alpha")
    check_share(power, name="power")
    return float(ndtri(power) - ndtri(alpha / 2))

"""What could have been seen? Minimum detectable difference, queries needed, and the test of equivalence (TOST)."""

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
    _check_spread(sd)
    return _quantiles(alpha, power) * sd / math.sqrt(n) if n else math.inf


def queries_needed(sd: float, difference: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many queries show that difference with that power.

    >>> queries_needed(0.58, 0.02135)
    5793
    """
    _check_spread(sd)
    if difference == 0:
        raise InputError("difference: found 0; expected the difference to be found, which is never 0.")
    return max(1, math.ceil((_quantiles(alpha, power) * sd / difference) ** 2))


def power_of(difference: float, sd: float, n: int, *, alpha: float = 0.05) -> float:
    """The chance that a two-sided test on n queries finds that difference (either way), by normal quantiles.

    >>> round(power_of(0.021349, 0.58, 5793), 3)
    0.8
    """
    from scipy.special import ndtr, ndtri

    check_share(alpha, name="alpha")
    _check_spread(sd)
    if sd == 0:
        return 1.0 if difference and n else alpha
    needed, shift = float(ndtri(1 - alpha / 2)), abs(difference) * math.sqrt(n) / sd
    return float(ndtr(shift - needed) + ndtr(-shift - needed))


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
    return float(ndtri(1 - alpha / 2) + ndtri(power))


def _check_spread(sd: float) -> None:
    if not (sd >= 0 and math.isfinite(sd)):
        raise InputError(f"sd: found {sd:g}; expected a standard deviation from 0.")

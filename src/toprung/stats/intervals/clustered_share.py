"""How sure is a share if the trials come in groups? Wilson's interval with fewer effective trials.

Pairs of one query are alike: ten of them tell less than ten pairs of ten queries. The effective number of trials (Korn
and Graubard 1998) is how many independent ones would leave the same variance, with groups as the unit. A variance seen
in few groups is itself uncertain, for which their factor with Student's t takes some more away.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.inputs import Floats, check_share
from toprung.stats.intervals.proportions import Share
from toprung.stats.intervals.wilson import wilson_interval


def clustered_share(successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95) -> Share:
    """The share of successes over groups; both hold one count a group.

    >>> of_ten_groups = clustered_share([1, 0] * 5, [1, 1] * 5)
    >>> of_two_groups = clustered_share([5, 0], [5, 5])
    >>> of_ten_groups.estimate, of_two_groups.estimate, of_two_groups.low < of_ten_groups.low
    (0.5, 0.5, True)
    """
    check_share(confidence, name="confidence")
    won, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    if won.shape != n.shape or won.ndim != 1 or (won < 0).any() or (won > n).any():
        raise InputError("successes, trials: expected one count for each group, none above its trials.")
    total = int(n.sum())
    if total == 0:
        return Share(successes=0, trials=0, low=math.nan, high=math.nan, confidence=confidence)
    effective = _effective_trials(won[n > 0], n[n > 0], confidence)
    low, high = wilson_interval(float(won.sum()) / total * effective, effective, confidence)
    return Share(successes=int(won.sum()), trials=total, low=low, high=high, confidence=confidence)


def _effective_trials(won: Floats, n: Floats, confidence: float) -> float:
    """Never more than there are; where the variance cannot be seen (one group, or all alike) one for each group."""
    groups, total = len(n), n.sum()
    share = won.sum() / total
    variance = groups / (groups - 1) * ((won - share * n) ** 2).sum() / total**2 if groups > 1 else 0.0
    if variance == 0:
        return float(groups)
    from scipy.special import ndtri, stdtrit

    tail = (1 + confidence) / 2
    effective = share * (1 - share) / variance * (ndtri(tail) / stdtrit(groups - 1, tail)) ** 2
    return float(np.clip(effective, 1.0, total))

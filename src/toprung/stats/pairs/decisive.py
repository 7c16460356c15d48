"""Which queries decide a mean difference? Those with the largest differences: how few of them carry it.

Only what is exact for a mean: no query is left out of any test.
"""

from __future__ import annotations

import math

import numpy as np

from toprung.stats.inputs import Floats
from toprung.stats.tests.pair import SMALLEST_DIFFERENCE, differs


def weigh(differences: Floats) -> Floats:
    """The share that each query has in all differences, whichever run they favour; 0 where none differs.

    >>> weigh(np.array([3.0, -1, 0])).tolist()
    [0.75, 0.25, 0.0]
    """
    sizes = np.where(differs(differences), np.abs(differences), 0.0)
    total = math.fsum(sizes.tolist())
    return sizes / total if total else sizes


def count_half(differences: Floats) -> int:
    """How many queries, the largest differences first, make half of all differences.

    >>> count_half(np.array([4.0, -3, 1, 1, 1])), count_half(np.zeros(3))
    (2, 0)
    """
    sizes = -np.sort(-weigh(differences))
    return int(np.searchsorted(np.cumsum(sizes), 0.5 - SMALLEST_DIFFERENCE)) + 1 if sizes.any() else 0


def count_lead(differences: Floats) -> int:
    """Without how few queries, those that favour the leader most, it would not lead; 0 where nobody does.

    >>> count_lead(np.array([4.0, 2, 1, -3, -2])), count_lead(np.array([-1.0, -1])), count_lead(np.array([1.0, -1]))
    (1, 2, 0)
    """
    total = math.fsum(differences.tolist())
    if abs(total) <= SMALLEST_DIFFERENCE * max(1, len(differences)):
        return 0
    favouring = -np.sort(-np.sign(total) * differences)
    left = abs(total) - np.cumsum(favouring)
    return int(np.argmax(left <= SMALLEST_DIFFERENCE * len(differences))) + 1

"""How far apart do two runs put the answer, where both find it? Queries counted by distance, in bins that widen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BIN_STARTS = (1, 2, 3, 4, 6, 11, 31)
"""The least distance of each bin: small distances one by one, the far ones together."""


@dataclass(frozen=True, kw_only=True)
class DistanceBin:
    """How many queries either run wins by ``low`` to ``high`` ranks; the last bin has no end."""

    low: int
    high: float
    b_higher: int
    a_higher: int

    @property
    def is_open(self) -> bool:
        return math.isinf(self.high)

    @property
    def words(self) -> str:
        """Such as ``1``, ``4–5`` or ``31+``."""
        if self.is_open:
            return f"{self.low}+"
        return f"{self.low}" if self.low == self.high else f"{self.low}–{self.high:.0f}"


@dataclass(frozen=True, kw_only=True)
class RankDifferences:
    """Queries that both runs answer, by how far apart: bins from the nearest outwards, without empty far ones."""

    same: int
    bins: tuple[DistanceBin, ...]

    @property
    def n(self) -> int:
        """How many queries both answer."""
        return self.same + self.b_higher + self.a_higher

    @property
    def b_higher(self) -> int:
        return sum(each.b_higher for each in self.bins)

    @property
    def a_higher(self) -> int:
        return sum(each.a_higher for each in self.bins)


def count_rank_differences(a: NDArray[np.int32], b: NDArray[np.int32]) -> RankDifferences:
    """From two columns of first ranks (0 = not found).

    >>> found = count_rank_differences(np.array([1, 9, 2, 0]), np.array([1, 1, 3, 5]))
    >>> found.same, [(each.words, each.b_higher, each.a_higher) for each in found.bins]
    (1, [('1', 0, 1), ('2', 0, 0), ('3', 0, 0), ('4–5', 0, 0), ('6–10', 1, 0)])
    """
    both = (a > 0) & (b > 0)
    lead_of_b = a[both].astype(np.int64) - b[both]
    b_higher, a_higher = _count_bins(lead_of_b), _count_bins(-lead_of_b)
    highs = [*(start - 1 for start in BIN_STARTS[1:]), math.inf]
    bins = [
        DistanceBin(low=low, high=high, b_higher=of_b, a_higher=of_a)
        for low, high, of_b, of_a in zip(BIN_STARTS, highs, b_higher, a_higher, strict=True)
    ]
    while bins and not bins[-1].b_higher and not bins[-1].a_higher:
        bins.pop()
    return RankDifferences(same=int(np.count_nonzero(lead_of_b == 0)), bins=tuple(bins))


def _count_bins(leads: NDArray[np.int64]) -> list[int]:
    """How many leads fall into each bin; those of the other run into none."""
    places = np.searchsorted(BIN_STARTS, leads[leads > 0], side="right") - 1
    counts: list[int] = np.bincount(places, minlength=len(BIN_STARTS)).tolist()
    return counts

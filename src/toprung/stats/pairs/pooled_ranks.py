"""How often is a value of B larger than one of A, over all pairs of runs? What the rank-sum test needs to know."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Floats, Ints

type Indices = NDArray[np.intp]

# Up to here the histograms of all runs are kept; beyond, those of one run at a time.
FEW_LEVELS = 4_096
CELLS_PER_BATCH = 1 << 20


@dataclass(frozen=True, kw_only=True)
class PooledRanks:
    """``codes`` (runs × queries) are positions among the levels of all values."""

    codes: Indices
    n_levels: int

    def doubled_wins(self, first: Ints, second: Ints) -> Floats:
        """Twice the number of (value of B, value of A) with B's larger, ties counted half: 2U, a whole number."""
        if _has_few_levels(self.codes, self.n_levels):
            return self._from_histograms(first, second)
        return self._from_lookups(first, second)

    def _from_histograms(self, first: Ints, second: Ints) -> Floats:
        runs, positions = np.unique(np.concatenate([first, second]), return_inverse=True)
        counts = np.stack([self._count(run) for run in runs]) if len(runs) else np.empty((0, self.n_levels))
        beaten = _beaten(counts)
        a, b = positions[: len(first)], positions[len(first) :]
        size = max(1, CELLS_PER_BATCH // max(1, self.n_levels))
        doubled = np.empty(len(first))
        for start in range(0, len(first), size):
            part = slice(start, start + size)
            doubled[part] = np.einsum("ij,ij->i", counts[b[part]], beaten[a[part]])
        return doubled

    def _from_lookups(self, first: Ints, second: Ints) -> Floats:
        doubled = np.empty(len(first))
        size = max(1, CELLS_PER_BATCH // max(1, self.codes.shape[1]))
        for run in np.unique(first):
            beaten = _beaten(self._count(run))
            places = np.flatnonzero(first == run)
            for start in range(0, len(places), size):
                part = places[start : start + size]
                doubled[part] = beaten.take(self.codes[second[part]]).sum(axis=1)
        return doubled

    def _count(self, run: int) -> Floats:
        return np.bincount(self.codes[run], minlength=self.n_levels).astype(np.float64)


def pool_ranks(codes: Indices, n_levels: int) -> PooledRanks:
    """Ready for ``doubled_wins``; where values are looked up, they are so in ascending order, which the cache likes."""
    is_counted = _has_few_levels(codes, n_levels)
    return PooledRanks(codes=codes if is_counted else np.sort(codes, axis=1), n_levels=n_levels)


def _has_few_levels(codes: Indices, n_levels: int) -> bool:
    """Whether histograms are kept: not where they would be longer than the values they count."""
    return n_levels <= min(FEW_LEVELS, int(codes.shape[1]))


def _beaten(counts: Floats) -> Floats:
    """For each level: twice the number of values below it, plus those on it."""
    return 2 * np.cumsum(counts, axis=-1) - counts

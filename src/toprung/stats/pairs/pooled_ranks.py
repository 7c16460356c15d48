"""How often is a value of B larger than one of A, over all pairs of runs? What the rank-sum test needs to know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Floats, Ints
from toprung.stats.kernel.compiled import has_kernel, kernel
from toprung.stats.pairs.encoded import Codes, EncodedRuns

type Indices = NDArray[np.intp]

CELLS_PER_BATCH = 1 << 20
# What the compiled kernel can count of a run, and what a table of runs × runs may have: 128 MB.
MOST_QUERIES = 46_340
MOST_RUNS = 4_096
# Fewer pairs than this share of all are not worth the table.
LEAST_SHARE = 1 / 16


class PooledRanks(Protocol):
    """Gives twice the number of (value of B, value of A) with B's larger, ties counted half: 2U, a whole number."""

    def doubled_wins(self, first: Ints, second: Ints) -> Floats: ...


def pool_ranks(runs: EncodedRuns, n_pairs: int) -> PooledRanks:
    """The best way for so many pairs: histograms of the levels, not where they would be longer than what they count."""
    if runs.levels is not None and runs.codes is not None and len(runs.levels) <= runs.n:
        return CountedLevels(codes=runs.codes, n_levels=len(runs.levels))
    is_within = 0 < runs.n <= MOST_QUERIES and runs.n_runs <= MOST_RUNS
    if has_kernel() and is_within and n_pairs >= LEAST_SHARE * runs.n_runs**2:
        return SweptValues(values=runs.values)
    return LookedUpValues(values=runs.values)


@dataclass(frozen=True, kw_only=True)
class CountedLevels:
    """From histograms; ``codes`` (runs × queries) are positions among the levels of all values."""

    codes: Codes
    n_levels: int

    def doubled_wins(self, first: Ints, second: Ints) -> Floats:
        runs, positions = np.unique(np.concatenate([first, second]), return_inverse=True)
        counts = np.stack([_count(self.codes[run], self.n_levels) for run in runs]) if len(runs) else np.empty((0, 0))
        beaten = _beaten(counts)
        a, b = positions[: len(first)], positions[len(first) :]
        size = max(1, CELLS_PER_BATCH // max(1, self.n_levels))
        doubled = np.empty(len(first))
        for start in range(0, len(first), size):
            part = slice(start, start + size)
            doubled[part] = np.einsum("ij,ij->i", counts[b[part]], beaten[a[part]])
        return doubled


@dataclass(frozen=True, eq=False, kw_only=True)
class SweptValues:
    """By going through all values of all runs in ascending order, once for all pairs; compiled."""

    values: Floats

    def doubled_wins(self, first: Ints, second: Ints) -> Floats:
        return self._table[second, first]

    @cached_property
    def _table(self) -> Floats:
        n_runs, n = self.values.shape
        order = np.argsort(self.values, axis=None)
        ascending = self.values.ravel()[order]
        is_new = np.ones(len(order), dtype=bool)
        np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
        table = np.empty((n_runs, n_runs))
        kernel.pooled_wins((order // n).astype(np.int32), is_new, n_runs, table)
        return table


@dataclass(frozen=True, eq=False, kw_only=True)
class LookedUpValues:
    """By looking up each value of B among all values, one run A after the other."""

    values: Floats

    def doubled_wins(self, first: Ints, second: Ints) -> Floats:
        codes, n_levels = self._encoded
        doubled = np.empty(len(first))
        size = max(1, CELLS_PER_BATCH // max(1, codes.shape[1]))
        for run in np.unique(first):
            beaten = _beaten(_count(codes[run], n_levels))
            places = np.flatnonzero(first == run)
            for start in range(0, len(places), size):
                part = places[start : start + size]
                doubled[part] = beaten.take(codes[second[part]]).sum(axis=1)
        return doubled

    @cached_property
    def _encoded(self) -> tuple[Indices, int]:
        """In ascending order, which the cache likes."""
        levels = np.unique(self.values)
        return np.sort(np.searchsorted(levels, self.values), axis=1), len(levels)


def _count(codes: Codes | Indices, n_levels: int) -> Floats:
    return np.bincount(codes, minlength=n_levels).astype(np.float64)


def _beaten(counts: Floats) -> Floats:
    """For each level: twice the number of values below it, plus those on it."""
    return 2 * np.cumsum(counts, axis=-1) - counts

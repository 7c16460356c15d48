"""How do all pairs differ, if a measure has few levels? Each pair becomes a histogram of its differences.

RR@100 takes 101 values, so that two runs differ by one of some 4,600 sizes. Level pairs are looked up in a table
that holds the bin of their difference; a count of the bins then gives ranks, ties and moments without sorting.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Bools, Floats, Ints, round_differences
from toprung.stats.kernel.compiled import has_kernel, kernel
from toprung.stats.pairs.difference_sums import N_SUMS, DifferenceSums
from toprung.stats.pairs.encoded import Codes

type Bins = NDArray[np.uint32]

# More bins than this for each query are slower than sorting.
MOST_SIZES_PER_QUERY = 4
# Differences that round to the same must be the same but for the last bits, or their moments could not share a bin.
SAME = 1e-14
# So many histograms are evaluated together: few enough for the cache, enough to amortise the calls.
PAIRS_PER_BATCH = 16


@dataclass(frozen=True, kw_only=True)
class BinnedDifferences:
    """``codes`` (runs × queries) are levels; ``bins[i × levels + j]`` is the bin of level j less level i.

    Bins: first the sizes of positive differences ascending, then those of negative ones, then zero, then left out.
    """

    codes: Codes
    n_levels: int
    bins: Bins
    sizes: Floats

    def sums(self, first: Ints, second: Ints) -> DifferenceSums:
        if has_kernel() and self.codes.size:
            sums = np.empty((N_SUMS, len(first)))
            kernel.sum_binned(self.codes, self.codes.shape[1], self.bins, self.sizes, first, second, sums)
            return DifferenceSums(*sums)
        batches = [
            self._evaluate(self._count_bins(first[start:stop], second[start:stop]))
            for start, stop in _batches(len(first), PAIRS_PER_BATCH)
        ]
        return DifferenceSums(*(np.concatenate(batches, axis=1) if batches else np.empty((N_SUMS, 0))))

    def _count_bins(self, first: Ints, second: Ints) -> Ints:
        n_bins = 2 * len(self.sizes) + 2
        counts = np.empty((len(first), n_bins), dtype=np.int64)
        for position, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            rows = self.codes[a].astype(np.intp) * self.n_levels + self.codes[b]
            counts[position] = np.bincount(self.bins[rows], minlength=n_bins)
        return counts

    def _evaluate(self, counts: Ints) -> Floats:
        n_sizes = len(self.sizes)
        wins, losses = counts[:, :n_sizes], counts[:, n_sizes : 2 * n_sizes]
        in_group = wins + losses
        # Twice the mid-rank of a group: all that are smaller, twice, and its own, and one. Whole numbers throughout.
        doubled_rank = np.cumsum(in_group, axis=1)
        doubled_rank *= 2
        doubled_rank -= in_group
        n_wins = wins.sum(axis=1)
        doubled_w_plus = np.einsum("ij,ij->i", wins, doubled_rank) + n_wins
        n_losses = losses.sum(axis=1)
        np.multiply(in_group, in_group, out=doubled_rank)
        ties = np.einsum("ij,ij->i", doubled_rank, in_group) - n_wins - n_losses
        lean = (wins - losses).astype(np.float64)
        return np.stack(
            [
                n_wins + n_losses + counts[:, -2],
                n_wins,
                n_losses,
                doubled_w_plus / 2,
                ties,
                np.einsum("ij,j->i", lean, self.sizes),
                np.einsum("ij,j->i", in_group.astype(np.float64), self.sizes**2),
            ]
        )


def bin_differences(levels: Floats, codes: Codes, *, left_out: Bools) -> BinnedDifferences | None:
    """The histogram kernel for runs × queries, or None where sorting is the better way.

    ``left_out`` marks the levels that take a query out of a pair, such as the rank 0 of a miss.
    """
    differences = levels[None, :] - levels[:, None]
    differences[left_out, :] = np.nan
    differences[:, left_out] = np.nan
    sizes = np.abs(differences)
    rounded = round_differences(sizes)
    distinct, where = np.unique(rounded[rounded > 0], return_inverse=True)
    if len(distinct) > MOST_SIZES_PER_QUERY * max(codes.shape[1], 64):
        return None
    exact = np.empty(len(distinct))
    exact[where] = sizes[rounded > 0]
    if np.abs(exact[where] - sizes[rounded > 0]).max(initial=0) > SAME * max(1.0, np.abs(levels).max(initial=0)):
        return None
    bins = np.full(differences.shape, 2 * len(distinct), dtype=np.uint32)
    bins[rounded > 0] = where + len(distinct) * (differences[rounded > 0] < 0)
    bins[np.isnan(differences)] = 2 * len(distinct) + 1
    return BinnedDifferences(codes=codes, n_levels=len(levels), bins=bins.ravel(), sizes=exact)


def _batches(count: int, size: int) -> list[tuple[int, int]]:
    return [(start, min(start + size, count)) for start in range(0, count, size)]

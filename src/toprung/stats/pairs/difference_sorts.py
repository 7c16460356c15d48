"""How do all pairs differ, if a measure has many levels? The differences of a block of pairs are sorted together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toprung.errors import InputError
from toprung.stats.inputs import DIGITS, Floats, Ints
from toprung.stats.kernel.compiled import has_kernel, kernel
from toprung.stats.pairs.difference_sums import N_SUMS, DifferenceSums

CELLS_PER_BATCH = 1 << 17
LEFT_OUT = np.iinfo(np.int64).max - 1  # even, so that it is no loss
# Rounded differences are sorted as whole numbers of 10⁻¹⁰.
LARGEST_VALUE = 1e8


@dataclass(frozen=True, kw_only=True)
class SortedDifferences:
    """``values`` is runs × queries; NaN takes a query out of every pair of that run."""

    values: Floats

    def __post_init__(self) -> None:
        largest = np.abs(self.values[np.isfinite(self.values)]).max(initial=0)
        if largest > LARGEST_VALUE:
            raise InputError(f"values: found {largest:g}; expected at most {LARGEST_VALUE:g}. Rescale the measure.")

    def sums(self, first: Ints, second: Ints) -> DifferenceSums:
        if has_kernel() and self.values.size:
            sums = np.empty((N_SUMS, len(first)))
            kernel.sum_sorted(self.values, self.values.shape[1], first, second, sums)
            return DifferenceSums(*sums)
        size = max(1, CELLS_PER_BATCH // max(1, self.values.shape[1]))
        batches = [
            self._evaluate(first[start : start + size], second[start : start + size])
            for start in range(0, len(first), size)
        ]
        return DifferenceSums(*(np.concatenate(batches, axis=1) if batches else np.empty((N_SUMS, 0))))

    def _evaluate(self, first: Ints, second: Ints) -> Floats:
        differences = self.values[second]
        differences -= self.values[first]
        is_left_out = np.isnan(differences)
        n = differences.shape[1] - is_left_out.sum(axis=1)
        differences[is_left_out] = 0
        total, squares = differences.sum(axis=1), np.einsum("ij,ij->i", differences, differences)
        keys = _keys(differences)
        keys[is_left_out] = LEFT_OUT
        keys.sort(axis=1)
        return np.stack([n, *_rank(keys, n), total, squares])


def _keys(differences: Floats) -> Ints:
    """Twice the rounded size, odd for a loss: in the order of size, with the sign to be read back."""
    whole = np.rint(differences * 10.0**DIGITS).astype(np.int64)
    return 2 * np.abs(whole) + (whole < 0)


def _rank(keys: Ints, n: Ints) -> list[Floats]:
    """Wins, losses, rank sum of the wins, and ties, from sorted rows of keys of which the first n count.

    Places in the row are ranks where nothing is tied. Within a group of w wins and l losses the wins stand first,
    so that the losses' places add up to wl/2 more than their mid-ranks.
    """
    is_loss = keys & 1
    n_zeros = (keys == 0).sum(axis=1)
    n_losses = is_loss.sum(axis=1)
    count = n - n_zeros
    places = np.arange(1, keys.shape[1] + 1)
    w_minus = (is_loss @ places - n_losses * n_zeros).astype(np.float64)
    rows, length, losses = _tied_groups(keys, is_loss)
    w_minus -= np.bincount(rows, weights=losses * (length - losses), minlength=len(keys)) / 2
    ties = np.bincount(rows, weights=length.astype(np.float64) ** 3 - length, minlength=len(keys))
    wins = (count - n_losses).astype(np.float64)
    return [wins, n_losses.astype(np.float64), count * (count + 1) / 2 - w_minus, ties]


def _tied_groups(keys: Ints, is_loss: Ints) -> tuple[Ints, Ints, Ints]:
    """Every group of two or more equal sizes other than zero: its row, its length and its losses."""
    sizes = keys >> 1
    is_tied = np.zeros(keys.shape, dtype=np.bool_)  # with the one before; the first of a row never is
    np.equal(sizes[:, 1:], sizes[:, :-1], out=is_tied[:, 1:])
    is_tied &= (keys > 0) & (keys < LEFT_OUT)
    later = np.flatnonzero(is_tied)
    if not len(later):
        return (np.empty(0, dtype=np.int64),) * 3
    starts = np.flatnonzero(np.diff(later, prepend=-1) != 1)
    length = np.diff(starts, append=len(later)) + 1
    losses = np.add.reduceat(is_loss.ravel()[later], starts) + is_loss.ravel()[later[starts] - 1]
    return later[starts] // keys.shape[1], length, losses

"""Where does a pair stand, if pairs are kept run after run, each with all before it? One run more adds at the end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Bools, Ints
from toprung.stats.pairs.results import Pairs


def count_pairs(n_runs: int) -> int:
    return n_runs * (n_runs - 1) // 2


def row_of(later: int) -> slice:
    """The places of the pairs of a run with all before it.

    >>> row_of(3)
    slice(3, 6, None)
    """
    return slice(count_pairs(later), count_pairs(later + 1))


def run_after_run(n_runs: int) -> Pairs:
    """All pairs in that order, the earlier run first.

    >>> run_after_run(3).first.tolist(), run_after_run(3).second.tolist()
    ([0, 0, 1], [1, 2, 2])
    """
    second, first = np.tril_indices(n_runs, k=-1)
    return Pairs(first=first.astype(np.int64), second=second.astype(np.int64))


def places_of(pairs: Pairs) -> Ints:
    """Where they stand in that order, the earlier run first in each.

    >>> places_of(run_after_run(4)).tolist()
    [0, 1, 2, 3, 4, 5]
    """
    places: Ints = pairs.second * (pairs.second - 1) // 2 + pairs.first
    return places


def cut_runs(start: int, stop: int, n_pairs: int) -> list[tuple[int, int]]:
    """Runs from one place to before another, in blocks whose pairs with all runs before them are about so many.

    >>> cut_runs(0, 6, 5)
    [(0, 4), (4, 6)]
    """
    blocks = []
    while start < stop:
        end = start + 1
        while end < stop and count_pairs(end) - count_pairs(start) < n_pairs:
            end += 1
        blocks.append((start, end))
        start = end
    return blocks


def select_pairs[T: np.generic](pairs: NDArray[T], runs: Ints) -> NDArray[T]:
    """The pairs of these runs, which are ascending, in the order that they have among themselves."""
    rows = [pairs[row_of(int(run))][runs[:place]] for place, run in enumerate(runs)]
    return np.concatenate(rows) if rows else pairs[:0]


def to_square(n_runs: int, first: Bools, second: Bools) -> Bools:
    """Runs × runs, from what is true of the first run of each pair, and of the second."""
    square = np.zeros((n_runs, n_runs), dtype=bool)
    for later in range(1, n_runs):
        row = row_of(later)
        square[:later, later] = first[row]
        square[later, :later] = second[row]
    return square

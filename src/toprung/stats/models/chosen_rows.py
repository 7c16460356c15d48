"""Which of many rows come to one side, dealt at random many times? And what do these add up to?

Only the rows of the smaller side are drawn: the other has the rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toprung.stats.inputs import Floats
from toprung.stats.kernel.compiled import has_kernel, kernel

type Rows = NDArray[np.int32]


def choose_rows(n: int, count: int, deals: int, rng: np.random.Generator) -> Rows:
    """Deals × count: so many of n rows, without replacement; what is drawn does not depend on how deals are chunked.

    >>> np.sort(choose_rows(3, 3, 1, np.random.default_rng(0))).tolist()
    [[0, 1, 2]]
    """
    picks = (rng.random((deals, count)) * np.arange(n, n - count, -1)).astype(np.int32)
    if not picks.size:
        return picks
    if has_kernel():
        kernel.choose_rows(picks, count, n)
        return picks
    return _exchange(picks, n)


def _exchange(picks: Rows, n: int) -> Rows:
    """The shuffle of Fisher and Yates, of all deals at once: the i-th takes the row that it picks among those left."""
    every = np.arange(len(picks))
    order = np.tile(np.arange(n, dtype=np.int32), (len(picks), 1))
    for place in range(picks.shape[1]):
        at = place + picks[:, place]
        picks[:, place] = order[every, at]
        order[every, at] = order[:, place]
    return picks


def sum_chosen(rows: Rows, values: Floats) -> Floats:
    """Deals × columns of values: each summed over the rows of a deal.

    >>> sum_chosen(np.array([[0, 2], [1, 2]], dtype=np.int32), np.array([[1.0], [2.0], [4.0]])).tolist()
    [[5.0], [6.0]]
    """
    if has_kernel() and rows.size:
        sums = np.empty((len(rows), values.shape[1]))
        kernel.sum_rows(rows, rows.shape[1], np.ascontiguousarray(values), len(values), sums)
        return sums
    is_chosen = np.zeros((len(rows), len(values)))
    np.put_along_axis(is_chosen, rows, 1.0, axis=1)
    found: Floats = is_chosen @ values
    return found

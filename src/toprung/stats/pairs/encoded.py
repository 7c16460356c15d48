"""What need be found out once about the values of runs, for tests of many pairs: their order and their levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toprung.stats.inputs import Floats, Ints, as_matrix

type Codes = NDArray[np.uint16]

# A table of level pairs beyond this is slower than sorting.
MOST_LEVELS = 1_500
RUNS_AT_ONCE = 8


@dataclass(frozen=True, eq=False, kw_only=True)
class EncodedRuns:
    """Runs × queries, the queries ordered by their values: the order they came in shows in no sum's last bit.

    ``levels`` are the distinct values, ascending, and perhaps some that do not occur; ``codes`` the position of every
    value among them. Both are None where there are many levels. ``places`` tells where each query came to stand.
    """

    values: Floats
    places: Ints
    levels: Floats | None
    codes: Codes | None

    @property
    def n_runs(self) -> int:
        return len(self.values)

    @property
    def n(self) -> int:
        return int(self.values.shape[1])

    def select(self, queries: Ints) -> EncodedRuns:
        """The same of some of the queries."""
        chosen = np.sort(self.places[queries])
        return EncodedRuns(
            values=np.ascontiguousarray(self.values[:, chosen]),
            places=np.searchsorted(chosen, self.places[queries]),
            levels=self.levels,
            codes=None if self.codes is None else np.ascontiguousarray(self.codes[:, chosen]),
        )


def encode_runs(values: ArrayLike | EncodedRuns) -> EncodedRuns:
    """Ready for tests, from values of queries × runs."""
    if isinstance(values, EncodedRuns):
        return values
    matrix = as_matrix(values)
    order = canonical_order(matrix)
    runs = np.ascontiguousarray(matrix[order].T)
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    levels = _find_levels(runs)
    codes = None if levels is None else np.searchsorted(levels, runs).astype(np.uint16)
    return EncodedRuns(values=runs, places=places, levels=levels, codes=codes)


def canonical_order(matrix: Floats) -> Ints:
    """The order of the queries of queries × runs by their values, in any way that the values alone decide."""
    rows = np.ascontiguousarray(matrix + 0.0)  # without a negative zero
    if not rows.size:
        return np.arange(len(rows))
    as_bytes = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize)))
    return np.argsort(as_bytes.ravel())


def _find_levels(runs: Floats) -> Floats | None:
    levels = np.empty(0)
    for start in range(0, len(runs), RUNS_AT_ONCE):
        levels = np.unique(np.concatenate([levels, runs[start : start + RUNS_AT_ONCE].ravel()]))
        if len(levels) > MOST_LEVELS:
            return None
    return levels

"""How are resamples of queries cut into pieces of work? In chunks that are drawn where they are used, from one seed."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray

from toprung.stats.intervals.bootstrap import fill_weights, skip_weights


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnLater:
    """Some resamples, to be drawn once from a generator that stands where the resamples before them end."""

    n: int
    resamples: int
    rng: np.random.Generator

    def weights(self, kind: DTypeLike) -> NDArray[np.floating]:
        """How often each query is drawn, resamples × queries."""
        weights: NDArray[np.floating] = np.empty((self.resamples, self.n), dtype=kind)
        fill_weights(weights, self.rng)
        return weights


def cut_draws(n: int, resamples: int, rng: np.random.Generator, *, cells: int, is_here: bool) -> list[DrawnLater]:
    """Resamples of n queries, at most so many cells a chunk: the same whether drawn here in turn, or anywhere.

    ``is_here`` means that the chunks will be drawn in this process, one after the other.

    >>> def draw(is_here):
    ...     chunks = cut_draws(3, 5, np.random.default_rng(1), cells=6, is_here=is_here)
    ...     return np.concatenate([chunk.weights(float) for chunk in chunks]).tolist()
    >>> draw(True) == draw(False), len(draw(True))
    (True, 5)
    """
    rows = min(resamples, max(1, cells // max(n, 1)))
    sizes = [min(rows, resamples - start) for start in range(0, resamples, rows)]
    if is_here:
        return [DrawnLater(n=n, resamples=size, rng=rng) for size in sizes]
    chunks = []
    for size in sizes:
        chunks.append(DrawnLater(n=n, resamples=size, rng=copy.deepcopy(rng)))
        skip_weights(n, size, rng)
    return chunks

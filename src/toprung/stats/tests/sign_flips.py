"""How often would chance do as well, if the sign of every difference were tossed anew? The core of permutation tests.

The flips belong to the seed alone, and weights are put in order of size before they meet them: the order of the
queries never shows, and exchanging the runs gives the same p. If there are few enough weights all 2ᵏ flips are
visited, so that p is exact; either way p = (b + 1) / (m + 1) over m flips other than the one observed, never 0.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from toprung.errors import InputError
from toprung.stats.inputs import Floats, Seed
from toprung.stats.products import multiply

RESAMPLES = 9_999
# Sums within this share of the total weight are equal: they differ by rounding only.
TOLERANCE = 1e-12
CHUNK_CELLS = 1 << 21


def flipped_p(weights: Floats, observed: Floats, *, resamples: int, seed: Seed) -> Floats:
    """For each row of weights: the share of sign flips whose |sum| reaches the observed one.

    Every row meets the same flips. Zeros carry no weight and take no part.

    >>> flipped_p(np.array([[1.0, 2, 3, 0]]), np.array([6.0]), resamples=100, seed=1)
    array([0.25])
    """
    if resamples < 1:
        raise InputError(f"resamples: found {resamples}; expected at least 1.")
    weights = -np.sort(-np.abs(weights), axis=1)  # the largest first, zeros last
    needed = np.abs(observed) - TOLERANCE * weights.sum(axis=1)
    sizes = np.count_nonzero(weights, axis=1)
    can_visit_all = sizes <= np.log2(resamples + 1)
    p = np.ones(len(weights))
    for size in np.unique(sizes[can_visit_all]):
        rows = np.flatnonzero(can_visit_all & (sizes == size))
        sums = np.abs(multiply(weights[rows, :size], all_flips(int(size))))
        p[rows] = (sums >= needed[rows, None]).mean(axis=1)
    rows = np.flatnonzero(~can_visit_all)
    if len(rows):
        reached = _count_reached(weights[rows], needed[rows], resamples=resamples, seed=seed)
        p[rows] = (reached + 1) / (resamples + 1)
    return p


@lru_cache(maxsize=16)
def all_flips(size: int) -> Floats:
    """All 2ᵏ columns of signs."""
    bits = np.arange(1 << size)[None, :] >> np.arange(size)[:, None] & 1
    return 1.0 - 2.0 * bits.astype(np.float64)


def _count_reached(weights: Floats, needed: Floats, *, resamples: int, seed: Seed) -> Floats:
    """How many of the random flips reach what is needed, in bounded memory both ways."""
    rng = np.random.default_rng(seed)
    width = weights.shape[1]
    reached = np.zeros(len(weights))
    flips_per_chunk = max(1, CHUNK_CELLS // max(width, 1))
    for start in range(0, resamples, flips_per_chunk):
        flips = draw_flips(rng, width, min(flips_per_chunk, resamples - start))
        rows_per_chunk = max(1, CHUNK_CELLS // flips.shape[1])
        for row in range(0, len(weights), rows_per_chunk):
            part = slice(row, row + rows_per_chunk)
            reached[part] += (np.abs(multiply(weights[part], flips)) >= needed[part, None]).sum(axis=1)
    return reached


def draw_flips(rng: np.random.Generator, width: int, count: int) -> Floats:
    """That many columns of random signs."""
    bits = np.unpackbits(rng.integers(0, 256, size=(count, -(-width // 8)), dtype=np.uint8), axis=1, count=width)
    return 1.0 - 2.0 * bits.T.astype(np.float64)

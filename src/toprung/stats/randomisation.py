"""Is the mean difference more than chance, whatever its distribution? Fisher's randomisation test by sign flips."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.finding import MEAN_DIGITS, Finding, Scale, sign_of
from toprung.stats.inputs import Floats, Seed, as_matrix, as_pair, round_differences
from toprung.stats.pair_results import Pairs, all_pairs
from toprung.stats.sign_flips import CHUNK_CELLS, RESAMPLES, TOLERANCE, all_flips, draw_flips, flipped_p


@dataclass(frozen=True, kw_only=True)
class Randomisation(Finding):
    """``statistic`` is the mean of B − A; ``resamples`` says how many flips were asked for."""

    needs: ClassVar[Scale] = Scale.INTERVAL

    resamples: int


def randomisation_test(a: ArrayLike, b: ArrayLike, *, resamples: int = RESAMPLES, rng: Seed = 0) -> Randomisation:
    """The share of sign flips that do as well, p = (b + 1) / (m + 1), never 0.

    All flips are visited when there are no more of them than ``resamples``.

    >>> found = randomisation_test([1, 2, 3, 4], [2, 3, 3, 6])
    >>> found.statistic, found.p
    (1.0, 0.25)
    """
    first, second = as_pair(a, b)
    differences = np.sort(second - first)
    n = len(differences)
    if n == 0:
        return Randomisation(statistic=math.nan, p=1.0, n=0, direction=0, resamples=resamples)
    # Not rounded: sums of rounded differences would part what is equal, such as 1/6 + 1/6 and 1/3.
    differences[round_differences(differences) == 0] = 0.0
    p = flipped_p(differences[None, :], np.array([differences.sum()]), resamples=resamples, seed=rng)
    mean = float(differences.mean())
    direction = sign_of(round(mean, MEAN_DIGITS))
    return Randomisation(statistic=mean, p=float(p[0]), n=n, direction=direction, resamples=resamples)


def pair_randomisation(
    values: ArrayLike, pairs: Pairs | None = None, *, resamples: int = RESAMPLES, rng: Seed = 0
) -> Floats:
    """The p-value of every pair of columns of a matrix queries × runs, all from the same flips.

    A flip exchanges two runs on a query, so one product with the flips serves every pair. Few queries are flipped in
    all ways, as in ``randomisation_test``; with more, the two draw different flips and agree as closely as chance lets.

    >>> pair_randomisation([[1, 2], [2, 3], [3, 3], [4, 6]]).tolist()
    [0.25]
    """
    matrix = as_matrix(values)
    chosen = all_pairs(matrix.shape[1]) if pairs is None else pairs
    n = len(matrix)
    if n <= np.log2(resamples + 1):
        reached = _count_pairs_reached(matrix, chosen, all_flips(n))
        return np.asarray(reached / 2**n, dtype=np.float64)
    generator = np.random.default_rng(rng)
    reached = np.zeros(len(chosen))
    rows = max(1, CHUNK_CELLS // n)
    for start in range(0, resamples, rows):
        reached += _count_pairs_reached(matrix, chosen, draw_flips(generator, n, min(rows, resamples - start)))
    return np.asarray((reached + 1) / (resamples + 1), dtype=np.float64)


def _count_pairs_reached(matrix: Floats, pairs: Pairs, flips: Floats) -> Floats:
    """For each pair, how many of the flips give a sum of differences as large as the one observed."""
    totals, observed = flips.T @ matrix, matrix.sum(axis=0)
    reached = np.zeros(len(pairs))
    block = max(1, CHUNK_CELLS // max(1, len(totals)))
    for start in range(0, len(pairs), block):
        part = slice(start, start + block)
        a, b = pairs.first[part], pairs.second[part]
        slack = TOLERANCE * (np.abs(matrix).sum(axis=0)[a] + np.abs(matrix).sum(axis=0)[b])
        needed = np.abs(observed[b] - observed[a]) - slack
        reached[part] = (np.abs(totals[:, b] - totals[:, a]) >= needed).sum(axis=0)
    return reached

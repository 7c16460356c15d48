"""How far is each run from each other one, and how much does that vary over the queries? Nothing is ranked for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.inputs import Floats, Ints, as_matrix
from toprung.stats.intervals.bootstrap import column_means
from toprung.stats.pairs.encoded import canonical_order
from toprung.stats.pairs.observed import ObservedPairs, observe_pairs
from toprung.stats.pairs.results import all_pairs
from toprung.stats.pairs.triangle import places_of
from toprung.workers import IN_PROCESS, Workers


@dataclass(frozen=True, eq=False, kw_only=True)
class PairSpreads:
    """Of each pair, B less A: the mean difference, and the standard deviation of the differences by query."""

    mean: Floats
    sd: Floats


def pair_spreads(values: ArrayLike, *, workers: Workers = IN_PROCESS) -> PairSpreads:
    """Of all pairs of columns of a matrix of at least two queries × runs, as `all_pairs` has them.

    >>> found = pair_spreads([[0, 1, 2], [0, 2, 1], [1, 3, 3], [0, 4, 1]])
    >>> found.mean.tolist(), found.sd.round(4).tolist()
    ([2.25, 1.5, -0.75], [1.2583, 0.5774, 1.7078])
    """
    runs = _in_canonical_order(values)
    pairs = all_pairs(len(runs))
    observed, means = _observe(runs, workers=workers), column_means(runs.T)
    return _to_spreads(means[pairs.second] - means[pairs.first], observed, places_of(pairs))


def spreads_from_first(values: ArrayLike, *, workers: Workers = IN_PROCESS) -> PairSpreads:
    """The same of the pairs of the first column, as A, with each other one.

    >>> spreads_from_first([[0, 1, 2], [0, 2, 1], [1, 3, 3], [0, 4, 1]]).mean.tolist()
    [2.25, 1.5]
    """
    runs = _in_canonical_order(values)
    others = len(runs) - 1
    observed, means = _observe(np.roll(runs, -1, axis=0), start=others, workers=workers), column_means(runs.T)
    return _to_spreads(means[1:] - means[0], observed, np.arange(others))


def _in_canonical_order(values: ArrayLike) -> Floats:
    """Runs × queries, so ordered that the order they came in shows in no sum's last bit."""
    matrix = as_matrix(values)
    return np.ascontiguousarray(matrix[canonical_order(matrix)].T)


def _observe(runs: Floats, *, start: int = 0, workers: Workers) -> ObservedPairs:
    n_runs, n = runs.shape
    return observe_pairs(runs, np.full(n_runs, n), start=start, workers=workers)


def _to_spreads(mean: Floats, observed: ObservedPairs, places: Ints) -> PairSpreads:
    """Runs that differ on no query by more than rounding have neither mean nor spread."""
    is_different = observed.differing[places] > 0
    sd = np.sqrt(observed.variance[places] * (observed.n / (observed.n - 1)))
    return PairSpreads(mean=np.where(is_different, mean, 0.0), sd=np.where(is_different, sd, 0.0))

"""How do many challengers compare with one holder? Both facets of a claim, for all of them at once.

The same tests as on one pair of runs, in whole arrays: sums of whole ranks are exact, so that nothing is lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints, round_differences
from toprung.stats.tests.binomial import exact_binomial_p

type Ranks = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class MeanTests:
    """The paired t-test of each challenger; ``n`` queries took part, ``direction`` is +1 where it has the larger mean.

    ``is_constant`` warns that every query differs by the same amount, where p is 0.
    """

    p: Floats
    direction: Ints
    n: Ints
    is_constant: Bools


@dataclass(frozen=True, kw_only=True)
class RankChallenges:
    """Which queries are answered, by the exact binomial test, and where both answer the ranks, by the t-test."""

    answered_p: Floats
    answered_direction: Ints
    ranking: MeanTests


def challenge_by_ranks(holder: Ranks, runs: Ranks) -> RankChallenges:
    """Compare each row of ``runs``, challengers × queries, with the holder; rank 0 is a miss.

    >>> found = challenge_by_ranks(np.array([3, 4, 0, 0, 9]), np.array([[1, 1, 1, 0, 5], [3, 4, 0, 1, 9]]))
    >>> found.answered_p.tolist(), found.ranking.direction.tolist(), found.ranking.n.tolist()
    ([1.0, 1.0], [-1, 0], [3, 3])
    """
    answers, answered = runs > 0, holder > 0
    both = answers & answered
    n = both.sum(axis=1)
    only_run, only_holder = answers.sum(axis=1) - n, answered.sum() - n
    differences = np.where(both, runs - holder, 0).astype(np.float64)
    total, squares = differences.sum(axis=1), np.einsum("ij,ij->i", differences, differences)
    is_constant = (n > 1) & (n * squares == total**2) & (total != 0)
    spread = squares - np.divide(total**2, n, out=np.zeros(len(n)), where=n > 0)
    return RankChallenges(
        answered_p=exact_binomial_p(only_run, only_run + only_holder),
        answered_direction=np.sign(only_run - only_holder),
        ranking=_test_means(total, spread, n, is_constant),
    )


def challenge_by_scores(holder: Floats, runs: Floats) -> MeanTests:
    """Compare the scores of each row of ``runs``, challengers × queries, with the holder's.

    >>> found = challenge_by_scores(np.array([1.0, 2, 3, 4]), np.array([[2.0, 3, 3, 6]]))
    >>> found.p.round(6).tolist(), found.direction.tolist()
    ([0.091721], [1])
    """
    differences = runs - holder
    rounded = round_differences(differences)
    n = np.full(len(runs), runs.shape[1])
    is_constant = (n > 1) & (rounded == rounded[:, :1]).all(axis=1) & (rounded[:, 0] != 0)
    differences[~rounded.any(axis=1)] = 0.0
    spread = ((differences - differences.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return _test_means(differences.sum(axis=1), spread, n, is_constant)


def _test_means(total: Floats, spread: Floats, n: Ints, is_constant: Bools) -> MeanTests:
    """From the sum of the differences, and the sum of their squares about the mean."""
    from scipy.special import stdtr

    varies = (n > 1) & (spread > 0) & ~is_constant
    error = np.sqrt(np.divide(spread, n * (n - 1.0), out=np.ones(len(n)), where=varies))
    t = np.divide(total, n * error, out=np.zeros(len(n)), where=varies)
    p = np.where(varies, 2 * stdtr(np.maximum(n - 1, 1), -np.abs(t)), np.where(is_constant, 0.0, 1.0))
    return MeanTests(p=p, direction=np.sign(total.round(MEAN_DIGITS)).astype(np.int64), n=n, is_constant=is_constant)

"""How surprising is a count, if both sides were equally likely? The exact two-sided binomial, for whole arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.inputs import Floats


def exact_binomial_p(successes: ArrayLike, trials: ArrayLike) -> Floats:
    """``scipy.stats.binomtest(successes, trials).pvalue`` for every element; 1 where there are no trials.

    At one half the distribution is symmetric, so that p is twice the smaller tail.

    >>> exact_binomial_p([5, 6, 8, 0], [5, 6, 10, 0])
    array([0.0625  , 0.03125 , 0.109375, 1.      ])
    """
    from scipy.special import betainc

    trials = np.asarray(trials, dtype=np.float64)
    fewer = np.minimum(successes, trials - np.asarray(successes))
    # P(X ≤ k) = I½(n − k, k + 1); where both sides have the same count, or there is none, p is 1 without it.
    is_even = 2 * fewer >= trials
    tail = betainc(np.where(is_even, 1.0, trials - fewer), fewer + 1.0, 0.5)
    return np.where(is_even, 1.0, np.minimum(1.0, 2.0 * tail))

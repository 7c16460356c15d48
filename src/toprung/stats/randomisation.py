"""Is the mean difference more than chance, whatever its distribution? Fisher's randomisation test by sign flips."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from toprung.stats.finding import MEAN_DIGITS, Finding, Scale, sign_of
from toprung.stats.inputs import Seed, as_pair, round_differences
from toprung.stats.sign_flips import RESAMPLES, flipped_p


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

"""What could have been seen of many pairs of runs? As ``power``, one element per pair, from means and spreads."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, check_share
from toprung.stats.pair_results import PairedTs
from toprung.stats.power import minimum_detectable_difference


@dataclass(frozen=True, kw_only=True)
class PairPower:
    """Of each pair's mean difference over n queries.

    ``low`` and ``high`` bound it at 1 − alpha, by t; ``detectable`` is the difference that n queries show with the
    power asked for; ``needed`` is how many queries would show the observed one so (∞ where it is 0).
    """

    n: int
    mean: Floats
    sd: Floats
    low: Floats
    high: Floats
    detectable: Floats
    needed: Floats


def pair_power(found: PairedTs, n: int, *, alpha: float, power: float) -> PairPower:
    """Interval, minimum detectable difference and queries needed of every pair, over n ≥ 2 queries."""
    from scipy.special import stdtrit

    check_share(alpha, name="alpha")
    mean = found.mean.round(MEAN_DIGITS)
    reach = float(stdtrit(n - 1, 1 - alpha / 2)) * found.sd / math.sqrt(n)
    return PairPower(
        n=n,
        mean=mean,
        sd=found.sd,
        low=mean - reach,
        high=mean + reach,
        detectable=minimum_detectable_difference(1.0, n, alpha=alpha, power=power) * found.sd,
        needed=pair_queries_needed(found.sd, mean, alpha=alpha, power=power),
    )


def pair_queries_needed(sd: Floats, difference: Floats | float, *, alpha: float, power: float) -> Floats:
    """``queries_needed`` of every pair; ∞ where the difference is 0."""
    unit = minimum_detectable_difference(1.0, 1, alpha=alpha, power=power)
    differences = np.broadcast_to(np.abs(difference), sd.shape)
    queries = np.full(sd.shape, np.inf)
    np.divide(unit * sd, differences, out=queries, where=differences > 0)
    return np.maximum(1.0, np.ceil(queries**2))


def pair_powers(difference: float, sd: Floats, n: int, *, alpha: float) -> Floats:
    """``power_of`` a difference, not 0, for every pair."""
    from scipy.special import ndtr, ndtri

    needed = float(ndtri(1 - alpha / 2))
    shift = np.full(sd.shape, np.inf)
    np.divide(abs(difference) * math.sqrt(n), sd, out=shift, where=sd > 0)
    return np.asarray(ndtr(shift - needed) + ndtr(-shift - needed), dtype=np.float64)


def pair_equivalences(found: PairPower, *, margin: float) -> Floats:
    """The p of ``equivalence_test`` for every pair: small means that the means differ by less than the margin."""
    from scipy.special import stdtr

    beyond = np.abs(found.mean) - margin
    error = found.sd / math.sqrt(found.n)
    t = np.where(beyond < 0, -np.inf, np.inf)  # of a constant difference
    np.divide(beyond, error, out=t, where=error > 0)
    return np.asarray(stdtr(found.n - 1, t), dtype=np.float64)

"""What could have been seen of many pairs of runs? One element per pair, from means and spreads.

An effect is a mean difference in standard deviations of the differences by query. By the noncentral t below
``MANY_QUERIES`` queries, where normal quantiles promise more power than a t-test has; by normal quantiles from there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Bools, Floats, Ints, check_share
from toprung.stats.pairs.spreads import PairSpreads
from toprung.stats.tests.power import minimum_detectable_difference

# From here the two differ by less than 0.1%.
MANY_QUERIES = 1_000
# No number of queries beyond this is told: it is as good as never.
MOST_QUERIES = 1e15
LEAST_ALPHA = 1e-9
# Where t must be larger, on two or three queries at a tiny alpha, nothing is found, be the effect what it may.
LARGEST_T = 1e3


@dataclass(frozen=True, kw_only=True)
class PairPower:
    """Of each pair's mean difference over n queries.

    ``low`` and ``high`` bound it at 1 − alpha, by t; ``detectable`` is the difference that n queries show with the
    power asked for; ``needed`` is how many queries would show the observed one so (∞ where it is 0). Where all queries
    differ by the same amount nothing is known of the spread, and these two are NaN.
    """

    n: int
    mean: Floats
    sd: Floats
    low: Floats
    high: Floats
    detectable: Floats
    needed: Floats

    @property
    def has_spread(self) -> Bools:
        return self.sd > 0


def check_power(alpha: float, power: float) -> None:
    check_share(alpha, name="alpha")
    check_share(power, name="power")
    if alpha < LEAST_ALPHA:
        raise InputError(f"alpha: found {alpha:g}; expected at least {LEAST_ALPHA:g}, for power to be computed.")
    if power <= alpha:
        raise InputError(
            f"power: found {power:g}; expected more than alpha, {alpha:g}, the chance to find what is not there."
        )


def pair_power(found: PairSpreads, n: int, *, alpha: float, power: float) -> PairPower:
    """Interval, minimum detectable difference and queries needed of every pair, over n ≥ 2 queries."""
    check_power(alpha, power)
    mean, sd = found.mean.round(MEAN_DIGITS), np.where(found.sd.round(MEAN_DIGITS) > 0, found.sd, 0.0)
    reach = _critical_t(n, alpha) * sd / math.sqrt(n)
    effect = float(detectable_effects(np.array([n]), alpha=alpha, power=power)[0])
    return PairPower(
        n=n,
        mean=mean,
        sd=sd,
        low=mean - reach,
        high=mean + reach,
        detectable=np.where(sd > 0, effect * sd, np.nan),
        needed=queries_needed(mean, sd, alpha=alpha, power=power),
    )


def detectable_effects(n: Ints, *, alpha: float, power: float) -> Floats:
    """For each number of queries from 2, the effect that a two-sided test finds with that power.

    >>> detectable_effects(np.array([10, 34, 5793]), alpha=0.05, power=0.8).round(3).tolist()
    [0.996, 0.495, 0.037]
    """
    from scipy.special import nctdtrinc

    check_power(alpha, power)
    critical = _critical_t(n, alpha)
    effects = minimum_detectable_difference(1.0, 1, alpha=alpha, power=power) / np.sqrt(n)
    by_t = (n < MANY_QUERIES) & (critical <= LARGEST_T)
    effects[by_t] = nctdtrinc(n[by_t] - 1, 1 - power, critical[by_t]) / np.sqrt(n[by_t])
    effects[critical > LARGEST_T] = np.inf
    return np.asarray(effects, dtype=np.float64)


def queries_needed(difference: Floats | float, sd: Floats, *, alpha: float, power: float) -> Floats:
    """The fewest queries that show a difference with that power; ∞ where it is next to 0, NaN without spread.

    >>> queries_needed(0.5, np.array([0.5, 1.0]), alpha=0.05, power=0.8).tolist()
    [10.0, 34.0]
    """
    effects = _effects(difference, sd)
    sizes = np.arange(2, MANY_QUERIES)
    few = sizes[0] + np.searchsorted(-detectable_effects(sizes, alpha=alpha, power=power), -effects)
    unit = minimum_detectable_difference(1.0, 1, alpha=alpha, power=power)
    least = unit / math.sqrt(MOST_QUERIES)
    many = np.where(effects < least, np.inf, np.ceil((unit / np.maximum(effects, least)) ** 2))
    needed = np.where(few < MANY_QUERIES, few, np.maximum(many, MANY_QUERIES))
    return np.where(np.isnan(effects), np.nan, needed)


def powers_of(difference: float, sd: Floats, n: int, *, alpha: float) -> Floats:
    """The chance that a two-sided test on n ≥ 2 queries finds a difference, either way; NaN without spread.

    >>> powers_of(0.5, np.array([0.5, 1.0]), 10, alpha=0.05).round(3).tolist()
    [0.803, 0.293]
    """
    from scipy.special import nctdtr, ndtr, ndtri

    shift = _effects(difference, sd) * math.sqrt(n)
    if n >= MANY_QUERIES:
        needed = -float(ndtri(alpha / 2))
        return np.asarray(ndtr(shift - needed) + ndtr(-shift - needed), dtype=np.float64)
    critical = _critical_t(n, alpha)
    if critical > LARGEST_T:
        return np.where(np.isnan(shift), np.nan, 0.0)
    missed = nctdtr(n - 1, np.minimum(shift, 10 * LARGEST_T), critical)
    # Next to nothing for a shift of 5, and for some larger ones SciPy does not find it.
    other_way = np.nan_to_num(nctdtr(n - 1, np.minimum(shift, 5.0), -critical))
    return np.asarray(np.minimum(1 - missed + other_way, 1.0), dtype=np.float64)


def pair_equivalences(found: PairPower, *, margin: float) -> Floats:
    """Two one-sided paired t-tests for every pair: a small p means that the means differ by less than the margin."""
    from scipy.special import stdtr

    beyond = np.abs(found.mean) - margin
    error = found.sd / math.sqrt(found.n)
    t = np.where(beyond < 0, -np.inf, np.inf)  # of a constant difference
    np.divide(beyond, error, out=t, where=error > 0)
    return np.asarray(stdtr(found.n - 1, t), dtype=np.float64)


def _effects(difference: Floats | float, sd: Floats) -> Floats:
    """In standard deviations; NaN where there is no spread."""
    sizes = np.broadcast_to(np.abs(difference), sd.shape)
    with np.errstate(over="ignore"):  # beyond all numbers it is found on two queries
        effects: Floats = np.divide(sizes, sd, out=np.full(sd.shape, np.nan), where=sd > 0)
    return effects


def _critical_t(n: Ints | int, alpha: float) -> Floats:
    """What |t| must exceed."""
    from scipy.special import stdtrit

    return -np.asarray(stdtrit(np.asarray(n) - 1, alpha / 2), dtype=np.float64)

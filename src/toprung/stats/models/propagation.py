"""What do the votes on every pair say of the strengths in its pool, beside what all other pairs say?

Expectation propagation (see ``strength_posterior``): each judged pair has a site, the normal distribution that stands
for its votes. All sites of a pool and the prior together are the normal distribution of its strengths. Sweep by sweep,
each site is replaced by the one that leaves the mean and variance that the votes themselves would, until all rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toprung.stats.inputs import Floats
from toprung.stats.models.bradley_terry import as_counts
from toprung.stats.models.compiled_strengths import has_strengths, strengths

NODES = 16
PEAK_STEPS, LONGEST_STEP = 4, 2.0
"""To the peak of what is integrated; a place near it will do."""
MOST_SWEEPS = 100
DAMPED_FROM = 10
"""Sweeps after which steps are halved: sites that swing come to rest."""
LEAST_PRECISION = 1e-10
PAIRS_PER_CHUNK = 1 << 12
"""Few enough to stay in the processor's cache."""

type Sites = tuple[Floats, Floats]
"""Of each judged pair the precision of its normal distribution, and precision times mean."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolVotes:
    """The judged pairs of all pools, one after the other: what their votes say of the difference of strengths."""

    counts: Floats
    """Pools × items × items: how often the row's item beat the column's."""
    pool: NDArray[np.intp]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    margin: Floats
    n: Floats

    @classmethod
    def of(cls, wins: ArrayLike) -> PoolVotes:
        """Of pools × items × items, or of one pool; half a win each for a tie."""
        counts = as_counts(wins)
        judged = np.triu(counts + counts.transpose(0, 2, 1), k=1)
        pool, first, second = np.nonzero(judged)
        won, lost = counts[pool, first, second], counts[pool, second, first]
        return cls(counts=counts, pool=pool, first=first, second=second, margin=won - lost, n=won + lost)

    def leads(self, mean: Floats, covariance: Floats) -> tuple[Floats, Floats]:
        """Of each judged pair the mean and the variance of the difference."""
        variance = covariance[self.pool, self.first, self.first] + covariance[self.pool, self.second, self.second]
        variance -= 2 * covariance[self.pool, self.first, self.second]
        return mean[self.pool, self.first] - mean[self.pool, self.second], variance

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the pairs of each pool begin, and where the last ones end."""
        return np.searchsorted(self.pool, np.arange(len(self.counts) + 1)).astype(np.int64)

    def of_pools_where(self, is_so: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The judged pairs of all pools in which it is so of one at least."""
        found: NDArray[np.bool_] = np.bincount(self.pool, weights=is_so, minlength=len(self.counts))[self.pool] > 0
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class _Tilted:
    """A difference by the votes on its pair and by what all other pairs say: its mean and variance."""

    mean: Floats
    variance: Floats

    @classmethod
    def of(cls, votes: PoolVotes, centre: Floats, variance: Floats, tie_rate: float, near: Floats) -> _Tilted:
        """Nodes lie around the peak, as wide as it is: many votes on a pair leave less room than others' leave it."""
        found = cls(mean=np.empty_like(centre), variance=np.empty_like(centre))
        for start in range(0, len(centre), PAIRS_PER_CHUNK):
            part = slice(start, start + PAIRS_PER_CHUNK)
            margin, n = votes.margin[part], votes.n[part]
            peak, width = _find_peak(margin, n, centre[part], variance[part], tie_rate=tie_rate, near=near[part])
            nodes, weights = _nodes()
            lead = peak + width * nodes
            mass = _log_likelihood(margin, n, lead, tie_rate)
            mass += nodes**2 / 2 - (lead - centre[part]) ** 2 / (2 * variance[part])
            mass -= mass.max(axis=0)
            np.exp(mass, out=mass)
            mass *= weights
            mass /= mass.sum(axis=0)
            found.mean[part] = (mass * lead).sum(axis=0)
            found.variance[part] = (mass * (lead - found.mean[part]) ** 2).sum(axis=0)
        return found


def _log_likelihood(margin: Floats, n: Floats, lead: Floats, tie_rate: float) -> Floats:
    """What the votes on each pair say of leads, nodes × pairs: as `log_normaliser`, in fewer steps."""
    half = np.abs(lead) * -0.5
    found = np.exp(half)
    found *= found + 2 * tie_rate
    found += 1
    np.log(found, out=found)
    found -= half
    found *= -n
    found += margin / 2 * lead
    return found


@cache
def _nodes() -> tuple[Floats, Floats]:
    """Of the integral over one difference, and their weights: columns."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes[:, None], weights[:, None]


def _find_peak(
    margin: Floats, n: Floats, centre: Floats, variance: Floats, *, tie_rate: float, near: Floats
) -> tuple[Floats, Floats]:
    """Where a tilted difference is most probable, and the standard deviation at that peak: Newton's steps."""
    peak = near
    for _ in range(PEAK_STEPS):
        slope, bend = _slopes(peak, tie_rate)
        uphill = margin / 2 - n * slope - (peak - centre) / variance
        peak = peak + np.clip(uphill / (n * bend + 1 / variance), -LONGEST_STEP, LONGEST_STEP)
    _, bend = _slopes(peak, tie_rate)
    return peak, 1 / np.sqrt(n * bend + 1 / variance)


def _slopes(lead: Floats, tie_rate: float) -> tuple[Floats, Floats]:
    """First and second derivative of `log_normaliser`."""
    small = np.exp(-np.abs(lead) / 2)
    total = 1 + small * (small + 2 * tie_rate)
    slope = np.sign(lead) * (1 - small**2) / (2 * total)
    return slope, (1 + small**2) / (4 * total) - slope**2


@dataclass(frozen=True, eq=False, kw_only=True)
class JointStrengths:
    """The normal distribution of the strengths that the prior and all pairs make together."""

    mean: Floats
    covariance: Floats

    @classmethod
    def of(cls, votes: PoolVotes, precision: Floats, shift: Floats, penalty: float) -> JointStrengths:
        n_pools, n_items, _ = votes.counts.shape
        joint = np.zeros((n_pools, n_items, n_items))
        joint[votes.pool, votes.first, votes.second] = -precision
        joint[votes.pool, votes.second, votes.first] = -precision
        diagonal = np.arange(n_items)
        joint[:, diagonal, diagonal] = penalty - joint.sum(axis=2)
        cells, n_cells = votes.pool * n_items, n_pools * n_items
        up = np.bincount(cells + votes.first, weights=shift, minlength=n_cells)
        down = np.bincount(cells + votes.second, weights=shift, minlength=n_cells)
        pull = (up - down).reshape(n_pools, n_items)
        covariance = np.linalg.inv(joint)
        mean = (covariance @ pull[:, :, None])[:, :, 0]
        return cls(mean=mean, covariance=covariance)


def settle(votes: PoolVotes, sites: Sites, *, penalty: float, tie_rate: float, tolerance: float) -> JointStrengths:
    """The strengths that all sites make together, once these have come to rest; they are changed in place.

    Each pool stops by itself: its figures are the same whichever pools stand beside it.
    """
    fit = _fit_compiled if has_strengths() else _fit
    return fit(votes, sites, penalty=penalty, tie_rate=tie_rate, tolerance=tolerance)


def _fit(
    votes: PoolVotes,
    sites: Sites,
    *,
    penalty: float,
    tie_rate: float,
    tolerance: float,
) -> JointStrengths:
    """All pools sweep by sweep."""
    precision, shift = sites
    for sweep in range(MOST_SWEEPS):
        joint = JointStrengths.of(votes, precision, shift, penalty)
        lead, variance = votes.leads(joint.mean, joint.covariance)
        without = 1 / np.maximum(1 / variance - precision, LEAST_PRECISION)  # what all but this pair say
        centre = without * (lead / variance - shift)
        tilted = _Tilted.of(votes, centre, without, tie_rate, near=lead)
        wanted = np.maximum(1 / tilted.variance - 1 / without, 0.0)
        steps = wanted - precision, tilted.mean * (wanted + 1 / without) - centre / without - shift
        is_moving = votes.of_pools_where(np.maximum(*map(np.abs, steps)) >= tolerance)
        if not is_moving.any():
            break
        pace = is_moving * (1.0 if sweep < DAMPED_FROM else 0.5)  # who has come to rest waits for the others
        precision += pace * steps[0]
        shift += pace * steps[1]
    return joint


def _fit_compiled(
    votes: PoolVotes,
    sites: Sites,
    *,
    penalty: float,
    tie_rate: float,
    tolerance: float,
) -> JointStrengths:
    """The same, pool after pool: those at rest cost nothing."""
    joint = JointStrengths(mean=np.empty(votes.counts.shape[:2]), covariance=np.empty(votes.counts.shape))
    pairs = (votes.first.astype(np.int64), votes.second.astype(np.int64), votes.margin, votes.n)
    nodes, weights = (each.ravel() for each in _nodes())
    settings = (votes.counts.shape[1], penalty, tie_rate, tolerance)
    found = (*sites, joint.mean, joint.covariance)
    strengths.fit_posteriors(votes.starts, *pairs, nodes, weights, *settings, *found)
    return joint

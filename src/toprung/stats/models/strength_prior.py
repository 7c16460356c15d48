"""How far do strengths spread before any vote? The penalty λ under which the votes of all pools were most probable.

A prior that is too wide takes luck for strength: what it calls sure is wrong too often. Over many pools the votes
themselves tell how wide it is (empirical Bayes). Where they are most probable, strengths have the variance 1/λ that
the prior says, with what the votes leave open: there the sum of 1 − λ E[θ²] over all items is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toprung.stats.inputs import Floats
from toprung.stats.models.bradley_terry import fit_strengths
from toprung.stats.models.propagation import NODES, PoolVotes, Sites
from toprung.stats.models.strength_posterior import find_posterior

LOWEST, HIGHEST = 0.05, 20.0
PRECISION = 0.02
"""Of log λ, below what hundreds of pools can tell."""
FLAT = 1e-3
"""Where an item says less than this on the mean, nothing tells one λ from another."""
NEAR_ENOUGH = 2e-3
MOST_STEPS = 12
MOST_ROUNDS = 500
SMALLEST_CHANGE = 1e-13
MOST_CYCLES = 6
MOST_SLOW = 0.95
"""Steps that hardly grow shorter say nothing of where they end."""


def estimate_penalty(wins: Sequence[Floats], *, tie_rate: float = 0.0) -> float:
    """λ between 0.05 and 20 that makes the votes most probable; 1 where every λ makes them as probable.

    ``wins`` are pools × items × items, an array for each size of pools. Items that nobody judged change nothing.

    >>> circles = np.tile([[0, 3, 0], [0, 0, 3], [3, 0, 0]], (30, 1, 1))  # no strength is behind them
    >>> estimate_penalty([circles])
    20.0
    """
    slope = _Slope(wins, tie_rate)
    low = high = 0.0
    at_low = at_high = slope(0.0)
    if abs(at_low) < FLAT * slope.n_items:
        return 1.0
    while at_high > 0 and high < np.log(HIGHEST):
        low, at_low, high = high, at_high, min(high + 1, float(np.log(HIGHEST)))
        at_high = slope(high)
    while at_low < 0 and low > np.log(LOWEST):
        low, at_low, high, at_high = max(low - 1, float(np.log(LOWEST))), 0.0, low, at_low
        at_low = slope(low)
    if at_high > 0 or at_low < 0:
        return HIGHEST if at_high > 0 else LOWEST
    return float(np.exp(_find_zero(slope, low, at_low, high, at_high)))


class _Slope:
    """Twice how the logarithm of the probability of all votes changes with that of λ, at a value of log λ."""

    def __init__(self, wins: Sequence[Floats], tie_rate: float) -> None:
        self._votes, self._tie_rate = [PoolVotes.of(each) for each in wins], tie_rate
        self._sites: list[Sites | None] = [None for _ in wins]
        self.n_items = sum(int(((each + each.transpose(0, 2, 1)).sum(axis=2) > 0).sum()) for each in wins)

    def __call__(self, log_penalty: float) -> float:
        total, penalty = 0.0, float(np.exp(log_penalty))
        for place, votes in enumerate(self._votes):
            found = find_posterior(
                votes, penalty=penalty, tie_rate=self._tie_rate, start=self._sites[place], tolerance=NEAR_ENOUGH
            )
            self._sites[place] = found.sites
            squares = (found.mean**2).sum() + np.trace(found.covariance, axis1=1, axis2=2).sum()
            total += found.mean.size - penalty * float(squares)
        return total


def _find_zero(slope: _Slope, low: float, at_low: float, high: float, at_high: float) -> float:
    """Between two places of which the first lies above 0 and the second below: false position, Illinois' way."""
    middle = low
    for _ in range(MOST_STEPS):
        before, middle = middle, (low * at_high - high * at_low) / (at_high - at_low)
        if abs(middle - before) < PRECISION:
            break
        found = slope(middle)
        if found > 0:
            low, at_low, at_high = middle, found, at_high / 2
        else:
            high, at_high, at_low = middle, found, at_low / 2
    return middle


def estimate_tie_rate(wins: Sequence[Floats], n_ties: float, *, penalty: float) -> float:
    """The tie rate ν that fits best beside the strengths, over all pools; ``wins`` have half a win for each tie.

    Without a penalty that is Newman's (2023) fit: his and evalica's scores are exp(θ) but for a common factor.

    >>> equals = np.array([[[0, 2], [2, 0]]])  # four votes, half of them ties: 1 to 2ν to 1
    >>> round(estimate_tie_rate([equals], 2, penalty=1), 6)
    1.0
    """
    rate, fits = 0.5, [np.zeros(each.shape[:2]) for each in wins]
    for _ in range(MOST_ROUNDS if n_ties else 0):
        fits = [
            fit_strengths(each, penalty=penalty, tie_rate=rate, start=start).values
            for each, start in zip(wins, fits, strict=True)
        ]
        expected = sum(_ties_at_rate(each, values, rate) for each, values in zip(wins, fits, strict=True))
        before, rate = rate, rate * n_ties / expected
        if abs(rate - before) <= SMALLEST_CHANGE * rate:
            break
    return rate if n_ties else 0.0


def _ties_at_rate(counts: Floats, values: Floats, rate: float) -> float:
    """How many ties are expected: of n votes n · ν / (cosh(δ/2) + ν)."""
    first, second = np.triu_indices(counts.shape[1], k=1)
    n = counts[:, first, second] + counts[:, second, first]
    height = np.cosh((values[:, first] - values[:, second]) / 2)
    return float((n * rate / (height + rate)).sum())


def estimate_penalty_and_tie_rate(wins: Sequence[Floats], n_ties: float) -> tuple[float, float]:
    """λ and ν under which the votes of all pools were most probable, over what is not known of the strengths.

    `estimate_tie_rate` takes the strengths that fit best for the true ones, which makes ν too low where many votes are
    ties, as those of a judge that was asked in both orders are. Here ties are held against what is expected over the
    posterior (expectation–maximisation, its steps doubled, every third one extrapolated by Aitken's rule).
    """
    if not n_ties:
        return estimate_penalty(wins), 0.0
    at = float(np.log(estimate_tie_rate(wins, n_ties, penalty=1.0)))
    for _ in range(MOST_CYCLES):
        first = _step(wins, n_ties, at)
        second = _step(wins, n_ties, first)
        before, at = at, _extrapolate(at, first, second)
        if abs(at - before) < PRECISION:
            break
    rate = float(np.exp(at))
    return estimate_penalty(wins, tie_rate=rate), rate


def _step(wins: Sequence[Floats], n_ties: float, log_rate: float) -> float:
    rate = float(np.exp(log_rate))
    penalty = estimate_penalty(wins, tie_rate=rate)
    expected = sum(_expected_ties(each, penalty, rate) for each in wins)
    return log_rate + 2 * float(np.log(n_ties / expected))


def _expected_ties(counts: Floats, penalty: float, rate: float) -> float:
    """How many ties are expected over the posterior of the strengths."""
    found = find_posterior(counts, penalty=penalty, tie_rate=rate, tolerance=NEAR_ENOUGH)
    pool, first, second = np.nonzero(np.triu(counts + counts.transpose(0, 2, 1), k=1))
    n = counts[pool, first, second] + counts[pool, second, first]
    covariance = found.covariance
    variance = covariance[pool, first, first] + covariance[pool, second, second] - 2 * covariance[pool, first, second]
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    lead = (found.mean[pool, first] - found.mean[pool, second])[:, None] + np.sqrt(variance)[:, None] * nodes
    return float(n @ (rate / (np.cosh(lead / 2) + rate) @ weights) / weights.sum())


def _extrapolate(start: float, first: float, second: float) -> float:
    """Where steps that grow shorter by one factor would end; the last of them where they do not."""
    one, other = first - start, second - first
    if one == 0 or not 0 < other / one < MOST_SLOW:
        return second
    return first + other / (1 - other / one)

"""How strong is each item, if stronger ones win more often? Bradley–Terry strengths of many small pools at once.

Item i beats item j with probability 1 / (1 + exp(θ_j − θ_i)). The strengths maximise the log-likelihood less the
penalty (λ/2) Σθ², a normal prior of variance 1/λ: with it a pool in which one item won every judgment has finite
strengths too. λ = 0 is plain maximum likelihood, which exists only if no group of items won every judgment against the
rest (Ford 1957); evalica's scores are exp(θ) of that fit, scaled to sum to 1.

A tie is half a win for each side, or with a tie rate ν > 0 an outcome of its own (Davidson 1970, Newman 2023): a win of
i, a tie and a win of j are as exp(δ/2) to 2ν to exp(−δ/2), where δ = θ_i − θ_j. Either way a pair says (w − l)/2 · δ
less n · log(2 cosh(δ/2) + 2ν), where w and l are its wins and losses with half of each tie, and n all its votes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.inputs import Floats

PENALTY = 1.0
"""λ where too few pools are there to estimate it."""
MOST_STEPS = 100
MOST_HALVINGS = 30
SMALLEST_STEP = 1e-10


@dataclass(frozen=True, eq=False, kw_only=True)
class Strengths:
    """Strengths of the items of each pool: pools × items, each row with mean 0."""

    values: Floats
    penalty: float
    tie_rate: float = 0.0

    @property
    def shares(self) -> Floats:
        """The strengths as exp(θ), scaled to sum to 1 in each pool."""
        odds = np.exp(self.values - self.values.max(axis=-1, keepdims=True))
        return odds / odds.sum(axis=-1, keepdims=True)


def fit_strengths(
    wins: ArrayLike, *, penalty: float = PENALTY, tie_rate: float = 0.0, start: Floats | None = None
) -> Strengths:
    """Strengths that fit the wins best, by Newton's method.

    Parameters
    ----------
    wins
        Pools × items × items, or items × items for one pool: how often the row's item beat the column's, with half a
        win each for a tie.
    penalty
        λ; 0 for plain maximum likelihood.
    tie_rate
        ν; 0 where ties are nothing but half a win each.
    start
        Strengths to begin with, pools × items, where some are known that are near.

    Examples
    --------
    >>> transitive = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    >>> (fit_strengths(transitive, penalty=0.4).values[0].round(4) + 0).tolist()
    [0.9854, 0.0, -0.9854]

    """
    counts = as_counts(wins)
    if not (np.isfinite(penalty) and penalty >= 0):
        raise InputError(f"penalty: found {penalty:g}; expected a number from 0.")
    if penalty == 0:
        _refuse_without_maximum(counts)
    values = np.zeros(counts.shape[:2]) if start is None else start.copy()
    is_open = np.ones(len(counts), dtype=np.bool_)
    for _ in range(MOST_STEPS):
        of = values[is_open], counts[is_open], penalty, tie_rate
        step = _newton_step(*of)
        step *= _step_lengths(step, *of)[:, None]
        values[is_open] += step
        is_open[is_open] = np.abs(step).max(axis=1, initial=0.0) > SMALLEST_STEP
        if not is_open.any():
            break
    values -= values.mean(axis=1, keepdims=True)
    return Strengths(values=values, penalty=penalty, tie_rate=tie_rate)


def log_normaliser(lead: Floats, tie_rate: float) -> Floats:
    """log(2 cosh(δ/2) + 2ν), for leads of any size."""
    size = np.abs(lead)
    small = np.exp(-size / 2)
    found: Floats = size / 2 + np.log1p(small * (small + 2 * tie_rate))
    return found


def as_counts(wins: ArrayLike) -> Floats:
    """Pools × items × items, as numbers from 0."""
    counts = np.asarray(wins, dtype=np.float64)
    counts = counts[None] if counts.ndim == 2 else counts
    if counts.ndim != 3 or counts.shape[1] != counts.shape[2] or not counts.shape[1]:
        raise InputError(f"wins: found an array of shape {counts.shape}; expected pools × items × items.")
    if not np.isfinite(counts).all() or (counts < 0).any():
        raise InputError("wins: found counts that are negative or not finite; expected numbers from 0.")
    if np.diagonal(counts, axis1=1, axis2=2).any():
        raise InputError("wins: found an item that beat itself; expected 0 along the diagonal.")
    return counts


def _refuse_without_maximum(counts: Floats) -> None:
    """Plain maximum likelihood exists iff from each item a path of wins leads to every other (Ford 1957)."""
    reaches = (counts > 0) | np.eye(counts.shape[1], dtype=np.bool_)
    for _ in range(max(1, int(counts.shape[1] - 1).bit_length())):  # paths of twice the length each time
        reaches = np.matmul(reaches.astype(np.float64), reaches.astype(np.float64)) > 0
    without = int((~reaches.all(axis=(1, 2))).sum())
    if without:
        raise InputError(
            f"Found {without:,} of {len(counts):,} pools in which some items never lost to the others, or were never "
            "compared with them; expected wins both ways for a fit without penalty. "
            f"Give a penalty above 0, such as {PENALTY:g}: then strengths are always finite."
        )


def _leads(values: Floats) -> Floats:
    return values[:, :, None] - values[:, None, :]


def _curvature(values: Floats, counts: Floats, penalty: float, tie_rate: float) -> Floats:
    """The negative second derivative of the penalised log-likelihood."""
    small = np.exp(-np.abs(_leads(values)) / 2)
    bend = small**2 + tie_rate * small * (1 + small**2) / 2
    weight = (counts + counts.transpose(0, 2, 1)) * bend / (1 + small**2 + 2 * tie_rate * small) ** 2
    n = values.shape[1]
    diagonal = (weight.sum(axis=2) + penalty)[:, :, None] * np.eye(n)
    found: Floats = diagonal - weight + (0.0 if penalty else np.ones((n, n)) / n)
    return found


def _newton_step(values: Floats, counts: Floats, penalty: float, tie_rate: float) -> Floats:
    lead = _leads(values)
    small = np.exp(-np.abs(lead) / 2)
    expected = np.sign(lead) * (1 - small**2) / (1 + small**2 + 2 * tie_rate * small)
    turned = counts.transpose(0, 2, 1)
    gradient = (counts - turned - (counts + turned) * expected).sum(axis=2) / 2 - penalty * values
    curvature = _curvature(values, counts, penalty, tie_rate)
    solved: Floats = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
    return solved


def _step_lengths(step: Floats, values: Floats, counts: Floats, penalty: float, tie_rate: float) -> Floats:
    """1, or a half, a quarter, … for the pools whose whole step would overshoot the maximum."""
    before = _log_posterior(values, counts, penalty, tie_rate)
    tolerance = 1e-12 * (1 + np.abs(before))
    lengths = np.ones(len(values))
    for _ in range(MOST_HALVINGS):
        after = _log_posterior(values + lengths[:, None] * step, counts, penalty, tie_rate)
        overshoots = after < before - tolerance
        if not overshoots.any():
            break
        lengths[overshoots] /= 2
    return lengths


def _log_posterior(values: Floats, counts: Floats, penalty: float, tie_rate: float) -> Floats:
    """Of each pool the penalised log-likelihood.

    Without penalty it does not change when all strengths move together; then their sum is held near 0 instead.
    """
    lead = _leads(values)
    # The row's wins count with half the lead each way, and every pair stands here twice.
    likelihood = counts * (lead / 2 - log_normaliser(lead, tie_rate))
    prior = penalty * (values**2).sum(axis=1) if penalty else values.sum(axis=1) ** 2 / counts.shape[1]
    found: Floats = likelihood.sum(axis=(1, 2)) - prior / 2
    return found

"""How strong is each item, if stronger ones win more often? Bradley–Terry strengths of many small pools at once.

Item i beats item j with probability 1 / (1 + exp(θ_j − θ_i)). The strengths maximise the log-likelihood less the
penalty (λ/2) Σθ², a normal prior of variance 1/λ: with it a pool in which one item won every judgment has finite
strengths too. A tie is half a win for each side. λ = 0 is plain maximum likelihood, which exists only if no group of
items won every judgment against the rest (Ford 1957); evalica's scores are exp(θ) of that fit, scaled to sum to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.inputs import Floats, Seed

PENALTY = 0.4
DRAWS = 2_000
DEGREES_OF_FREEDOM = 5
MOST_STEPS = 100
MOST_HALVINGS = 30
SMALLEST_STEP = 1e-10
CELLS_PER_CHUNK = 1 << 22


@dataclass(frozen=True, eq=False, kw_only=True)
class Strengths:
    """Strengths of the items of each pool, with what they were fitted to.

    ``values`` is pools × items, each row with mean 0; ``covariance`` is that of the normal distribution which fits the
    posterior at its peak (Laplace's approximation), pools × items × items.
    """

    values: Floats
    covariance: Floats
    wins: Floats
    penalty: float

    @property
    def shares(self) -> Floats:
        """The strengths as exp(θ), scaled to sum to 1 in each pool."""
        odds = np.exp(self.values - self.values.max(axis=-1, keepdims=True))
        return odds / odds.sum(axis=-1, keepdims=True)


def fit_strengths(wins: ArrayLike, *, penalty: float = PENALTY) -> Strengths:
    """Strengths that fit the wins best, by Newton's method.

    Parameters
    ----------
    wins
        Pools × items × items, or items × items for one pool: how often the row's item beat the column's, with half a
        win each for a tie.
    penalty
        λ; 0 for plain maximum likelihood.

    Examples
    --------
    >>> transitive = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    >>> fit_strengths(transitive).values[0].round(4).tolist()
    [0.9854, 0.0, -0.9854]

    """
    counts = _as_counts(wins)
    if not (np.isfinite(penalty) and penalty >= 0):
        raise InputError(f"penalty: found {penalty:g}; expected a number from 0.")
    if penalty == 0:
        _refuse_without_maximum(counts)
    values = np.zeros(counts.shape[:2])
    is_open = np.ones(len(counts), dtype=np.bool_)
    for _ in range(MOST_STEPS):
        step = _newton_step(values[is_open], counts[is_open], penalty)
        step *= _step_lengths(values[is_open], step, counts[is_open], penalty)[:, None]
        values[is_open] += step
        is_open[is_open] = np.abs(step).max(axis=1, initial=0.0) > SMALLEST_STEP
        if not is_open.any():
            break
    values -= values.mean(axis=1, keepdims=True)
    covariance = np.linalg.inv(_curvature(values, counts, penalty))
    return Strengths(values=values, covariance=covariance, wins=counts, penalty=penalty)


def p_best(strengths: Strengths, *, draws: int = DRAWS, rng: Seed = 0) -> Floats:
    """How probable it is that an item is the strongest of its pool: pools × items, each row sums to 1.

    The posterior is integrated by importance sampling: draws from a wider distribution around the fit (Student's t with
    few degrees of freedom and Laplace's covariance) are weighted back to the posterior. Laplace's normal approximation
    alone is off by up to 0.07 in pools judged once. Every pool of one size sees the same standard draws, each with its
    mirror image, so that a pool's figures do not depend on which other pools are there.

    >>> p_best(fit_strengths([[0, 3], [0, 0]])).round(2).tolist()
    [[0.96, 0.04]]
    """
    n_pools, n_items = strengths.values.shape
    standard, log_density = _standard_draws(n_items, draws, np.random.default_rng(rng))
    spread = np.linalg.cholesky(strengths.covariance)
    found = np.empty((n_pools, n_items))
    rows = max(1, CELLS_PER_CHUNK // (standard.size * n_items))
    for start in range(0, n_pools, rows):
        part = slice(start, start + rows)
        drawn = strengths.values[part, None, :] + standard @ spread[part].transpose(0, 2, 1)
        weights = _log_posterior(drawn, strengths.wins[part], strengths.penalty) - log_density
        weights = np.exp(weights - weights.max(axis=1, keepdims=True))
        is_best = drawn.argmax(axis=2)[:, :, None] == np.arange(n_items)
        found[part] = np.einsum("pd,pdi->pi", weights, is_best) / weights.sum(axis=1, keepdims=True)
    return found


def _standard_draws(n_items: int, draws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draws of Student's t, each with its mirror image, and the logarithm of their density but for a constant."""
    half = max(1, draws // 2)
    wider = np.sqrt(DEGREES_OF_FREEDOM / rng.chisquare(DEGREES_OF_FREEDOM, size=(half, 1)))
    drawn = rng.standard_normal((half, n_items)) * wider
    standard = np.concatenate([drawn, -drawn])
    distance = (standard**2).sum(axis=1)
    return standard, -(DEGREES_OF_FREEDOM + n_items) / 2 * np.log1p(distance / DEGREES_OF_FREEDOM)


def _as_counts(wins: ArrayLike) -> Floats:
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


def _p_win(values: Floats) -> Floats:
    """The row's item beats the column's, for each pool."""
    from scipy.special import expit

    found: Floats = expit(values[:, :, None] - values[:, None, :])
    return found


def _curvature(values: Floats, counts: Floats, penalty: float) -> Floats:
    """The negative second derivative of the penalised log-likelihood."""
    p = _p_win(values)
    weight = (counts + counts.transpose(0, 2, 1)) * p * (1 - p)
    n = values.shape[1]
    diagonal = (weight.sum(axis=2) + penalty)[:, :, None] * np.eye(n)
    return diagonal - weight + (0.0 if penalty else np.ones((n, n)) / n)


def _newton_step(values: Floats, counts: Floats, penalty: float) -> Floats:
    surprise = counts * (1 - _p_win(values))  # of the row's wins
    gradient = surprise.sum(axis=2) - surprise.sum(axis=1) - penalty * values
    solved: Floats = np.linalg.solve(_curvature(values, counts, penalty), gradient[:, :, None])[:, :, 0]
    return solved


def _step_lengths(values: Floats, step: Floats, counts: Floats, penalty: float) -> Floats:
    """1, or a half, a quarter, … for the pools whose whole step would overshoot the maximum."""
    before = _log_posterior(values[:, None], counts, penalty)[:, 0]
    tolerance = 1e-12 * (1 + np.abs(before))
    lengths = np.ones(len(values))
    for _ in range(MOST_HALVINGS):
        after = _log_posterior((values + lengths[:, None] * step)[:, None], counts, penalty)[:, 0]
        overshoots = after < before - tolerance
        if not overshoots.any():
            break
        lengths[overshoots] /= 2
    return lengths


def _log_posterior(values: Floats, counts: Floats, penalty: float) -> Floats:
    """Of pools × draws × items: the penalised log-likelihood.

    Without penalty it does not change when all strengths move together; then their sum is held near 0 instead.
    """
    first, second = np.triu_indices(counts.shape[1], k=1)
    won, lost = counts[:, None, first, second], counts[:, None, second, first]
    lead = values[:, :, first] - values[:, :, second]
    # log P(first wins) = min(lead, 0) − log(1 + e^−|lead|), and for the second with the lead turned round.
    softened = np.log1p(np.exp(-np.abs(lead)))
    likelihood = won * np.minimum(lead, 0.0) - lost * np.maximum(lead, 0.0) - (won + lost) * softened
    prior = penalty * (values**2).sum(axis=2) if penalty else values.sum(axis=2) ** 2 / counts.shape[1]
    found: Floats = likelihood.sum(axis=2) - prior / 2
    return found

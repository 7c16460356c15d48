"""How much should a model's scores count beside people's? As much as the scores that both gave show.

A score has two parts: what its query gives to all runs alike, and what sets the run apart on it. Each part has a weight
that serves all runs of a board, the slope of people's scores on the model's: so few queries suffice to find it, for
every run tells of it. The slope is drawn towards half of the most it could be by as much as it is unsure, as if all
weights from none to the most were equally likely before. From there each run has weights of its own, which leave those
of all only as far as its queries insist: a run near the best possible score hardly moves with its queries.

docs/design/estimate.md has what each choice is worth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from toprung.stats.inputs import Bools, Floats

USUAL_CORRELATION = 0.5
"""The mean of all correlations from 0 to 1, and their standard deviation."""
SPREAD_OF_CORRELATIONS = 1 / math.sqrt(12)
SPREAD_OF_RUNS = 0.1
"""How far the weights of single runs are thought to lie from the shared one, as a share of the most that could be."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelWeights:
    """The last axis holds the weight of the level and that of the difference."""

    shared: Floats
    of_all: Floats
    """Runs × 2, by all queries."""
    of_others: Floats
    """Queries × runs × 2, for each query by the others."""


@dataclass(frozen=True, eq=False)
class _Moments:
    """Sums over queries, with any axes before: those of all queries, or for each query of the others."""

    both: Floats
    model: Floats
    people: Floats
    both_squared: Floats
    both_model: Floats
    model_squared: Floats


def two_parts(scores: Floats) -> Floats:
    """Queries × runs × 2: the mean of the query's runs, and what the run has beyond it.

    >>> two_parts(np.array([[0.25, 0.75]])).tolist()
    [[[0.5, -0.25], [0.5, 0.25]]]
    """
    level = np.broadcast_to(scores.mean(axis=1, keepdims=True), scores.shape)
    return np.stack([level, scores - level], axis=-1)


def find_weights(people: Floats, model: Floats) -> ModelWeights:
    """From the scores that both gave, queries × runs; every column has the mean 0."""
    by_people, by_model = two_parts(people), two_parts(model)
    both, squares, people_squares = (
        (one * other).sum(axis=1)
        for one, other in ((by_people, by_model), (by_model, by_model), (by_people, by_people))
    )
    terms = (both, squares, people_squares, both**2, both * squares, squares**2)
    totals = [each.sum(axis=0) for each in terms]
    # The centre of the others lies elsewhere, which products of two deviations feel.
    recentred = [len(people) / (len(people) - 1)] * 3 + [1.0] * 3
    others = [total - by * each for total, by, each in zip(totals, recentred, terms, strict=True)]
    shared, shared_of_others = _draw_towards_half(_Moments(*totals)), _draw_towards_half(_Moments(*others))
    of_all, of_others = _fit_runs(people, by_model, shared, shared_of_others, _largest(_Moments(*totals)))
    return ModelWeights(shared=shared, of_all=of_all, of_others=of_others)


def _largest(sums: _Moments) -> Floats:
    """The slope if people and model agreed in all but scale."""
    found: Floats = np.sqrt(np.maximum(sums.people, 0.0) / np.where(_is_known(sums), sums.model, 1.0))
    return found


def _is_known(sums: _Moments) -> Bools:
    """Whether the model tells queries, or runs, apart at all."""
    found: Bools = sums.model > 1e-12 * np.maximum(sums.people, 1e-12)
    return found


def _draw_towards_half(sums: _Moments) -> Floats:
    """The slope, and half of the largest it could be: each by how sure it is; never below 0."""
    is_known = _is_known(sums)
    divisor = np.where(is_known, sums.model, 1.0)
    slope, most = sums.both / divisor, _largest(sums)
    errors = sums.both_squared - 2 * slope * sums.both_model + slope**2 * sums.model_squared
    variance, prior = np.maximum(errors, 0.0) / divisor**2, (SPREAD_OF_CORRELATIONS * most) ** 2
    sure = np.divide(prior, prior + variance, out=np.ones_like(slope), where=prior + variance > 0)
    drawn = sure * slope + (1 - sure) * USUAL_CORRELATION * most
    found: Floats = np.where(is_known, np.maximum(drawn, 0.0), 0.0)
    return found


def _fit_runs(
    people: Floats, parts: Floats, shared: Floats, shared_of_others: Floats, most: Floats
) -> tuple[Floats, Floats]:
    """Weights of each run, by all queries and for each query by the others: ridge regression towards the shared."""
    n = len(people)
    errors = ((people - parts @ shared) ** 2).sum(axis=0) / max(n - 2, 1)
    spread = (SPREAD_OF_RUNS * np.maximum(most, 1e-12)) ** 2
    ridge = errors[:, None, None] / spread * np.eye(2) + 1e-12 * np.eye(2)
    squares, both = np.einsum("qki,qkj->kij", parts, parts), np.einsum("qki,qk->ki", parts, people)
    without = n / (n - 1)
    squares_of_others = squares - without * parts[..., :, None] * parts[..., None, :]
    both_of_others = both - without * parts * people[..., None]
    return (
        _ridge(squares, both, ridge, np.broadcast_to(shared, both.shape)),
        _ridge(squares_of_others, both_of_others, ridge, np.broadcast_to(shared_of_others[:, None], parts.shape)),
    )


def _ridge(squares: Floats, both: Floats, ridge: Floats, towards: Floats) -> Floats:
    missing = both - np.einsum("...ij,...j->...i", squares, towards)
    found: Floats = towards + np.linalg.solve(squares + ridge, missing[..., None])[..., 0]
    return found

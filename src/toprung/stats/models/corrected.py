"""What would people have given on all queries? Their scores on some of them, corrected by a model's scores on all.

The mean under people's labels of n queries, drawn at random from N, plus a weight times how far the model's mean of all
N lies from its mean of those n: whatever the model's bias, it cancels (prediction-powered inference, Angelopoulos et
al. 2023; the regression estimator of double sampling). The best weight is the slope of people's scores on the model's.

How weights are found is told in ``model_weights``. A query that people judged is corrected by the weights of the
others, so that no query chooses its own.

What comes out is one row for each query that people judged: its corrected scores, and an equal share of the queries
that the model judged alone. The mean of a column is the estimate, the rows vary as the estimate does, and any method
for the mean of n queries can be used on them: docs/design/estimate.md has what that covers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from toprung.stats.inputs import Floats, Ints, Seed
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.models.model_weights import find_weights, two_parts
from toprung.stats.pairs.resamples import fill_gaps


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrectedScores:
    """Queries that people judged × runs; the mean of a column is the estimate."""

    values: Floats
    people: Floats
    """The same by people's labels alone."""
    unjudged: float
    """The share of all that the model judged alone."""
    level_weight: float
    """How much the model's scores count for what a query gives to all runs alike."""
    difference_weight: float
    """How much they count for what sets the runs of a query apart."""


def correct_scores(
    people: Floats, model: Floats, rest: Floats, *, share: float | None = None, rows: Ints | None = None, rng: Seed = 0
) -> CorrectedScores:
    """Correct people's scores of n queries by the model's of the same queries and of the rest; all queries × runs.

    NaN marks queries that people judged and that do not count. Where people judged only a part of a query, the rest of
    it is one of the ``rest``: then ``rows`` says for each of these which of people's queries it is part of, −1 for
    none, and ``share`` how much of all they are.

    >>> people, model = np.array([[0.1], [0.5], [0.3], [0.7]]), np.array([[0.2], [0.6], [0.4], [0.8]])
    >>> found = correct_scores(people, model, np.array([[0.9], [0.5], [0.7], [0.7]]))
    >>> round(float(people.mean()), 2), round(float(found.values.mean()), 2)
    (0.4, 0.5)
    """
    filled = fill_gaps(people)[0].T
    unjudged = len(rest) / (len(people) + len(rest)) if share is None else share
    centre = rest.mean(axis=0) if len(rest) else model.mean(axis=0)
    weights = find_weights(filled - filled.mean(axis=0), model - model.mean(axis=0))
    correction = (weights.of_others * two_parts(model - centre)).sum(axis=-1)
    moved = (weights.of_all * two_parts(rest - centre)).sum(axis=-1)
    dealt = _deal(len(rest), len(people), np.random.default_rng(rng))
    shares = _share_out(moved, dealt if rows is None else np.where(rows >= 0, rows, dealt), len(people))
    values = filled - unjudged * correction + unjudged * shares
    level, difference = (unjudged * weights.shared).tolist()
    return CorrectedScores(
        values=values, people=filled, unjudged=unjudged, level_weight=level, difference_weight=difference
    )


def _deal(n_rest: int, n: int, rng: np.random.Generator) -> Ints:
    """A row for each of the rest, at random, all rows as often."""
    found: Ints = rng.permutation(n_rest) % n
    return found


def _share_out(moved: Floats, rows: Ints, n: int) -> Floats:
    """Sums of the deviations that came to each of n rows, so scaled that the rows vary as the mean of the rest."""
    shares = np.zeros((n, moved.shape[1]))
    if len(moved):
        np.add.at(shares, rows, moved)
        shares *= n / len(moved)
    return shares


def t_intervals(columns: Floats, *, confidence: float = 0.95, fitted: int = 1) -> list[Effect]:
    """The mean of each column with Student's interval; ``fitted`` counts what was fitted to them, the mean included.

    >>> found = t_intervals(np.array([[1.0], [2.0], [3.0]]))[0]
    >>> found.estimate, round(found.low, 4), round(found.high, 4)
    (2.0, -0.4841, 4.4841)
    """
    from scipy.special import stdtrit

    n = len(columns)
    means, errors = columns.mean(axis=0), columns.std(axis=0, ddof=1) / math.sqrt(n)
    reach = float(stdtrit(n - fitted, (1 + confidence) / 2)) * errors
    ends = zip(means.tolist(), (means - reach).tolist(), (means + reach).tolist(), strict=True)
    return [Effect(estimate=mean, low=low, high=high, confidence=confidence, n=n) for mean, low, high in ends]


def worth_in_queries(people: Floats, corrected: Floats, *, most: int, confidence: float = 0.95) -> Effect:
    """As many queries judged by people alone would say as much about the differences of runs, at most all of them.

    It is the number of queries times the ratio of the two variances; of one run, of its own mean. The interval is that
    of the ratio's logarithm by the delta method.

    >>> people = np.array([[0.0, 1.0], [0.0, 3.0], [0.0, 2.0], [0.0, 2.0]])
    >>> worth_in_queries(people, people / 2, most=100).estimate
    16.0
    """
    from scipy.special import stdtrit

    n = len(people)
    before, after = _spread_by_query(people), _spread_by_query(corrected)
    if not after.sum() > 0:
        return Effect(estimate=float(most), low=float(n), high=float(most), confidence=confidence, n=n)
    moves = before / before.sum() - after / after.sum() if before.sum() > 0 else np.zeros(n)
    reach = float(stdtrit(n - 1, (1 + confidence) / 2)) * math.sqrt(float((moves**2).sum()) * n / (n - 1))
    worth = n * float(before.sum() / after.sum())
    low, high = (min(worth * math.exp(sign * reach), most) for sign in (-1, 1))
    return Effect(estimate=min(worth, most), low=low, high=high, confidence=confidence, n=n)


def _spread_by_query(scores: Floats) -> Floats:
    centred = scores - scores.mean(axis=0)
    if scores.shape[1] > 1:
        centred = centred - centred.mean(axis=1, keepdims=True)
    spread: Floats = (centred**2).sum(axis=1)
    return spread

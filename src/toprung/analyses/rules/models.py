"""How probable did a model make votes that it had not seen? Bradley–Terry plain, with ties, assessors, or both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.labels.doubt.assessors import AccuracyModel, resolve_by_accuracy
from toprung.labels.doubt.posterior import PoolPosterior, posteriors_of
from toprung.labels.doubt.prior import estimate_prior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.assessor_weights import RIGHT_BEFORE, WRONG_BEFORE
from toprung.labels.votes.outcomes import resolve_pairs
from toprung.stats.inputs import Floats
from toprung.stats.models.bradley_terry import log_normaliser

NODES = 24
UNSEEN = RIGHT_BEFORE / (RIGHT_BEFORE + WRONG_BEFORE)
"""The accuracy of an assessor without a vote among those seen."""


@dataclass(frozen=True)
class Model:
    """What is believed of votes: whether ties are outcomes of their own, and whether assessors differ."""

    ties: bool
    assessors: bool

    @property
    def name(self) -> str:
        parts = [name for name, is_in in (("ties", self.ties), ("assessors", self.assessors)) if is_in]
        return " and ".join(parts) or "plain"

    def can_tell(self, votes: Sequence[Judgment]) -> bool:
        """Whether the votes have what it is about: ties, and more than one assessor with a name."""
        has_ties = any(vote.choice is Choice.TIE for vote in votes)
        has_assessors = len({vote.assessor for vote in votes if vote.assessor}) > 1
        return (has_ties or not self.ties) and (has_assessors or not self.assessors)


PLAIN = Model(ties=False, assessors=False)
MODELS = (PLAIN, Model(ties=True, assessors=False), Model(ties=False, assessors=True), Model(ties=True, assessors=True))


def log_chances(
    model: Model,
    train: Judgments,
    held_out: Sequence[Judgment],
    *,
    kinds: Collection[str],
    known_golds: Mapping[Pair, str],
) -> Floats:
    """For each vote held out the logarithm of how probable it was.

    A model without ties of its own makes every vote a tie as probable as they were among those seen.
    """
    known = AccuracyModel(outcomes=resolve_pairs(train, kinds=kinds), accuracies={})
    if model.assessors:
        known = resolve_by_accuracy(train, kinds=kinds, known_golds=known_golds)
    prior = estimate_prior(known.outcomes, ties=model.ties)
    items: dict[str, set[str]] = {}
    for vote in (*(each for each in train.current if each.is_vote), *held_out):
        items.setdefault(vote.query_id, set()).update((vote.left, vote.right))
    pools = [Pool(query_id=query_id, items=tuple(sorted(each))) for query_id, each in items.items()]
    posteriors = posteriors_of(pools, known.outcomes, prior=prior)
    lead, variance = _leads(posteriors, held_out)
    n, n_ties = (sum(values) for values in zip(*((each.n, each.ties) for each in known.outcomes.values()), strict=True))
    left, tie = _chances(lead, variance, prior.tie_rate, tie_share=(n_ties + 0.5) / (n + 1.5))
    if model.assessors:
        accuracy = np.array([known.accuracies.get(vote.assessor, UNSEEN) for vote in held_out])
        left = accuracy * left + (1 - accuracy) * (1 - tie - left)
    chances = {Choice.LEFT: left, Choice.RIGHT: 1 - tie - left, Choice.TIE: tie}
    return np.log(np.array([chances[vote.choice][place] for place, vote in enumerate(held_out)]))


def _leads(posteriors: Mapping[str, PoolPosterior], votes: Sequence[Judgment]) -> tuple[Floats, Floats]:
    """The mean and the variance of how far the left answer of each vote is ahead."""
    index_of = {query_id: {item: n for n, item in enumerate(each.items)} for query_id, each in posteriors.items()}
    found = np.empty((2, len(votes)))
    for place, vote in enumerate(votes):
        posterior, index = posteriors[vote.query_id], index_of[vote.query_id]
        left, right = index[vote.left], index[vote.right]
        covariance = posterior.covariance
        found[0, place] = posterior.strengths[left] - posterior.strengths[right]
        found[1, place] = covariance[left, left] + covariance[right, right] - 2 * covariance[left, right]
    return found[0], np.maximum(found[1], 0.0)


def _chances(lead: Floats, variance: Floats, tie_rate: float, *, tie_share: float) -> tuple[Floats, Floats]:
    """How probable it is that the left answer wins, and that neither does, over what is not known of the lead."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    leads = lead[:, None] + np.sqrt(variance)[:, None] * nodes
    height = log_normaliser(leads, tie_rate)
    left = np.exp(leads / 2 - height) @ weights / weights.sum()
    if tie_rate:
        return left, 2 * tie_rate * np.exp(-height) @ weights / weights.sum()
    return (1 - tie_share) * left, np.full(len(lead), tie_share)

"""Which pair of a query is asked next, or why is none? Decided from what is known of that query alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.doubt.posterior import PoolPosterior
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.stats.inputs import Floats
from toprung.stats.models.top_two import chance_to_settle, narrow, rank_pairs

HOPELESS = 0.05
"""Votes that settle a query less probably than this would not help."""


def fits_all(_pair: Pair) -> bool:
    """Whoever asks can be shown any pair."""
    return True


class Finish(StrEnum):
    """Why a query is asked no more."""

    SETTLED = "settled"
    SURE = "sure"
    SPENT = "at their most votes"
    HOPELESS = "given up"
    NOTHING_FITS = "nothing for this assessor"


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryState:
    """What is known of one query: its pool, the votes on its pairs, and how many offers of each pair are open.

    ``posterior`` is there unless the pool has a single item. Pairs are of the items that stand for their texts.
    """

    pool: Pool
    outcomes: Mapping[Pair, PairOutcome] = field(default_factory=dict)
    pending: Mapping[Pair, int] = field(default_factory=dict)
    posterior: PoolPosterior | None = None

    @property
    def n_votes(self) -> int:
        return sum(each.n for each in self.outcomes.values())

    @property
    def n_pending(self) -> int:
        return sum(self.pending.values())


def why_finished(plan: AdaptivePlan, state: QueryState) -> Finish | None:
    """Why nothing of this query is to be asked now; None if something is.

    Open offers count as votes that will come, but nobody knows yet what they will say: they make a query neither sure
    nor hopeless. Votes that somebody asked for are wanted whatever is known.
    """
    posterior = state.posterior
    if posterior is None:
        return Finish.SETTLED
    if state.n_votes + state.n_pending < plan.asked_for.get(state.pool.query_id, 0):
        return None
    left = plan.most_votes - state.n_votes
    if posterior.confidence >= plan.target:
        return Finish.SURE
    if left - state.n_pending <= 0:
        return Finish.SPENT
    chance = chance_to_settle(posterior.strengths, posterior.covariance, n_votes=left, target=plan.target)
    return Finish.HOPELESS if chance < HOPELESS else None


def next_pair(
    plan: AdaptivePlan, state: QueryState, *, rng: np.random.Generator, fits: Callable[[Pair], bool] = fits_all
) -> Pair | Finish:
    """The pair of a query to ask now, or why there is none.

    ``fits`` says whether whoever asks can be shown a pair: nobody is shown one twice.
    """
    if state.posterior is None:
        return Finish.SETTLED
    if not any(map(fits, state.pool.pairs())):
        return Finish.NOTHING_FITS
    finished = why_finished(plan, state)
    if finished is not None:
        return finished
    return _top_two(state.posterior, state.pending, rng, fits) or Finish.NOTHING_FITS


def _top_two(
    posterior: PoolPosterior, open_offers: Mapping[Pair, int], rng: np.random.Generator, fits: Callable[[Pair], bool]
) -> Pair | None:
    covariance, pending = _with_pending(posterior, open_offers)
    for first, second in rank_pairs(posterior.strengths, covariance, rng, pending=pending):
        pair = Pair.of(posterior.query_id, posterior.items[first], posterior.items[second])
        if fits(pair):
            return pair
    return None


def _with_pending(posterior: PoolPosterior, pending: Mapping[Pair, int]) -> tuple[Floats, Floats | None]:
    """The doubt that will be left when the open offers are answered, and how many offers each two items have."""
    if not pending:
        return posterior.covariance, None
    place = {item: number for number, item in enumerate(posterior.items)}
    mean, covariance = posterior.strengths[None], posterior.covariance[None]
    counts: Floats = np.zeros(posterior.covariance.shape)
    for pair, n in pending.items():
        if pair.a in place and pair.b in place:
            one, other = place[pair.a], place[pair.b]
            covariance = narrow(mean, covariance, np.array([one]), np.array([other]), n)
            counts[one, other] = counts[other, one] = n
    return covariance[0], counts

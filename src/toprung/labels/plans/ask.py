"""Which pair of a query is asked next, or why is none? Decided from what is known of that query alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.doubt.posterior import PoolPosterior
from toprung.labels.plans.plan import AdaptivePlan, Plan, VotesPlan
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
    ENOUGH = "complete"
    SURE = "sure"
    SPENT = "at their most votes"
    HOPELESS = "given up"
    NOTHING_FITS = "nothing for this assessor"


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryState:
    """What is known of one query: its pool, the votes on its pairs, and how many offers of each pair are open.

    ``posterior`` is needed by an adaptive plan only. Pairs are of the items that stand for their texts.
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


def why_finished(plan: Plan, state: QueryState) -> Finish | None:
    """Why nothing of this query is to be asked now; None if something is.

    Open offers count as votes that will come, but nobody knows yet what they will say: they make a query neither sure
    nor hopeless.
    """
    if not state.pool.n_pairs:
        return Finish.SETTLED
    if isinstance(plan, VotesPlan):
        return None if any(votes_lacking(plan, state).values()) else Finish.ENOUGH
    return _why_finished_adaptively(plan, state)


def _why_finished_adaptively(plan: AdaptivePlan, state: QueryState) -> Finish | None:
    posterior = _posterior_in(state)
    left = plan.most_votes - state.n_votes
    if posterior.confidence >= plan.target:
        return Finish.SURE
    if left - state.n_pending <= 0:
        return Finish.SPENT
    chance = chance_to_settle(posterior.strengths, posterior.covariance, n_votes=left, target=plan.target)
    return Finish.HOPELESS if chance < HOPELESS else None


def votes_lacking(plan: VotesPlan, state: QueryState) -> dict[Pair, int]:
    """How many votes each pair of the pool lacks, open offers counted as votes."""
    return {
        pair: max(0, lacking(plan, state.outcomes.get(pair)) - state.pending.get(pair, 0))
        for pair in state.pool.pairs()
    }


def lacking(plan: VotesPlan, outcome: PairOutcome | None) -> int:
    """How many votes a pair lacks: those planned, and one more where they split evenly.

    >>> lacking(VotesPlan(votes=3), None)
    3
    """
    if outcome is None:
        return plan.votes
    return max(plan.votes - outcome.n, 0 if outcome.is_decided else 1)


def next_pair(
    plan: Plan, state: QueryState, *, rng: np.random.Generator, fits: Callable[[Pair], bool] = fits_all
) -> Pair | Finish:
    """The pair of a query to ask now, or why there is none.

    ``fits`` says whether whoever asks can be shown a pair: nobody is shown one twice.
    """
    finished = why_finished(plan, state)
    if finished is not None:
        return finished
    found = _most_lacking(plan, state, rng, fits) if isinstance(plan, VotesPlan) else _top_two(state, rng, fits)
    return Finish.NOTHING_FITS if found is None else found


def _most_lacking(
    plan: VotesPlan, state: QueryState, rng: np.random.Generator, fits: Callable[[Pair], bool]
) -> Pair | None:
    """One of those that lack most votes, at random."""
    wanted = {pair: n for pair, n in votes_lacking(plan, state).items() if n and fits(pair)}
    if not wanted:
        return None
    most = [pair for pair, n in wanted.items() if n == max(wanted.values())]
    return most[int(rng.integers(len(most)))]


def _top_two(state: QueryState, rng: np.random.Generator, fits: Callable[[Pair], bool]) -> Pair | None:
    posterior = _posterior_in(state)
    covariance, pending = _with_pending(posterior, state.pending)
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


def _posterior_in(state: QueryState) -> PoolPosterior:
    if state.posterior is None:
        raise ValueError(f"{state.pool.query_id}: an adaptive plan needs the posterior of its strengths")
    return state.posterior

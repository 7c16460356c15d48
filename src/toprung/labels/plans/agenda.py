"""Which queries are asked next? Those with the fewest votes beside their answers, until each is finished.

An agenda is kept in memory while work is offered. It computes a posterior anew only for the query that got a vote, and
finds the next queries without looking at the others, so that an offer costs the same however many pairs there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.doubt.posterior import PoolPosterior, posteriors_of
from toprung.labels.doubt.prior import StrengthPrior, estimate_prior
from toprung.labels.plans.ask import Finish, QueryState, fits_all, next_pair, why_finished
from toprung.labels.plans.plan import AdaptivePlan
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts

type OfQuery[T] = Mapping[Pair, T]
type _Turn = tuple[float, int, str]
"""Votes beside answers, an order drawn at random, and the query."""


class Agenda:
    """What a plan still asks, query by query."""

    def __init__(
        self,
        plan: AdaptivePlan,
        pools: Iterable[Pool],
        outcomes: Mapping[Pair, PairOutcome],
        *,
        pending: Mapping[Pair, int] | None = None,
        prior: StrengthPrior | None = None,
        seed: int = 0,
    ) -> None:
        given = list(pools)
        self.plan = plan
        self.prior = prior or estimate_prior(outcomes)
        self._states = _to_states(given, outcomes, pending or {}, self.prior)
        order = np.random.default_rng([seed, 3]).permutation(len(given)).tolist()
        self._place = dict(zip(self._states, order, strict=True))
        self._turns = [self._turn_of(query_id) for query_id in self._states]
        heapify(self._turns)

    def confidence(self, query_id: str) -> float:
        """How sure the best answer of a query is; 0 where it is the only one."""
        posterior = self._states[query_id].posterior
        return 0.0 if posterior is None else posterior.confidence

    def asks(self, query_id: str) -> bool:
        """Whether votes on a query are wanted, those that are waited for among them."""
        return why_finished(self.plan, replace(self._states[query_id], pending={})) is None

    def finished(self) -> Counter[Finish | None]:
        """How many queries are finished, by why; those that are not under None."""
        return Counter(why_finished(self.plan, state) for state in self._states.values())

    def update(self, outcomes: Mapping[str, OfQuery[PairOutcome]], pending: Mapping[str, OfQuery[int]]) -> None:
        """Votes or offers came, or were taken back: these are all outcomes and open offers of each query now."""
        merged = {
            query_id: merge_same_texts(each, [self._states[query_id].pool]) for query_id, each in outcomes.items()
        }
        posteriors = self._find_posteriors(merged)
        for query_id, votes in merged.items():
            state = self._states[query_id]
            waiting = {pair: n for pair, n in pending.get(query_id, {}).items() if n > 0}
            posterior = posteriors.get(query_id, state.posterior)
            self._states[query_id] = replace(state, outcomes=votes, pending=waiting, posterior=posterior)
            heappush(self._turns, self._turn_of(query_id))

    def _find_posteriors(self, merged: Mapping[str, OfQuery[PairOutcome]]) -> dict[str, PoolPosterior]:
        """Of the queries whose votes are others now."""
        states = (self._states[query_id] for query_id in merged)
        changed = [each.pool for each in states if each.pool.n_pairs and each.outcomes != merged[each.pool.query_id]]
        votes = {pair: each for pool in changed for pair, each in merged[pool.query_id].items()}
        return posteriors_of(changed, votes, prior=self.prior)

    def choose(self, n: int, *, rng: np.random.Generator, fits: Callable[[Pair], bool] = fits_all) -> list[Pair]:
        """The next pairs, of ``n`` different queries at most, of those that fit whoever asks for work.

        Nothing is noted: once they are offered, `update` says so.
        """
        chosen: list[Pair] = []
        kept: dict[str, _Turn] = {}
        while self._turns and len(chosen) < n:
            turn = heappop(self._turns)
            query_id = turn[2]
            if query_id in kept or turn != self._turn_of(query_id):
                continue  # it has had votes or offers since: its turn is another now
            found = next_pair(self.plan, self._states[query_id], rng=rng, fits=fits)
            if isinstance(found, Pair):
                chosen.append(found)
            if isinstance(found, Pair) or found is Finish.NOTHING_FITS:
                kept[query_id] = turn
        for turn in kept.values():
            heappush(self._turns, turn)
        return chosen

    def _turn_of(self, query_id: str) -> _Turn:
        state = self._states[query_id]
        return (state.n_votes + state.n_pending) / len(state.pool.items), self._place[query_id], query_id


def _to_states(
    pools: Sequence[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    pending: Mapping[Pair, int],
    prior: StrengthPrior,
) -> dict[str, QueryState]:
    merged = merge_same_texts(outcomes, pools)
    of_query = _by_query(merged)
    open_offers = _by_query(pending)
    several = [pool for pool in pools if pool.n_pairs]
    posteriors = posteriors_of(several, merged, prior=prior)
    return {
        pool.query_id: QueryState(
            pool=pool,
            outcomes=of_query.get(pool.query_id, {}),
            pending=open_offers.get(pool.query_id, {}),
            posterior=posteriors.get(pool.query_id),
        )
        for pool in pools
    }


def _by_query[T](values: Mapping[Pair, T]) -> dict[str, dict[Pair, T]]:
    found: dict[str, dict[Pair, T]] = {}
    for pair, value in values.items():
        found.setdefault(pair.query_id, {})[pair] = value
    return found

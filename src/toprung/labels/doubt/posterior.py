"""How sure is it which answer is best? The posterior of the strengths of answers, with P(best), query by query.

Counting says which answer won most; with one noisy judgment a pair that may be luck, and who was shown more often wins
more. Strengths use every vote, and P(best) says how much they prove. It is a promise: of the answers said to be best
with P from .6 to .7, 60 to 70% are, if votes are as the model says and the prior is the effort's own (``prior.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.doubt.arenas import Arena, ArenaGroup, group_pools
from toprung.labels.doubt.prior import StrengthPrior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts
from toprung.stats.inputs import Floats
from toprung.stats.models.strength_posterior import find_posterior, p_best


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolPosterior:
    """What the votes say of the answers of one pool: their strengths, and how probably each is the best of them."""

    query_id: str
    items: tuple[str, ...]
    means: Floats
    """Of their strengths, on the logit scale."""
    covariance: Floats
    """Items × items; the level that all share is in it, and cancels out of every difference."""
    p_best: tuple[float, ...]
    n_votes: int
    """On answers of this query, in the pool or not."""

    @cached_property
    def strengths(self) -> Floats:
        """The means, moved so that they themselves have the mean 0."""
        found: Floats = self.means - self.means.mean()
        return found

    @property
    def best(self) -> str:
        """The answer that is most probably the best; of equals the first."""
        return self.items[self.p_best.index(max(self.p_best))]

    @property
    def confidence(self) -> float:
        """How probable that is."""
        return max(self.p_best)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """So many draws of the strengths: draws × items."""
        spread = np.linalg.cholesky(self.covariance)
        found: Floats = self.strengths + rng.standard_normal((n, len(self.items))) @ spread.T
        return found


def posterior_of(pool: Pool, outcomes: Sequence[PairOutcome], *, prior: StrengthPrior) -> PoolPosterior:
    """The posterior of one pool, from the outcomes of its query: what an offer of the next pair needs.

    ``outcomes`` are of the items that stand for their texts. A pool of ten takes some milliseconds, however many pools
    there are beside it.

    >>> pool = Pool(query_id="q", items=("d1", "d2"))
    >>> [pair] = pool.pairs()
    >>> won = PairOutcome(pair=pair, wins_a=3, wins_b=0, ties=0, n=3)
    >>> found = posterior_of(pool, [won], prior=StrengthPrior(penalty=0.4))
    >>> found.best, round(found.confidence, 2)
    ('d1', 0.96)
    """
    [group] = group_pools([pool], {each.pair: each for each in outcomes})
    return _posteriors_in(group, prior)[0]


def posteriors_of(
    pools: Iterable[Pool], outcomes: Mapping[Pair, PairOutcome], *, prior: StrengthPrior
) -> dict[str, PoolPosterior]:
    """The posteriors of all pools, by query, computed together.

    Votes on answers with the same text count for the one that stands for it, and votes on answers outside a pool inform
    the strengths inside. Pairs that nobody judged leave more doubt, no more. Each is what `posterior_of` gives.
    """
    given = list(pools)
    return posteriors_in_groups(group_pools(given, merge_same_texts(outcomes, given)), prior=prior)


def posteriors_in_groups(groups: Iterable[ArenaGroup], *, prior: StrengthPrior) -> dict[str, PoolPosterior]:
    """The same, where the pools stand in groups already."""
    found = {each.query_id: each for group in groups for each in _posteriors_in(group, prior)}
    return {query_id: found[query_id] for query_id in sorted(found)}


def _posteriors_in(group: ArenaGroup, prior: StrengthPrior) -> list[PoolPosterior]:
    found = find_posterior(group.wins(), penalty=prior.penalty, tie_rate=prior.tie_rate)
    chances = p_best(found, among=group.is_pooled)
    return [
        _to_posterior(arena, found.mean[row], found.covariance[row], chances[row])
        for row, arena in enumerate(group.arenas)
    ]


def _to_posterior(arena: Arena, mean: Floats, covariance: Floats, chances: Floats) -> PoolPosterior:
    n = arena.n_pooled
    return PoolPosterior(
        query_id=arena.query_id,
        items=arena.items[:n],
        means=mean[:n],
        covariance=covariance[:n, :n],
        p_best=tuple(chances[:n].tolist()),
        n_votes=arena.n_votes,
    )

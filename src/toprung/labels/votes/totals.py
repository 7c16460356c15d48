"""How many votes are there, and on what?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from toprung.data.judgments import Pair
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, columns_of
from toprung.words.wording import say_count, say_queries


@dataclass(frozen=True, kw_only=True)
class VoteTotals:
    """How many votes there are, on how many pairs of how many queries, in the pools or not."""

    n_votes: int
    n_pairs: int
    n_queries: int
    n_outside: int
    """Votes on pairs of which an answer is in no pool; 0 where nothing was pooled."""

    @classmethod
    def of(cls, outcomes: Mapping[Pair, PairOutcome], pools: Iterable[Pool] = ()) -> Self:
        """Of the outcomes of items that stand for their texts."""
        votes = columns_of(outcomes)
        pooled = {pool.query_id: frozenset(pool.items) for pool in pools}
        is_pooled = votes.mark(pooled)
        is_inside = is_pooled[votes.a] & is_pooled[votes.b]
        return cls(
            n_votes=int(votes.n.sum()),
            n_pairs=len(votes.n),
            n_queries=len(votes.query_ids),
            n_outside=int(votes.n[~is_inside].sum()) if pooled else 0,
        )

    def say(self) -> str:
        """``8 votes on 8 pairs of 6 queries``."""
        said = (
            f"{say_count(self.n_votes, 'vote')} on {say_count(self.n_pairs, 'pair')} of {say_queries(self.n_queries)}"
        )
        return f"{said}, {self.n_outside:,} of them on answers outside the pools" if self.n_outside else said

"""What is believed of strengths before a vote? How far they spread in this effort, by all of its votes.

Votes of real crowds are noisy: λ is 1 to 3 there. With a prior that is too wide (λ too low), luck is taken for strength
and P(best) promises too much. Where there are fewer than 20 queries to tell, λ is 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from toprung.data.judgments import Pair
from toprung.labels.doubt.arenas import Arena, group_arenas, to_arenas
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, columns_of
from toprung.labels.votes.voted_pairs import VotedPairs
from toprung.stats.models.bradley_terry import PENALTY
from toprung.stats.models.strength_prior import estimate_penalty_and_tie_rate, estimate_tie_rate

FEWEST_QUERIES = 20
FEWEST_VOTES = 2
"""A query with one vote tells nothing of how far strengths spread."""


@dataclass(frozen=True, kw_only=True)
class StrengthPrior:
    """λ: before any vote strengths are normal with variance 1/λ. With a tie rate, ties are outcomes of their own."""

    penalty: float = PENALTY
    tie_rate: float = 0.0
    n_queries: int = 0
    """By how many queries it was estimated; 0 where it was not."""


def estimate_prior(outcomes: Mapping[Pair, PairOutcome], *, ties: bool = False) -> StrengthPrior:
    """The prior under which the votes of all queries were most probable; with ``ties`` the tie rate as well."""
    votes = columns_of(outcomes)
    arenas = [arena for arena in arenas_of(votes) if arena.n_votes >= FEWEST_VOTES]
    groups = group_arenas(arenas, votes)
    wins = [group.wins() for group in groups]
    n_ties = sum(int(votes.ties[group.pairs].sum()) for group in groups) if ties else 0
    if len(arenas) < FEWEST_QUERIES:
        return StrengthPrior(tie_rate=estimate_tie_rate(wins, n_ties, penalty=PENALTY))
    penalty, tie_rate = estimate_penalty_and_tie_rate(wins, n_ties)
    return StrengthPrior(penalty=penalty, tie_rate=tie_rate, n_queries=len(arenas))


def arenas_of(votes: VotedPairs) -> list[Arena]:
    """Every query with a vote, whatever is in a pool."""
    return to_arenas((Pool(query_id=query_id, items=()) for query_id in votes.query_ids), votes)

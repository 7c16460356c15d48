"""How sure is it which answer is best? Bradley–Terry strengths of the answers in each pool, with P(best).

The tournament says which answer won most; with one noisy judgment a pair that may be luck. Strengths use every vote,
and P(best) says how much they prove: a best answer with a low one wants more judgments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.data.judgments import Pair
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, merge_same_texts
from toprung.stats.inputs import Floats
from toprung.stats.models.bradley_terry import DRAWS, PENALTY, fit_strengths, p_best


@dataclass(frozen=True, kw_only=True)
class ItemStrengths:
    """The answers of one pool, each with its strength and how probably it is the best."""

    query_id: str
    items: tuple[str, ...]
    strengths: tuple[float, ...]
    """On the logit scale, with mean 0."""
    p_best: tuple[float, ...]
    n_judgments: int

    @property
    def best(self) -> str:
        """The answer that is most probably the best; of equals the first."""
        return self.items[self.p_best.index(max(self.p_best))]

    @property
    def confidence(self) -> float:
        """How probable that is."""
        return max(self.p_best)


def item_strengths(
    pools: Iterable[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    penalty: float = PENALTY,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, ItemStrengths]:
    """The strengths of the answers in every pool, by query. Pairs that nobody judged leave more doubt, no more.

    >>> pool = Pool(query_id="q", items=("d1", "d2"))
    >>> [pair] = pool.pairs()
    >>> won = {pair: PairOutcome(pair=pair, wins_a=3, wins_b=0, ties=0, n=3)}
    >>> found = item_strengths([pool], won)["q"]
    >>> found.best, round(found.confidence, 2)
    ('d1', 0.96)
    """
    by_size: dict[int, list[Pool]] = {}
    pools = list(pools)
    outcomes = merge_same_texts(outcomes, pools)
    for pool in pools:
        by_size.setdefault(len(pool.items), []).append(pool)
    found: dict[str, ItemStrengths] = {}
    for same_size in by_size.values():
        fitted = fit_strengths(count_wins(same_size, outcomes), penalty=penalty)
        chances = p_best(fitted, draws=draws, rng=seed)
        for pool, values, shares in zip(same_size, fitted.values.tolist(), chances.tolist(), strict=True):
            found[pool.query_id] = ItemStrengths(
                query_id=pool.query_id,
                items=pool.items,
                strengths=tuple(values),
                p_best=tuple(shares),
                n_judgments=sum(outcomes[pair].n for pair in pool.pairs() if pair in outcomes),
            )
    return {query_id: found[query_id] for query_id in sorted(found)}


def count_wins(pools: Sequence[Pool], outcomes: Mapping[Pair, PairOutcome]) -> Floats:
    """Of pools of one size: how often each item beat each other, pools × items × items; a tie is half a win each."""
    size = len(pools[0].items) if pools else 0
    wins = np.zeros((len(pools), size, size))
    first, second = np.triu_indices(size, k=1)
    for row, pool in enumerate(pools):
        for one, other, pair in zip(first.tolist(), second.tolist(), pool.pairs(), strict=True):
            outcome = outcomes.get(pair)
            if outcome is not None:
                wins[row, one, other] = outcome.wins_a + outcome.ties / 2
                wins[row, other, one] = outcome.wins_b + outcome.ties / 2
    return wins

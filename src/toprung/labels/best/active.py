"""Which pair is worth the next judgment? The likeliest best answer against its likeliest rival, until that is clear.

Judging all pairs three times spends most judgments on answers that are clearly not the best. Here a pool asks for one
pair at a time, and stops asking once its best answer is sure enough or its budget is spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.doubt.posterior import PoolPosterior, posteriors_of
from toprung.labels.doubt.prior import StrengthPrior, estimate_prior
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.stats.inputs import Floats, Ints, check_share

TARGET = 0.9


@dataclass(frozen=True, kw_only=True)
class NextPair:
    """A pair to judge, and why: how probably its likelier answer is the best of the pool."""

    pair: Pair
    confidence: float


def next_pairs(
    pools: Iterable[Pool],
    outcomes: Mapping[Pair, PairOutcome],
    *,
    target: float = TARGET,
    budget: int | None = None,
    budget_per_pool: int | None = None,
    prior: StrengthPrior | None = None,
) -> list[NextPair]:
    """One pair for every pool whose best answer is not yet sure enough, the least sure first.

    Parameters
    ----------
    pools, outcomes
        The candidates, and the votes so far.
    target
        A pool asks no more once its best answer has this probability.
    budget
        At most so many pairs now.
    budget_per_pool
        A pool asks no more after so many judgments: equal answers would never be clear.
    prior
        Of the strengths; estimated from these votes unless it is known.

    Examples
    --------
    >>> pool = Pool(query_id="q", items=("d1", "d2", "d3"))
    >>> of_d3 = [pair for pair in pool.pairs() if pair.b == "d3"]
    >>> [asked] = next_pairs([pool], {pair: PairOutcome(pair=pair, wins_a=3, wins_b=0, ties=0, n=3) for pair in of_d3})
    >>> asked.pair
    Pair(query_id='q', a='d1', b='d2')

    """
    check_share(target, name="target")
    for name, value in (("budget", budget), ("budget_per_pool", budget_per_pool)):
        if value is not None and value < 1:
            raise InputError(f"{name}: found {value}; expected a whole number from 1.")
    several = [pool for pool in pools if pool.n_pairs]
    prior = estimate_prior(outcomes) if prior is None else prior
    found = posteriors_of(several, outcomes, prior=prior)
    asked = [
        NextPair(pair=_leader_and_rival(each), confidence=each.confidence)
        for each in found.values()
        if each.confidence < target and (budget_per_pool is None or each.n_votes < budget_per_pool)
    ]
    asked.sort(key=lambda each: (each.confidence, each.pair))
    return asked[:budget]


def leaders_and_rivals(chances: Floats) -> tuple[Ints, Ints]:
    """For each pool (pools × items: how probably an item is the best) the likeliest item and the next likeliest."""
    order = np.argsort(-chances, axis=1, kind="stable")
    return order[:, 0], order[:, 1]


def _leader_and_rival(strengths: PoolPosterior) -> Pair:
    leader, rival = leaders_and_rivals(np.array([strengths.p_best]))
    return Pair.of(strengths.query_id, strengths.items[leader[0]], strengths.items[rival[0]])

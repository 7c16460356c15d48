"""Which queries are judged, if not all can be? Some at random among those that have something to decide.

Whether the runs stand in the same order on the sample needs scores: ``analyses/relabel`` says so.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from toprung.errors import InputError
from toprung.labels.pools.pool import Pool


def sample_pools(pools: Iterable[Pool], n: int, *, seed: int = 0) -> list[Pool]:
    """So many pools of at least two items, at random; the same for the same seed, in whatever order pools come.

    >>> pools = [Pool(query_id=f"q{i}", items=("a", "b")) for i in range(5)] + [Pool(query_id="q9", items=("a",))]
    >>> [pool.query_id for pool in sample_pools(pools, 5)]
    ['q0', 'q1', 'q2', 'q3', 'q4']
    """
    candidates = sorted((pool for pool in pools if pool.n_pairs), key=lambda pool: pool.query_id)
    if not 1 <= n <= len(candidates):
        raise InputError(
            f"sample: found {n:,}; expected a number from 1 to {len(candidates):,}, the pools of at least two items."
        )
    drawn = np.random.default_rng(seed).choice(len(candidates), size=n, replace=False)
    return [candidates[index] for index in sorted(drawn.tolist())]

"""Which queries are judged, if not all can be?"""

from __future__ import annotations

import pytest

from toprung.errors import InputError
from toprung.labels.pools.pool import Pool
from toprung.labels.pools.sample import sample_pools

POOLS = [Pool(query_id=f"q{number:02d}", items=("a", "b")[: 1 + (number % 4 > 0)]) for number in range(40)]


def test_only_pools_with_something_to_decide_are_drawn() -> None:
    drawn = sample_pools(POOLS, 30)
    assert len({pool.query_id for pool in drawn}) == 30
    assert all(pool.n_pairs for pool in drawn)


def test_the_same_seed_draws_the_same_in_whatever_order_pools_come() -> None:
    assert sample_pools(POOLS, 7, seed=3) == sample_pools(POOLS[::-1], 7, seed=3)
    assert sample_pools(POOLS, 7, seed=3) != sample_pools(POOLS, 7, seed=4)


def test_every_pool_is_drawn_equally_often() -> None:
    drawn = [pool.query_id for seed in range(400) for pool in sample_pools(POOLS, 3, seed=seed)]
    counts = [drawn.count(pool.query_id) for pool in POOLS if pool.n_pairs]
    # 40 expected of each, standard deviation 6: five of these are beyond chance.
    assert all(10 < count < 70 for count in counts)


@pytest.mark.parametrize("n", [0, 31])
def test_a_sample_that_cannot_be_drawn_is_refused(n: int) -> None:
    with pytest.raises(InputError, match=f"sample: found {n}; expected a number from 1 to 30"):
        sample_pools(POOLS, n)

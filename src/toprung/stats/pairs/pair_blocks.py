"""Which pairs of runs are compared, in which blocks, and by whom? Results depend on the first alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from toprung.errors import InputError
from toprung.stats.pairs.results import Pairs, all_pairs
from toprung.workers import Workers

PAIRS_PER_BLOCK = 16_384
# What the tests of a pair do with each of its queries, in the steps of ``Workers.if_worth``.
STEPS_PER_VALUE = 8


def check_pairs(pairs: Pairs | None, n_runs: int) -> Pairs:
    """The pairs given, or all."""
    if pairs is None:
        return all_pairs(n_runs)
    for side in (pairs.first, pairs.second):
        if len(side) and (side.min() < 0 or side.max() >= n_runs):
            raise InputError(f"pairs: found a run outside 0 to {n_runs - 1}; expected columns of the matrix.")
    if len(pairs.first) != len(pairs.second):
        raise InputError(f"pairs: found {len(pairs.first)} of A and {len(pairs.second)} of B; expected as many.")
    return pairs


def cut_pairs(pairs: Pairs, size: int | None = None) -> list[Pairs]:
    """Blocks of so many, ``PAIRS_PER_BLOCK`` unless told; always one."""
    size = size or PAIRS_PER_BLOCK
    return [pairs[start : start + size] for start in range(0, max(len(pairs), 1), size)]


def spread_pairs[T](
    work: Callable[[Pairs], T], blocks: Sequence[Pairs], n_queries: int, workers: Workers
) -> Iterator[T]:
    """The result of each block; in this process when it is asked for, so that progress can be told."""
    chosen = workers.if_worth(STEPS_PER_VALUE * n_queries * sum(map(len, blocks)))
    return map(work, blocks) if chosen.is_here else iter(chosen.map(work, blocks))

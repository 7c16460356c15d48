"""Which answer is best? A tournament over the pairs of a pool, held again among the leaders until one is left.

If all that remain have the same number of wins they go round in a cycle, and all are kept. A query whose leaders have
a pair that nobody judged gets no label: the pair is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress

import numpy as np
from numpy.typing import NDArray

from toprung.data.judgments import Pair
from toprung.labels.doubt.arenas import ArenaGroup, group_pools
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.stats.inputs import Floats, Ints

TIED = 0.5
HALF_WINS = 2
"""Wins are counted in halves, so that they are whole numbers, and their sums exact."""

type Wins = Callable[[str, str], float | None]
"""How much of the pair the first item wins: 1, ½ or 0; None if nobody judged it."""


@dataclass(frozen=True, kw_only=True)
class BestAnswers:
    """The best answers of one query, by whichever rule; none while ``missing`` pairs stand in the way."""

    query_id: str
    best: tuple[str, ...]
    missing: tuple[Pair, ...] = ()
    rounds: int = 0
    is_incomplete: bool = False
    """Whether pairs were not judged, and the others decided."""
    is_unsure: bool = False
    """Whether there are votes, and none is best because the likeliest is not likely enough."""

    @property
    def is_cycle(self) -> bool:
        """Whether several answers are best: they beat each other in a circle, or tie."""
        return len(self.best) > 1

    @property
    def is_settled(self) -> bool:
        return bool(self.best)


def hold_tournaments(
    pools: Iterable[Pool], outcomes: Mapping[Pair, PairOutcome], *, allow_incomplete: bool = False
) -> dict[str, BestAnswers]:
    """The best answers of every pool, by query.

    With ``allow_incomplete`` the pairs that were judged decide alone, and the result says so; a pool of several of
    which no pair was judged still has none. Neither has a pool of one answer that is no label.
    """
    given = list(pools)
    groups = group_pools((pool for pool in given if pool.n_pairs), outcomes)
    return hold_in_groups(given, groups, allow_incomplete=allow_incomplete)


def hold_in_groups(
    pools: Iterable[Pool], groups: Iterable[ArenaGroup], *, allow_incomplete: bool
) -> dict[str, BestAnswers]:
    """The same, where the pools that have something to compare stand in groups already."""
    held = {each.query_id: each for group in groups for each in _hold_together(group, allow_incomplete)}
    return {
        pool.query_id: held[pool.query_id]
        if pool.n_pairs
        else BestAnswers(query_id=pool.query_id, best=pool.items if pool.is_settled else ())
        for pool in pools
    }


def _hold_together(group: ArenaGroup, allow_incomplete: bool) -> Iterator[BestAnswers]:
    """The tournaments of pools of about one size: those with all pairs judged at once, the others one by one."""
    shares = group.votes.shares[group.pairs]
    table = group.table(shares, 1 - shares, unjudged=np.nan)
    is_whole = group.count_inside() == group.n_pairs
    left, rounds = _play(np.nan_to_num(table), group.is_pooled & is_whole[:, None])
    for row, (arena, n_rounds) in enumerate(zip(group.arenas, rounds.tolist(), strict=True)):
        items = arena.items[: arena.n_pooled]
        if is_whole[row]:
            yield BestAnswers(query_id=arena.query_id, best=tuple(compress(items, left[row])), rounds=n_rounds)
        else:
            wins = _wins_in(items, table[row])
            yield hold_tournament(arena.query_id, items, wins, allow_incomplete=allow_incomplete)


def _wins_in(items: Sequence[str], shares: Floats) -> Wins:
    place_of = {item: place for place, item in enumerate(items)}

    def wins(one: str, other: str) -> float | None:
        found = float(shares[place_of[one], place_of[other]])
        return None if math.isnan(found) else found

    return wins


def _play(shares: Floats, playing: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Ints]:
    """Who is left of those playing in each pool, and after how many rounds; as `hold_tournament` plays."""
    left, rounds = playing.copy(), np.zeros(len(playing), dtype=np.int64)
    is_open = left.sum(axis=1) > 1
    while is_open.any():
        rounds[is_open] += 1
        before = left[is_open]
        wins = np.where(before, (shares[is_open] * before[:, None, :]).sum(axis=2), -1)
        leaders = wins == wins.max(axis=1, keepdims=True)
        left[is_open] = leaders
        is_open[is_open] = (leaders != before).any(axis=1) & (leaders.sum(axis=1) > 1)
    return left, rounds


def hold_tournament(query_id: str, items: Sequence[str], wins: Wins, *, allow_incomplete: bool = False) -> BestAnswers:
    """The tournament of one query."""
    playing, rounds = tuple(items), 0
    shares = {pair: wins(*pair) for pair in combinations(playing, 2)}
    judged = {pair: share for pair, share in shares.items() if share is not None}
    # The leaders of a round were in play before, so that a pair they lack was missing from the start.
    missing = tuple(Pair.of(query_id, *pair) for pair, share in shares.items() if share is None)
    if missing and not (allow_incomplete and judged):
        return BestAnswers(query_id=query_id, best=(), missing=missing)
    while len(playing) > 1:
        rounds += 1
        leaders = _leaders(playing, judged)
        if leaders == playing:
            break
        playing = leaders
    return BestAnswers(query_id=query_id, best=playing, missing=missing, rounds=rounds, is_incomplete=bool(missing))


def _leaders(playing: tuple[str, ...], judged: Mapping[tuple[str, str], float]) -> tuple[str, ...]:
    """Those with most wins among themselves."""
    half_wins = dict.fromkeys(playing, 0.0)
    for pair in combinations(playing, 2):
        share = judged.get(pair)
        if share is not None:
            half_wins[pair[0]] += HALF_WINS * share
            half_wins[pair[1]] += HALF_WINS * (1 - share)
    most = max(half_wins.values())
    return tuple(item for item in playing if half_wins[item] == most)

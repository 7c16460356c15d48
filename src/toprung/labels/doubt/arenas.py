"""Who was compared with whom? For each query the pool and every other answer that was judged, as tables of wins.

An answer outside the pool cannot become a label, but its votes tell of those inside: who wins against a strong outsider
is strong. So strengths are fitted to all that were judged, and P(best) is among the pool.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toprung.data.judgments import Pair
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome, columns_of
from toprung.labels.votes.voted_pairs import VotedPairs
from toprung.stats.inputs import Floats

SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128)
"""Arenas are filled up to one of these with places nobody has, so that many are computed at once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Arena:
    """One query: the ``n_pooled`` answers of its pool first, then others that were judged, and all votes on them."""

    query_id: str
    items: tuple[str, ...]
    n_pooled: int
    n_votes: int
    places: Sequence[int]
    """Where those that were judged stand among the items."""
    first: int
    """The first of the judged in the columns of votes."""
    pairs: tuple[int, int]
    """From where to where its pairs stand there."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ArenaGroup:
    """Arenas of about one size, and where their pairs stand among the ``votes`` of all."""

    votes: VotedPairs
    size: int
    arenas: list[Arena] = field(default_factory=list)

    @cached_property
    def pairs(self) -> NDArray[np.intp]:
        """The judged pairs of these arenas, one arena after the other."""
        starts, ends = np.array([arena.pairs for arena in self.arenas], dtype=np.intp).reshape(-1, 2).T
        return _ranges(starts, ends - starts)

    @cached_property
    def index(self) -> NDArray[np.intp]:
        """Arena, item a and item b of each of these pairs."""
        n_pairs = [arena.pairs[1] - arena.pairs[0] for arena in self.arenas]
        row = np.repeat(np.arange(len(self.arenas)), n_pairs)
        places = np.array([place for arena in self.arenas for place in arena.places], dtype=np.intp)
        ends = np.cumsum([len(arena.places) for arena in self.arenas])
        before = ends - [len(arena.places) + arena.first for arena in self.arenas]
        pairs = self.pairs
        return np.array([row, places[before[row] + self.votes.a[pairs]], places[before[row] + self.votes.b[pairs]]])

    def wins(self) -> Floats:
        """Arenas × items × items: how often the row's item beat the column's; a tie is half a win each."""
        votes, pairs = self.votes, self.pairs
        ties = votes.ties[pairs] / 2
        return self.table(votes.wins_a[pairs] + ties, votes.wins_b[pairs] + ties)

    def table(self, of_a: Floats, of_b: Floats, *, unjudged: float = 0.0) -> Floats:
        """The same of any figures, two for each pair."""
        row, first, second = self.index
        found = np.full((len(self.arenas), self.size, self.size), unjudged)
        found[row, first, second], found[row, second, first] = of_a, of_b
        return found

    @cached_property
    def is_inside(self) -> NDArray[np.bool_]:
        """Of each of these pairs whether both its items are of the pool."""
        row, first, second = self.index
        found: NDArray[np.bool_] = np.maximum(first, second) < self.n_pooled[row]
        return found

    def count_inside(self, is_so: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
        """Of each arena how many pairs of its pool were judged, and of which it is so."""
        is_counted = self.is_inside if is_so is None else self.is_inside & is_so
        return np.bincount(self.index[0][is_counted], minlength=len(self.arenas))

    @cached_property
    def n_pooled(self) -> NDArray[np.intp]:
        return np.array([arena.n_pooled for arena in self.arenas], dtype=np.intp)

    @property
    def n_pairs(self) -> NDArray[np.intp]:
        """Of each arena how many pairs its pool has, judged or not."""
        return self.n_pooled * (self.n_pooled - 1) // 2

    @property
    def is_pooled(self) -> NDArray[np.bool_]:
        """Arenas × items: whether an item is of the pool, and no outsider or empty place."""
        return np.arange(self.size) < self.n_pooled[:, None]


def _ranges(starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """So many whole numbers from each start on, one range after the other."""
    ends = np.cumsum(sizes)
    found: NDArray[np.intp] = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes)
    return found


def to_arenas(pools: Iterable[Pool], votes: VotedPairs) -> list[Arena]:
    """The arena of every pool; the votes are on the items that stand for their texts."""
    starts, pair_starts, n_votes = votes.starts.tolist(), votes.pair_starts.tolist(), votes.n_votes.tolist()
    found = []
    for pool in pools:
        at = votes.place_of.get(pool.query_id)
        first, end = (0, 0) if at is None else (starts[at], starts[at + 1])
        items, places = _seat(pool.items, tuple(votes.items[first:end]))
        found.append(
            Arena(
                query_id=pool.query_id,
                items=items,
                n_pooled=len(pool.items),
                n_votes=0 if at is None else n_votes[at],
                places=places,
                first=first,
                pairs=(0, 0) if at is None else (pair_starts[at], pair_starts[at + 1]),
            )
        )
    return found


def _seat(pooled: tuple[str, ...], judged: tuple[str, ...]) -> tuple[tuple[str, ...], Sequence[int]]:
    """All items, those of the pool first, and where those that were judged stand among them."""
    if pooled == judged or not pooled:
        return judged, range(len(judged))
    place_of = {item: place for place, item in enumerate(pooled)}
    for item in judged:
        place_of.setdefault(item, len(place_of))
    return tuple(place_of), [place_of[item] for item in judged]


def group_arenas(arenas: Iterable[Arena], votes: VotedPairs) -> list[ArenaGroup]:
    """Arenas of about one size together; one of more than 128 items is alone with those of its own size."""
    groups: dict[int, ArenaGroup] = {}
    for arena in arenas:
        n_items = len(arena.items)
        size = SIZES[bisect_left(SIZES, n_items)] if n_items <= SIZES[-1] else n_items
        if size not in groups:
            groups[size] = ArenaGroup(votes=votes, size=size)
        groups[size].arenas.append(arena)
    return [groups[size] for size in sorted(groups)]


def group_pools(pools: Iterable[Pool], outcomes: Mapping[Pair, PairOutcome]) -> list[ArenaGroup]:
    """The arenas of all pools; outcomes are of the items that stand for their texts."""
    votes = columns_of(outcomes)
    return group_arenas(to_arenas(pools, votes), votes)

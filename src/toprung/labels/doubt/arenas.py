"""Who was compared with whom? For each query the pool and every other answer that was judged, as tables of wins.

An answer outside the pool cannot become a label, but its votes tell of those inside: who wins against a strong outsider
is strong. So strengths are fitted to all that were judged, and P(best) is among the pool.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from toprung.data.judgments import Pair
from toprung.labels.pools.pool import Pool
from toprung.labels.votes.outcomes import PairOutcome
from toprung.stats.inputs import Floats

SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128)
"""Arenas are filled up to one of these with places nobody has, so that many are computed at once."""


@dataclass(frozen=True, kw_only=True)
class Arena:
    """One query: the ``n_pooled`` answers of its pool first, then others that were judged, and all outcomes."""

    query_id: str
    items: tuple[str, ...]
    n_pooled: int
    outcomes: tuple[PairOutcome, ...]

    @property
    def n_votes(self) -> int:
        return sum(each.n for each in self.outcomes)


@dataclass(frozen=True, eq=False, kw_only=True)
class ArenaGroup:
    """Arenas of about one size, and of each judged pair where it stands in their table: arena, item, item …"""

    arenas: list[Arena] = field(default_factory=list)
    size: int
    places: list[int] = field(default_factory=list)

    def add(self, arena: Arena) -> None:
        index_of = {item: index for index, item in enumerate(arena.items)}
        row = len(self.arenas)
        self.arenas.append(arena)
        places = self.places
        for each in arena.outcomes:
            _, a, b = each.pair
            places += (row, index_of[a], index_of[b])

    @property
    def outcomes(self) -> Iterator[PairOutcome]:
        return (outcome for arena in self.arenas for outcome in arena.outcomes)

    def wins(self) -> Floats:
        """Arenas × items × items: how often the row's item beat the column's; a tie is half a win each."""
        outcomes = list(self.outcomes)
        wins_a, wins_b, ties = (
            np.fromiter(map(operator.attrgetter(name), outcomes), dtype=np.float64, count=len(outcomes))
            for name in ("wins_a", "wins_b", "ties")
        )
        return self.table(wins_a + ties / 2, wins_b + ties / 2)

    def table(self, wins_a: Floats, wins_b: Floats) -> Floats:
        """The same of any wins, one for each outcome."""
        row, first, second = self.index
        found = np.zeros((len(self.arenas), self.size, self.size))
        found[row, first, second], found[row, second, first] = wins_a, wins_b
        return found

    @property
    def index(self) -> NDArray[np.intp]:
        """Arena, item a and item b of each outcome."""
        return np.array(self.places, dtype=np.intp).reshape(-1, 3).T

    @property
    def is_pooled(self) -> NDArray[np.bool_]:
        """Arenas × items: whether an item is of the pool, and no outsider or empty place."""
        return np.arange(self.size) < np.array([arena.n_pooled for arena in self.arenas])[:, None]


def to_arenas(pools: Iterable[Pool], outcomes: Mapping[Pair, PairOutcome]) -> list[Arena]:
    """The arena of every pool; ``outcomes`` are of the items that stand for their texts."""
    by_query: dict[str, list[PairOutcome]] = {}
    for pair, outcome in outcomes.items():
        by_query.setdefault(pair[0], []).append(outcome)
    return [to_arena(pool, by_query.get(pool.query_id, ())) for pool in pools]


def to_arena(pool: Pool, outcomes: Sequence[PairOutcome]) -> Arena:
    """Of one pool and the outcomes of its query."""
    inside = set(pool.items)
    judged = {item for each in outcomes for item in each.pair[1:]}
    items = (*pool.items, *sorted(judged - inside))
    return Arena(query_id=pool.query_id, items=items, n_pooled=len(pool.items), outcomes=tuple(outcomes))


def group_arenas(arenas: Iterable[Arena]) -> list[ArenaGroup]:
    """Arenas of about one size together; one of more than 128 items is alone with those of its own size."""
    groups: dict[int, ArenaGroup] = {}
    for arena in arenas:
        size = next((size for size in SIZES if size >= len(arena.items)), len(arena.items))
        groups.setdefault(size, ArenaGroup(size=size)).add(arena)
    return [groups[size] for size in sorted(groups)]

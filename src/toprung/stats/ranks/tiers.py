"""In what order do runs stand, if some do better than others? Tiers that respect every verdict, with cycles marked.

Runs that do better than each other in a circle share a tier; across tiers nobody stands above a run that did better.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from toprung.errors import InputError
from toprung.stats.inputs import Ints


class Sortable(Protocol):
    """Anything that can be compared with its like, such as a tuple of numbers."""

    def __lt__(self, other: Any, /) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class Tier:
    """Items that share a place, by key; ``is_cyclic`` says that they beat each other in a circle."""

    items: tuple[int, ...]
    is_cyclic: bool


def order_tiers(keys: Sequence[Sortable], beats: Iterable[tuple[int, int]]) -> tuple[Tier, ...]:
    """Tiers from the top down; where the verdicts leave a choice, the smaller key goes first.

    ``beats`` holds pairs (winner, loser) of positions in ``keys``. A tier takes the smallest key of its items.

    >>> [tier.items for tier in order_tiers([3, 1, 2], [(0, 1)])]
    [(2,), (0,), (1,)]
    """
    edges = _as_edges(len(keys), beats)
    component_of, count = _components(len(keys), edges)
    members: list[list[int]] = [[] for _ in range(count)]
    for item in sorted(range(len(keys)), key=lambda item: keys[item]):
        members[component_of[item]].append(item)
    order = _topological_order([keys[items[0]] for items in members], np.unique(component_of[edges], axis=0))
    return tuple(Tier(items=tuple(members[each]), is_cyclic=len(members[each]) > 1) for each in order)


def _as_edges(count: int, beats: Iterable[tuple[int, int]]) -> Ints:
    edges = np.array([*beats], dtype=np.int64).reshape(-1, 2)
    if len(edges) and (edges.min() < 0 or edges.max() >= count or (edges[:, 0] == edges[:, 1]).any()):
        raise InputError(f"beats: expected pairs of two different items from 0 to {count - 1}.")
    return edges


def _components(count: int, edges: Ints) -> tuple[Ints, int]:
    if count == 0:
        return np.empty(0, dtype=np.int64), 0
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(count, count))
    found, component_of = connected_components(graph.tocsr(), directed=True, connection="strong")
    return component_of.astype(np.int64), int(found)


def _topological_order(keys: Sequence[Sortable], edges: Ints) -> list[int]:
    """Kahn's algorithm; of the components that nothing open beats, the smallest key is next."""
    beaten: list[list[int]] = [[] for _ in keys]
    waits_for = [0] * len(keys)
    for winner, loser in edges.tolist():
        if winner != loser:
            beaten[winner].append(loser)
            waits_for[loser] += 1
    heap = [(key, component) for component, key in enumerate(keys) if not waits_for[component]]
    heapq.heapify(heap)
    order = []
    while heap:
        _, component = heapq.heappop(heap)
        order.append(component)
        for loser in beaten[component]:
            waits_for[loser] -= 1
            if not waits_for[loser]:
                heapq.heappush(heap, (keys[loser], loser))
    return order

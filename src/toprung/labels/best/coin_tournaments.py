"""How often would chance alone leave several best answers? Tournaments decided by fair coins."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

type Beats = NDArray[np.int8]
"""Tournaments × items × items: 1 where the item of the row beats that of the column."""

ALL_UP_TO = 6
"""Items of which all tournaments are looked at; of more, so many drawn at random."""
DRAWS = 20_000
MOST_CELLS = 20_000_000
"""Fewer tournaments are drawn where they would take more room."""


def cyclic_share(n_items: int, *, seed: int = 0) -> float:
    """The share of coin-tossed tournaments of so many items that keep more than one of them.

    Exact up to six items, from up to 20,000 tournaments for more.

    >>> [cyclic_share(n) for n in (2, 3, 4, 5)]
    [0.0, 0.25, 0.125, 0.0625]
    """
    if n_items < 3:
        return 0.0
    beats = _all_tournaments(n_items) if n_items <= ALL_UP_TO else _drawn_tournaments(n_items, seed)
    return float((count_survivors(beats) > 1).mean())


def count_survivors(beats: Beats) -> NDArray[np.int64]:
    """For each tournament, how many items are left when it is held again among its leaders until nothing changes."""
    playing = np.ones(beats.shape[:2], dtype=bool)
    while True:
        wins = np.einsum("tij,tj->ti", beats, playing.astype(np.int8), dtype=np.int64)
        wins = np.where(playing, wins, -1)
        leaders = wins == wins.max(axis=1, keepdims=True)
        if (leaders == playing).all():
            return playing.sum(axis=1)
        playing = leaders


def _all_tournaments(n_items: int) -> Beats:
    pairs = list(combinations(range(n_items), 2))
    tosses = np.arange(1 << len(pairs))[:, None] >> np.arange(len(pairs)) & 1
    return _to_beats(tosses.astype(np.int8), n_items)


def _drawn_tournaments(n_items: int, seed: int) -> Beats:
    draws = max(1, min(DRAWS, MOST_CELLS // n_items**2))
    n_pairs = n_items * (n_items - 1) // 2
    rng = np.random.default_rng([seed, n_items])
    return _to_beats(rng.integers(2, size=(draws, n_pairs), dtype=np.int8), n_items)


def _to_beats(tosses: Beats, n_items: int) -> Beats:
    first, second = np.triu_indices(n_items, 1)
    beats = np.zeros((len(tosses), n_items, n_items), dtype=np.int8)
    beats[:, first, second] = tosses
    beats[:, second, first] = 1 - tosses
    return beats

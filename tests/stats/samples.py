"""The worked example of the statistics page, and random pairs with everything that makes tests stumble."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from toprung.stats.ranks.overlap import PERSISTENCE, extrapolated_overlap
from toprung.stats.sequences.online import OnlineDecision, OnlineTest

type Floats = NDArray[np.float64]

RANKS_A = np.array([1, 2, 0, 5, 10, 0, 3, 1, 100, 4])
RANKS_B = np.array([1, 1, 7, 0, 5, 0, 3, 2, 50, 2])


def reciprocal(ranks: NDArray[np.int64]) -> Floats:
    return np.divide(1.0, ranks, out=np.zeros(ranks.shape), where=ranks > 0)


RR_A, RR_B = reciprocal(RANKS_A), reciprocal(RANKS_B)
BOTH = (RANKS_A > 0) & (RANKS_B > 0)
ESL_A, ESL_B = RANKS_A[BOTH].astype(float), RANKS_B[BOTH].astype(float)


def make_ranks(n_queries: int, n_runs: int, *, seed: int, depth: int = 100) -> NDArray[np.int64]:
    """First ranks of related runs, with misses."""
    rng = np.random.default_rng(seed)
    difficulty = rng.standard_normal((n_queries, 1))
    ranks = np.exp(1.2 + difficulty + rng.standard_normal((n_queries, n_runs))).astype(np.int64) + 1
    ranks[(ranks > depth) | (rng.random(ranks.shape) < 0.1)] = 0
    return ranks


tied_values = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0])
free_values = st.floats(-10, 10, allow_nan=False).map(lambda value: round(value, 6))


@st.composite
def pairs(draw: st.DrawFn, *, min_size: int = 0, max_size: int = 70) -> tuple[Floats, Floats]:
    """Two samples of one length: tied or free values, sometimes equal, sometimes a constant apart."""
    n = draw(st.integers(min_size, max_size))
    values = st.lists(draw(st.sampled_from([tied_values, free_values])), min_size=n, max_size=n)
    a = np.array(draw(values), dtype=np.float64)
    kind = draw(st.sampled_from(["other", "other", "other", "same", "shifted"]))
    if kind == "same":
        return a, a.copy()
    if kind == "shifted":
        return a, a + 0.125
    return a, np.array(draw(values), dtype=np.float64)


def decide_in_turn(p_values: Iterable[float], state: OnlineTest | None = None) -> list[OnlineDecision]:
    """Claims in the order they came."""
    state, decisions = state or OnlineTest(), []
    for p in p_values:
        decision, state = state.decide(float(p))
        decisions.append(decision)
    return decisions


def rank_biased_overlap(
    a: Sequence[Hashable], b: Sequence[Hashable], *, p: float = PERSISTENCE, depth: int | None = None
) -> float:
    """RBO of two lists of different items, from 0 (nothing in common) to 1 (the same list), down to ``depth``."""
    first, second = list(a)[:depth], list(b)[:depth]
    longest = max(len(first), len(second))
    overlaps = np.array([[len(set(first[:rank]) & set(second[:rank])) for rank in range(1, longest + 1)]], dtype=int)
    return float(extrapolated_overlap(overlaps, np.array([len(first)]), np.array([len(second)]), p=p)[0])

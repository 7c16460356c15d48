"""Pairs of runs made from counts, and the pairs of the statistics page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from toprung.boards.engine.parts import PairParts
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.stats.intervals.harm import HarmBounds
from toprung.stats.tests.pair import PairTest

type Counted = tuple[int, int, int]
"""The rank of A, the rank of B, and on how many queries."""

ANSWERS_MORE: list[Counted] = [(2, 90, 4), (0, 3, 8), (0, 0, 22)]
NO_HARM: list[Counted] = [(2, 2, 200), (0, 10, 12), (0, 0, 88)]
AT_A_COST: list[Counted] = [(2, 1, 60), (2, 2, 220), (2, 0, 20), (0, 0, 100)]
CONFLICT: list[Counted] = [(1, 2, 12), (4, 4, 188), (0, 5, 30), (0, 0, 70)]
NONE_SHARED: list[Counted] = [(1, 0, 6), (0, 1, 20)]
TEN_QUERIES: list[Counted] = list(
    zip([1, 2, 0, 5, 10, 0, 3, 1, 100, 4], [1, 1, 7, 0, 5, 0, 3, 2, 50, 2], [1] * 10, strict=True)
)
"""Pairs i to vi of section 5."""


def ranks_of(counted: Sequence[Counted], *, cutoff: int = 100) -> FirstRanks:
    """Runs "a" and "b"."""
    rows = [(first, second) for first, second, count in counted for _ in range(count)]
    return FirstRanks(
        query_ids=numbered("q", len(rows)),
        runs=("a", "b"),
        values=np.array(rows, dtype=np.int32).reshape(-1, 2),
        cutoff=cutoff,
    )


def scores_of(values: ArrayLike, *, measure: str = "nDCG@10") -> ScoreTable:
    """Queries × runs; the runs are named r000, r001, …"""
    matrix = np.asarray(values, dtype=np.float64)
    runs = numbered("r", matrix.shape[1])
    return ScoreTable(query_ids=numbered("q", len(matrix)), runs=runs, values=matrix, measure=measure)


def numbered(letter: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number:0{max(3, len(str(count)))}d}" for number in range(count))


def as_tested(p: float, favours: int = 1) -> PairTest:
    """As if a test had said so."""
    return PairTest(p=p, favours=favours, mean=0.1 * favours, sd=0.4, n=1_000, differing=500)


def bounded(low: float, high: float) -> HarmBounds:
    return HarmBounds(low=low, high=high, n=1_000, margin=0.03)


def parts_of(
    measure: tuple[float, int], answered: tuple[float, int], ranking: tuple[float, int], *, is_harmless: bool = True
) -> PairParts:
    """Each part as (p, favours); harm is excluded for both sides, or for neither."""
    harm = bounded(-0.01, 0.01) if is_harmless else bounded(-0.04, 0.04)
    return PairParts(
        measure=as_tested(*measure),
        answered=as_tested(*answered),
        ranking=as_tested(*ranking),
        answered_harm=harm,
        ranking_harm=harm,
    )

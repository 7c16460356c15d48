"""How do two runs of a board compare, by themselves? By the rules of the board; who else is on it does not matter.

What the two are with all runs compared at once stands in the rows of the board (``core.store.relations``): so a
comparison that was made stays as it is when another run comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from toprung.analyses.compare.find import Comparisons, compare
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.scoring.catalogue import higher_is_better, scale_of
from toprung.stats.intervals.bootstrap import Effect, mean_intervals
from toprung.web.core.models.boards import Board
from toprung.web.core.models.labels import LabelSet
from toprung.web.core.models.runs import ScoreColumn
from toprung.web.core.store.columns import board_matrix, score_table
from toprung.web.core.store.rules import claim_policy
from toprung.web.core.store.run_pairs import RunPair

MOST_APART = 300
"""Queries that are told one by one; of more, neighbours by their difference are one bar."""


@dataclass(frozen=True, kw_only=True)
class QueryBar:
    """One query, or the mean of some that are neighbours, by how far B is above A."""

    query: str
    """Empty where it is several."""
    n: int
    b: float
    a: float


@dataclass(frozen=True, kw_only=True)
class OtherDifference:
    """What two runs have in a measure that decides nothing."""

    measure: str
    b: float
    a: float
    effect: Effect


@dataclass(frozen=True, kw_only=True)
class ComparedPair:
    """Two runs by themselves; query by query where the official measure has no first ranks."""

    found: Comparisons
    bars: Sequence[QueryBar] = ()
    others: Sequence[OtherDifference] = ()


def compare_runs(board: Board, labels: LabelSet, pair: RunPair) -> ComparedPair:
    matrix = board_matrix(labels, pair.both, board)
    found = compare_two(board, matrix)
    if isinstance(matrix, FirstRanks):
        return ComparedPair(found=found)
    bars = to_bars(matrix, pair.holder.run_id, pair.challenger.run_id)
    return ComparedPair(found=found, bars=bars, others=list(_find_others(board, labels, pair)))


def _find_others(board: Board, labels: LabelSet, pair: RunPair) -> Iterator[OtherDifference]:
    """The other measures of the board that both runs have, in its order."""
    for measure in board.other_measures:
        columns = ScoreColumn.objects.filter(label_set=labels, measure=measure, submission__in=pair.both)
        if columns.count() == len(pair.both):
            a, b = score_table(labels, pair.both, measure).values.T
            (effect,) = mean_intervals((b - a)[:, None], rng=board.seed)
            yield OtherDifference(measure=measure, b=float(b.mean()), a=float(a.mean()), effect=effect)


def to_bars(matrix: ScoreTable, a: str, b: str) -> list[QueryBar]:
    """From where B does better by most to where A does."""
    of_a, of_b = matrix.column(a), matrix.column(b)
    sign = 1 if higher_is_better(matrix.measure) else -1
    lead = (sign * np.round(of_b - of_a, 12)).tolist()
    order = sorted(range(len(lead)), key=lambda row: (-lead[row], matrix.query_ids[row]))
    at_once = -(-len(order) // MOST_APART)
    groups = [order[start : start + at_once] for start in range(0, len(order), at_once)]
    return [
        QueryBar(
            query=matrix.query_ids[group[0]] if at_once == 1 else "",
            n=len(group),
            b=float(of_b[group].mean()),
            a=float(of_a[group].mean()),
        )
        for group in groups
    ]


def compare_two(board: Board, matrix: FirstRanks | ScoreTable) -> Comparisons:
    """The two runs of a matrix, A and B, on the official measure."""
    policy = claim_policy(board)
    return compare(
        matrix,
        rule=policy.rule,
        alpha=policy.alpha,
        margins=policy.margins,
        gamma=policy.gamma,
        scale=scale_of(matrix.measure),
        tells_paper=False,
        seed=board.seed,
    )

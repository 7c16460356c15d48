"""What does a run score on each query? Compiled where the measures are common ones, else by NumPy: the same values."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace

from toprung.data.placement import Placement
from toprung.scoring import compiled
from toprung.scoring.measure import Measure
from toprung.scoring.ranked_labels import Floats, LabelledQueries, RankedLabels

type Row = array[float] | Floats
"""A measure's values, one for each scored query."""


def score_run(
    measures: Sequence[Measure], placement: Placement, labels: LabelledQueries, *, in_32_bits: bool = False
) -> Sequence[Row]:
    """Each measure's values; those that 32-bit scores would give where that is asked for and moves a document."""
    if compiled.can_score(measures):
        return compiled.score(measures, placement, labels, placement.buffer("rank_32_bit" if in_32_bits else "rank"))
    ranks = placement.rank_32_bit if in_32_bits else None
    ranked = RankedLabels.of(placement if ranks is None else replace(placement, rank=ranks), labels)
    return [measure.score(ranked) for measure in measures]


def score_ties(
    measures: Sequence[Measure], placement: Placement, labels: LabelledQueries
) -> tuple[Sequence[Row], Sequence[Row]]:
    """Each measure's values if every tie is broken in favour of the better label, and against it."""
    if compiled.can_score(measures):
        best_ranks, worst_ranks = compiled.break_ties(placement, labels)
        best = compiled.score(measures, placement, labels, best_ranks)
        return best, compiled.score(measures, placement, labels, worst_ranks)
    for_better, against = RankedLabels.best_of_ties(placement, labels), RankedLabels.worst_of_ties(placement, labels)
    return [measure.score(for_better) for measure in measures], [measure.score(against) for measure in measures]

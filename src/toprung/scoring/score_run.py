"""What does a run score on each query? Compiled where the measures are common ones, else by NumPy: the same values."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from toprung.data.placement import Placement
from toprung.scoring import compiled
from toprung.scoring.measure import Measure
from toprung.scoring.ranked_labels import Floats, LabelledQueries, RankedLabels

type Row = array[float] | Floats
"""A measure's values, one for each scored query."""


class Ranking(Enum):
    """In which order the documents are taken."""

    IN_FORCE = "in force"
    BEST_OF_TIES = "every tie broken in favour of the better label"
    WORST_OF_TIES = "every tie broken against it"
    IN_32_BITS = "by scores as 32-bit numbers"


def score_run(
    measures: Sequence[Measure], placement: Placement, labels: LabelledQueries, ranking: Ranking = Ranking.IN_FORCE
) -> Sequence[Row]:
    """Each measure's values."""
    if not measures:
        return []
    if compiled.can_score(measures):
        return compiled.score(measures, placement, labels, _ranks(placement, labels, ranking))
    ranked = _arrange(placement, labels, ranking)
    return [measure.score(ranked) for measure in measures]


def _ranks(placement: Placement, labels: LabelledQueries, ranking: Ranking) -> object:
    if ranking is Ranking.IN_FORCE:
        return placement.buffer("rank")
    if ranking is Ranking.IN_32_BITS:
        return placement.buffer("rank_32_bit")
    best, worst = compiled.break_ties(placement, labels)
    return best if ranking is Ranking.BEST_OF_TIES else worst


def _arrange(placement: Placement, labels: LabelledQueries, ranking: Ranking) -> RankedLabels:
    if ranking is Ranking.BEST_OF_TIES:
        return RankedLabels.best_of_ties(placement, labels)
    if ranking is Ranking.WORST_OF_TIES:
        return RankedLabels.worst_of_ties(placement, labels)
    if placement.rank_32_bit is not None and ranking is Ranking.IN_32_BITS:
        return RankedLabels.of(replace(placement, rank=placement.rank_32_bit), labels)
    return RankedLabels.of(placement, labels)

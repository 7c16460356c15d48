"""How precise is the ranking, seen from each relevant document? AP."""

from __future__ import annotations

from toprung.scoring.measure import Definition
from toprung.scoring.ranked_labels import Floats, RankedLabels, ratio


def average_precision(ranked: RankedLabels, *, rel: int, cutoff: int | None) -> Floats:
    relevant = ranked.relevant(rel).up_to(cutoff)
    precision = relevant.place_in_query() / relevant.rank
    return ratio(relevant.sum_by_query(precision), ranked.labels.count_relevant(rel))


AP = Definition(
    name="AP",
    summary="mean of the precision at each relevant document; those not found count 0",
    score=average_precision,
    parameters={"rel": 1},
    aliases=("MAP",),
)

"""How many? NumRet, NumRel and NumRelRet, added up over the queries."""

from __future__ import annotations

from toprung.arrays import np
from toprung.scoring.measure import Aggregate, Cutoff, Definition
from toprung.scoring.ranked_labels import Floats, RankedLabels
from toprung.stats.finding import Scale


def retrieved(ranked: RankedLabels) -> Floats:
    return ranked.retrieved.astype(np.float64)


def relevant(ranked: RankedLabels, *, rel: int) -> Floats:
    return ranked.labels.count_relevant(rel).astype(np.float64)


def relevant_retrieved(ranked: RankedLabels, *, rel: int) -> Floats:
    return ranked.relevant(rel).count_by_query().astype(np.float64)


NumRet = Definition(
    name="NumRet",
    summary="number of documents retrieved",
    score=retrieved,
    cutoff=Cutoff.NONE,
    scale=Scale.RATIO,
    aggregate=Aggregate.SUM,
    is_from_0_to_1=False,
)
NumRel = Definition(
    name="NumRel",
    summary="number of relevant documents in the labels",
    score=relevant,
    parameters={"rel": 1},
    cutoff=Cutoff.NONE,
    scale=Scale.RATIO,
    aggregate=Aggregate.SUM,
    is_from_0_to_1=False,
)
NumRelRet = Definition(
    name="NumRelRet",
    summary="number of relevant documents retrieved",
    score=relevant_retrieved,
    parameters={"rel": 1},
    cutoff=Cutoff.NONE,
    scale=Scale.RATIO,
    aggregate=Aggregate.SUM,
    is_from_0_to_1=False,
)

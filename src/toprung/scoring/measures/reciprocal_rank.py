"""How high does the first relevant document stand? RR, and the rank itself, ESL."""

from __future__ import annotations

import numpy as np

from toprung.scoring.measure import Aggregate, Definition
from toprung.scoring.ranked_labels import Floats, Ints, RankedLabels, ratio


def first_rank(ranked: RankedLabels, rel: int, cutoff: int | None) -> Ints:
    """The rank of each query's first relevant document; 0 where none is among the first ``cutoff``."""
    relevant = ranked.relevant(rel).up_to(cutoff)
    first = np.zeros(len(ranked.labels), dtype=np.int64)
    first[relevant.query[::-1]] = relevant.rank[::-1]  # from the last to the first, which stays
    return first


def reciprocal_rank(ranked: RankedLabels, *, rel: int, cutoff: int | None) -> Floats:
    first = first_rank(ranked, rel, cutoff)
    return ratio(np.ones(len(first)), first)


def search_length(ranked: RankedLabels, *, rel: int, cutoff: int | None) -> Floats:
    """NaN where nothing was found: the length of a search without an answer is never made up."""
    first = first_rank(ranked, rel, cutoff).astype(np.float64)
    first[first == 0] = np.nan
    return first


RR = Definition(
    name="RR",
    summary="1 / rank of the first relevant document",
    score=reciprocal_rank,
    parameters={"rel": 1},
    aliases=("MRR",),
)
ESL = Definition(
    name="ESL",
    summary="rank of the first relevant document, over the queries where one was found",
    score=search_length,
    parameters={"rel": 1},
    aggregate=Aggregate.MEAN_OF_ANSWERED,
    higher_is_better=False,
)

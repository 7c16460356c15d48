"""How high does the first relevant document stand? RR, and the rank itself, ESL."""

from __future__ import annotations

import numpy as np

from toprung.scoring.measure import Aggregate, Definition
from toprung.scoring.measures.expected_search import expected_length, expected_reciprocal
from toprung.scoring.ranked_labels import Floats, Ints, RankedLabels, ratio
from toprung.stats.finding import Scale

EXPECTED = "expected"


def rank_of(ranked: RankedLabels, *, rel: int, mth: int = 1, cutoff: int | None) -> Ints:
    """The rank of each query's first, or m-th, relevant document; 0 where it is not among the first ``cutoff``."""
    relevant = ranked.relevant(rel)
    is_mth = (relevant.place_in_query() == mth) & (relevant.rank <= (np.inf if cutoff is None else cutoff))
    ranks = np.zeros(len(ranked.labels), dtype=np.int64)
    ranks[relevant.query[is_mth]] = relevant.rank[is_mth]
    return ranks


def reciprocal_rank(ranked: RankedLabels, *, rel: int, ties: str, cutoff: int | None) -> Floats:
    if ties == EXPECTED:
        return expected_reciprocal(ranked, rel, cutoff)
    first = rank_of(ranked, rel=rel, cutoff=cutoff)
    return ratio(np.ones(len(first)), first)


def search_length(ranked: RankedLabels, *, rel: int, ties: str, cutoff: int | None) -> Floats:
    """NaN where nothing was found: the length of a search without an answer is never made up."""
    if ties == EXPECTED:
        return expected_length(ranked, rel, cutoff)
    first = rank_of(ranked, rel=rel, cutoff=cutoff).astype(np.float64)
    first[first == 0] = np.nan
    return first


def _check_ties(rel: int, ties: str) -> str | None:  # noqa: ARG001 - called with all parameters
    return None if ties in ("doc_id", EXPECTED) else "ties='doc_id' or ties='expected'"


RR = Definition(
    name="RR",
    summary="1 / rank of the first relevant document",
    score=reciprocal_rank,
    parameters={"rel": 1, "ties": "doc_id"},
    check=_check_ties,
    aliases=("MRR",),
)
ESL = Definition(
    name="ESL",
    summary="rank of the first relevant document, over the queries where one was found",
    score=search_length,
    parameters={"rel": 1, "ties": "doc_id"},
    check=_check_ties,
    scale=Scale.RATIO,
    aggregate=Aggregate.MEAN_OF_ANSWERED,
    higher_is_better=False,
)

"""How high does the first relevant document stand? RR, and the rank itself, ESL."""

from __future__ import annotations

from toprung.arrays import np
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


def reciprocal_rank(ranked: RankedLabels, *, rel: int, mth: int, ties: str, cutoff: int | None) -> Floats:
    if ties == EXPECTED:
        return expected_reciprocal(ranked, rel=rel, mth=mth, cutoff=cutoff)
    ranks = rank_of(ranked, rel=rel, mth=mth, cutoff=cutoff)
    return ratio(np.ones(len(ranks)), ranks)


def search_length(ranked: RankedLabels, *, rel: int, mth: int, ties: str, cutoff: int | None) -> Floats:
    """NaN where nothing was found: the length of a search without an answer is never made up."""
    if ties == EXPECTED:
        return expected_length(ranked, rel=rel, mth=mth, cutoff=cutoff)
    ranks = rank_of(ranked, rel=rel, mth=mth, cutoff=cutoff).astype(np.float64)
    ranks[ranks == 0] = np.nan
    return ranks


def _check(rel: int, mth: int, ties: str) -> str | None:  # noqa: ARG001 - called with all parameters
    if mth < 1:
        return "mth from 1"
    return None if ties in ("doc_id", EXPECTED) else "ties='doc_id' or ties='expected'"


RR = Definition(
    name="RR",
    summary="1 / rank of the first (or m-th) relevant document",
    score=reciprocal_rank,
    parameters={"rel": 1, "mth": 1, "ties": "doc_id"},
    check=_check,
    aliases=("MRR",),
)
ESL = Definition(
    name="ESL",
    summary="rank of the first (or m-th) relevant document, over the queries where it was found",
    score=search_length,
    parameters={"rel": 1, "mth": 1, "ties": "doc_id"},
    check=_check,
    scale=Scale.RATIO,
    aggregate=Aggregate.MEAN_OF_ANSWERED,
    higher_is_better=False,
    is_from_0_to_1=False,
)

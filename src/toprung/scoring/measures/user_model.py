"""What does a user gain who may stop at any document? RBP and ERR."""

from __future__ import annotations

from toprung.arrays import np
from toprung.scoring.measure import Definition
from toprung.scoring.ranked_labels import Floats, RankedLabels

HIGHEST_GRADE = 4
"""ERR's stopping chance is (2^grade - 1) / 2^4, as in the TREC Web track's own script."""


def rank_biased_precision(ranked: RankedLabels, *, p: float, rel: int | None, cutoff: int | None) -> Floats:
    """Graded as TREC-COVID reports it, a grade counting as its share of the highest; binary where rel is given."""
    relevant = ranked.relevant(1 if rel is None else rel).up_to(cutoff)
    gain = relevant.grade / ranked.labels.qrels.grades.max() if rel is None else np.ones(len(relevant.grade))
    return (1 - p) * relevant.sum_by_query(gain * p ** (relevant.rank - 1.0))


def expected_reciprocal_rank(ranked: RankedLabels, *, cutoff: int | None) -> Floats:
    seen = ranked.up_to(cutoff)
    stops = (np.exp2(np.clip(seen.grade, 0, HIGHEST_GRADE)) - 1) / 2.0**HIGHEST_GRADE
    place = seen.place_in_query()
    goes_on = np.ones(len(ranked.labels))
    expected = np.zeros(len(ranked.labels))
    for step in range(1, place.max(initial=0) + 1):  # down the rankings of all queries at once
        at = place == step
        query = seen.query[at]
        expected[query] += goes_on[query] * stops[at] / seen.rank[at]
        goes_on[query] *= 1 - stops[at]
    return expected


def _check_persistence(p: float, rel: int | None) -> str | None:  # noqa: ARG001 - called with all parameters
    return None if 0 < p < 1 else "p between 0 and 1"


RBP = Definition(
    name="RBP",
    summary="gain of a user who goes on with chance p after each document; by grade, or binary with rel",
    score=rank_biased_precision,
    parameters={"p": 0.8, "rel": None},
    check=_check_persistence,
)
ERR = Definition(
    name="ERR",
    summary="expected 1 / rank of the document that satisfies the user, grades from 0 to 4",
    score=expected_reciprocal_rank,
)

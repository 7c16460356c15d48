"""How much is gained from the first documents, compared with the ideal ranking? nDCG and NCG."""

from __future__ import annotations

import math

from toprung.arrays import np
from toprung.errors import MeasureError
from toprung.scoring.measure import Cutoff, Definition
from toprung.scoring.ranked_labels import Floats, Ints, RankedLabels, ratio

EXPONENTIAL = "exp-log2"
LARGEST_EXPONENT = 500


def gains(ranked: RankedLabels, dcg: str = "log2") -> Floats:
    """trec_eval's gain is the grade, ``exp-log2`` is 2^grade - 1; grades below 0 gain nothing."""
    grade = np.maximum(ranked.grade, 0).astype(np.float64)
    if dcg == EXPONENTIAL and grade.max(initial=0) > LARGEST_EXPONENT:
        raise MeasureError(
            f"Found grade {grade.max():.0f}; expected at most {LARGEST_EXPONENT} with dcg='{EXPONENTIAL}'."
        )
    return np.exp2(grade) - 1 if dcg == EXPONENTIAL else grade


def discounted_gain(ranked: RankedLabels, dcg: str) -> Floats:
    return ranked.sum_by_query(gains(ranked, dcg) / _discounts(ranked.rank))


def _discounts(ranks: Ints) -> Floats:
    """log2(rank + 1), as C has it: where NumPy takes several at once, it may end in another last bit."""
    distinct, place = np.unique(ranks, return_inverse=True)
    return np.array([math.log2(rank + 1.0) for rank in distinct.tolist()])[place]


def normalised_discounted_gain(ranked: RankedLabels, *, dcg: str, cutoff: int | None) -> Floats:
    return ratio(discounted_gain(ranked.up_to(cutoff), dcg), discounted_gain(ranked.labels.ideal.up_to(cutoff), dcg))


def normalised_gain(ranked: RankedLabels, *, cutoff: int | None) -> Floats:
    found, ideal = ranked.up_to(cutoff), ranked.labels.ideal.up_to(cutoff)
    return ratio(found.sum_by_query(gains(found)), ideal.sum_by_query(gains(ideal)))


def _check_dcg(dcg: str) -> str | None:
    return None if dcg in ("log2", EXPONENTIAL) else "dcg='log2' or dcg='exp-log2'"


nDCG = Definition(  # noqa: N816 - the field writes it so
    name="nDCG",
    summary="discounted gain of the grades, as a share of the ideal ranking's; exp-log2 gains 2^grade - 1",
    score=normalised_discounted_gain,
    parameters={"dcg": "log2"},
    check=_check_dcg,
    aliases=("NDCG",),
)
NCG = Definition(
    name="NCG",
    summary="gain of the grades without discount, as a share of the ideal ranking's",
    score=normalised_gain,
    cutoff=Cutoff.REQUIRED,
)

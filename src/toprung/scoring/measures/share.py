"""What share of the first documents, or of the relevant ones, was found? P, R, Success and Judged."""

from __future__ import annotations

from toprung.arrays import np
from toprung.scoring.measure import Cutoff, Definition
from toprung.scoring.ranked_labels import Floats, Ints, RankedLabels, ratio
from toprung.stats.finding import Scale


def _found(ranked: RankedLabels, rel: int, cutoff: int | None) -> Ints:
    return ranked.relevant(rel).up_to(cutoff).count_by_query()


def precision(ranked: RankedLabels, *, rel: int, cutoff: int) -> Floats:
    return _found(ranked, rel, cutoff) / cutoff


def recall(ranked: RankedLabels, *, rel: int, cutoff: int | None) -> Floats:
    return ratio(_found(ranked, rel, cutoff), ranked.labels.count_relevant(rel))


def success(ranked: RankedLabels, *, rel: int, cutoff: int) -> Floats:
    return (_found(ranked, rel, cutoff) > 0).astype(np.float64)


def judged(ranked: RankedLabels, *, cutoff: int | None) -> Floats:
    shown = ranked.retrieved if cutoff is None else np.minimum(ranked.retrieved, cutoff)
    return ratio(ranked.up_to(cutoff).count_by_query(), shown)


P = Definition(
    name="P",
    summary="share of relevant documents among the first k",
    score=precision,
    scale=Scale.INTERVAL,
    parameters={"rel": 1},
    cutoff=Cutoff.REQUIRED,
    aliases=("Precision",),
)
R = Definition(
    name="R",
    summary="share of the relevant documents that is among the first k",
    score=recall,
    scale=Scale.INTERVAL,
    parameters={"rel": 1},
    aliases=("Recall",),
)
Success = Definition(
    name="Success",
    summary="1 if a relevant document is among the first k, else 0",
    score=success,
    scale=Scale.INTERVAL,
    parameters={"rel": 1},
    cutoff=Cutoff.REQUIRED,
)
Judged = Definition(
    name="Judged",
    summary="share of the first k documents that carry a label",
    score=judged,
    scale=Scale.INTERVAL,
)

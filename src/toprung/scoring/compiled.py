"""Score by common measures with the compiled scorer, where it was built: without NumPy, and equal to the last bit."""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toprung.data.held import DOUBLE, INT32, INT64, buffer_of

if TYPE_CHECKING:
    from toprung.data.placement import Placement
    from toprung.scoring.measure import Measure
    from toprung.scoring.ranked_labels import LabelledQueries

try:
    from toprung.scoring import _score
except ImportError:  # no compiler at install time: NumPy does the same
    _score = None  # type: ignore[assignment]  # has_scorer() is asked first

KINDS = ("RR", "nDCG", "AP", "P", "R", "Success", "Judged", "ERR", "NumRet", "NumRel", "NumRelRet")
"""In the order of ``scores`` in _score.c."""
NO_CUTOFF = 2**62
LARGEST = 2**31
USUAL = {"ties": "doc_id", "dcg": "log2"}
"""Of other values of these parameters NumPy takes care."""


def has_scorer() -> bool:
    """Whether the scorer was built and is not switched off (``TOPRUNG_SCORER=off``)."""
    return _score is not None and os.environ.get("TOPRUNG_SCORER", "").lower() != "off"


def can_score(measures: Sequence[Measure]) -> bool:
    return bool(measures) and has_scorer() and all(_describe(measure) is not None for measure in measures)


def _describe(measure: Measure) -> tuple[int, int, int, int] | None:
    """A measure in numbers: its kind, rel, mth and cutoff; None if it is none of those compiled."""
    options = {"rel": 1, "mth": 1, **dict(measure.parameters)}
    is_usual = all(options.pop(name, usual) == usual for name, usual in USUAL.items())
    name, rel, mth = measure.definition.name, options.pop("rel"), options.pop("mth")
    if name not in KINDS or options or not is_usual or not (abs(rel) < LARGEST and mth < LARGEST):
        return None
    return KINDS.index(name), rel, mth, measure.cutoff or NO_CUTOFF


def score(measures: Sequence[Measure], placement: Placement, labels: LabelledQueries, rank: Any) -> list[array[float]]:
    """Each measure's value for each scored query, of a run that has the labelled documents at these ranks."""
    described = array(INT64, [number for measure in measures for number in _describe(measure) or ()])
    size = len(labels)
    values: array[float] = array(DOUBLE, bytes(8 * len(measures) * size))
    qrels = labels.qrels
    _score.score(
        qrels.starts_buffer,
        buffer_of(qrels, "grades"),
        buffer_of(labels, "index_of"),
        rank,
        placement.buffer("retrieved"),
        described,
        values,
    )
    return [values[start : start + size] for start in range(0, len(values), size)]


def break_ties(placement: Placement, labels: LabelledQueries) -> tuple[array[int], array[int]]:
    """The ranks if every tie is broken in favour of the better label, and against it."""
    qrels = labels.qrels
    best, worst = (array(INT32, bytes(4 * len(qrels))) for _ in range(2))
    first, last = placement.buffer("tie_first"), placement.buffer("tie_last")
    _score.break_ties(qrels.starts_buffer, buffer_of(qrels, "grades"), first, last, best, worst)
    return best, worst

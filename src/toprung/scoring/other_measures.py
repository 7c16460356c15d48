"""What do runs score under another measure? Found from where they put the labelled documents: nothing is read again."""

from __future__ import annotations

import numpy as np

from toprung.data.matrices import ScoreTable
from toprung.errors import InputError
from toprung.scoring.catalogue import find_measure
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.measure import Measure
from toprung.scoring.ranked_labels import RankedLabels


def score_by(evaluation: Evaluation, name: str) -> ScoreTable:
    """The scores of the same runs by a measure that is computed here, not by ir_measures.

    >>> from toprung.scoring.evaluate import evaluate
    >>> score_by(evaluate({"q": {"d": 1}}, {"q": {"c": 2.0, "d": 1.0}}, "P@1"), "RR").values.tolist()
    [[0.5]]
    """
    measure = find_measure(name)
    if not isinstance(measure, Measure):
        raise InputError(f"Found {measure}, which ir_measures computes; expected a measure that needs no more ranks.")
    ranked = [RankedLabels.of(run.placement, evaluation.labels) for run in evaluation.runs]
    return ScoreTable(
        query_ids=evaluation.query_ids,
        runs=tuple(run.name for run in evaluation.runs),
        values=np.column_stack([measure.score(each) for each in ranked]),
        measure=str(measure),
    )

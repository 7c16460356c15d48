"""What is asked about? A matrix, an evaluation, or labels and runs: each becomes the matrix that analyses use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from toprung.boards.engine.defaults import choose_defaults
from toprung.data.formats.tables.long_scores import is_scores, to_scores_given
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.errors import InputError
from toprung.scoring.catalogue import GivenMeasure, find_measure, first_rank_of
from toprung.scoring.evaluate import evaluate
from toprung.scoring.evaluation import Evaluation
from toprung.scoring.inputs import to_qrels
from toprung.words.wording import say_type

type Source = FirstRanks | ScoreTable | Evaluation | object
"""A matrix, or scores as an array, a frame or a dict of dicts; what ``evaluate`` gave; or labels in any form that
``evaluate`` takes, with runs beside them."""
type MeasureName = GivenMeasure | None
"""None where there is but one, or where the labels are to choose."""


def to_matrix(source: Source, runs: Any = None, measure: MeasureName = None) -> FirstRanks | ScoreTable:
    """First ranks where the measure is a reciprocal rank, else its scores.

    >>> labels, found = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d3": 2.0, "d1": 1.0}}
    >>> to_matrix(labels, {"words": found}, "RR@10").values.tolist()
    [[2], [0]]
    """
    check_source(source, runs)
    source, runs, measure = read_scores_in_memory(source, runs, measure)
    if isinstance(source, Evaluation):
        return _of_evaluation(source, measure)
    if isinstance(source, FirstRanks | ScoreTable):
        return _checked(source, measure)
    found, remarks = evaluate_labels(source, runs, measure)
    matrix = _of_evaluation(found, None)
    return replace(matrix, remarks=(*remarks, *matrix.remarks))


def check_source(source: Source, runs: Any) -> None:
    """Refuse runs beside what has its runs, and labels without any."""
    if is_scores_alone(source, runs):
        return
    has_runs = isinstance(source, FirstRanks | ScoreTable | Evaluation)
    if has_runs and runs is not None:
        raise InputError(
            f"runs: found {type(runs).__name__} beside {say_type(source)}, which has its runs; expected none, or "
            "labels first. Options are given by name, such as measure=, pairs=, dates=, costs= or systems=."
        )
    if not has_runs and runs is None:
        raise InputError(
            f"Found {say_type(source)} without runs; expected a matrix, what `evaluate` gives back, or labels, runs "
            "and a measure."
        )


def is_scores_alone(source: Source, runs: Any) -> bool:
    """Whether scores were given as an array, which may have names for its runs beside it, or without runs."""
    return (runs is None or isinstance(source, np.ndarray)) and is_scores(source)


def read_scores_in_memory(source: Source, runs: Any, measure: MeasureName) -> tuple[Source, Any, MeasureName]:
    """What was given; an array, a frame or a dict of scores as a matrix, which has its runs and its measure."""
    if not is_scores_alone(source, runs):
        return source, runs, measure
    return to_scores_given(source, runs, measure=None if measure is None else str(measure)), None, None


def evaluate_labels(
    labels: Any, runs: Any, measure: MeasureName, *, float32_ties: bool = False
) -> tuple[Evaluation, tuple[str, ...]]:
    """The runs scored, and what to remark where the labels choose the measure."""
    qrels = to_qrels(labels)
    if measure is not None:
        return evaluate(qrels, runs, measure, float32_ties=float32_ties), ()
    chosen = choose_defaults(qrels)
    return evaluate(qrels, runs, chosen.measure, float32_ties=float32_ties), (f"Measure: {chosen.why}.",)


def to_score_table(source: Source, runs: Any = None, measure: MeasureName = None) -> ScoreTable:
    """The scores; of first ranks their reciprocals."""
    return to_scores(to_matrix(source, runs, measure))


def to_score_tables(source: Source, runs: Any = None, measure: MeasureName = None) -> dict[str, ScoreTable]:
    """Scores by the name of their set: those of several sets, or the only ones, which have no name."""
    is_sets = isinstance(source, Mapping) and runs is None and not is_scores(source)
    if isinstance(source, Mapping) and is_sets:
        return {str(name): to_score_table(each, measure=measure) for name, each in source.items()}
    return {"": to_score_table(source, runs, measure)}


def _of_evaluation(evaluation: Evaluation, measure: MeasureName) -> FirstRanks | ScoreTable:
    if measure is None and len(evaluation.measures) > 1:
        names = ", ".join(map(str, evaluation.measures))
        named = f"measure='{evaluation.measures[0]}'"
        raise InputError(f"Found scores under {names}; expected one measure: say which by name, such as {named}.")
    name = str(evaluation.measures[0] if measure is None else find_measure(measure))
    table = evaluation.score_table(name)  # refuses one that was not evaluated
    first = first_rank_of(name)
    return table if first is None else evaluation.first_ranks(first.cutoff, rel=first.rel, mth=first.mth)


def _checked(matrix: FirstRanks | ScoreTable, measure: MeasureName) -> FirstRanks | ScoreTable:
    if measure is not None and matrix.measure not in (measure, str(find_measure(measure))):
        raise InputError(f"measure: found '{measure}' with a matrix of {matrix.measure}; expected labels and runs.")
    return matrix

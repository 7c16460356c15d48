"""Measures Toprung does not compute itself, handed to ir_measures where it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toprung.arrays import np
from toprung.data.ordered import OrderedRows
from toprung.errors import MeasureError
from toprung.records import record
from toprung.scoring.measure import Aggregate, split_name
from toprung.scoring.names import needs_subtopics
from toprung.scoring.ranked_labels import Floats, LabelledQueries


@record
class ExternalMeasure:
    """A measure as ir_measures knows it."""

    name: str
    aggregate: Aggregate
    higher_is_better: bool = True

    def __str__(self) -> str:
        return self.name


def has_ir_measures() -> bool:
    import importlib.util

    return importlib.util.find_spec("ir_measures") is not None


def find_external(text: str) -> ExternalMeasure | None:
    """The measure of this name, if ir_measures is installed, knows it and can compute it."""
    if not has_ir_measures():
        return None
    import ir_measures

    try:
        measure = _build(text)
        if not ir_measures.DefaultPipeline.supports(measure):
            return None
    except (MeasureError, AssertionError, AttributeError, KeyError, TypeError, ValueError):
        return None
    is_sum = isinstance(measure.aggregator(), ir_measures.SumAgg)
    return ExternalMeasure(text.strip(), Aggregate.SUM if is_sum else Aggregate.MEAN)


def _build(text: str) -> Any:
    """The measure as ir_measures holds it; not by its own parser, which uses what Python 3.14 no longer has."""
    import ir_measures

    name, parameters, cutoff = split_name(text)
    measure = ir_measures.measures.registry[name]
    if parameters:
        measure = measure(**parameters)
    return measure if cutoff is None else measure @ cutoff


def external_names() -> list[str]:
    """Names of all measures that ir_measures knows and that need no labels for subtopics."""
    if not has_ir_measures():
        return []
    import ir_measures

    return sorted(name for name in ir_measures.measures.registry if not needs_subtopics(name))


def score_external(measures: Sequence[ExternalMeasure], rows: OrderedRows, labels: LabelledQueries) -> list[Floats]:
    """Each measure's value for each scored query.

    ir_measures gets the documents in Toprung's order, as scores without ties: one ranking serves all. They are above
    0, since Compat takes 0 for the score of a document that was not retrieved.
    """
    from subprocess import SubprocessError

    import ir_measures

    # How ir_measures and the packages below it end where they cannot go on.
    could_not = (ArithmeticError, AssertionError, LookupError, RuntimeError, SubprocessError, TypeError, ValueError)
    built = [_build(measure.name) for measure in measures]
    row_of = {query_id: row for row, query_id in enumerate(labels.query_ids)}
    qrels = {query_id: docs for query_id, docs in labels.qrels.to_dict().items() if query_id in row_of}
    scores: dict[str, dict[str, float]] = {}
    for (query_id, doc_id), rank in zip(
        rows.frame.select("query_id", "doc_id").iter_rows(), rows.ranks.tolist(), strict=True
    ):
        if query_id in row_of:
            scores.setdefault(query_id, {})[doc_id] = float(rank)
    for docs in scores.values():
        docs.update({doc_id: len(docs) + 1 - rank for doc_id, rank in docs.items()})
    values = {str(measure): np.zeros(len(labels)) for measure in built}
    try:
        for measure in built:  # one by one: of NumRet and NumRet(rel=1) together it gives one for the other
            for metric in ir_measures.iter_calc([measure], qrels, scores):
                values[str(measure)][row_of[metric.query_id]] = metric.value
    except could_not as error:
        names = ", ".join(map(str, measures))
        raise MeasureError(f"ir_measures could not compute {names}: {str(error) or type(error).__name__}") from error
    return [values[str(measure)] for measure in built]

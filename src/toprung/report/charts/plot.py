"""``tr.plot``: the chart of a result, or of what runs score query by query."""

from __future__ import annotations

from typing import Any

from toprung.analyses.subject import MeasureName, Source, to_score_table
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError, MeasureError
from toprung.report.charts.by_query.heatmap import KIND, draw_tables
from toprung.report.charts.catalogue import figure_of
from toprung.report.charts.figure import Figure
from toprung.result import Result
from toprung.scoring.catalogue import find_measure
from toprung.scoring.evaluation import Evaluation
from toprung.words.wording import say_type


def plot(source: Result | Source, runs: Any = None, measure: MeasureName = None, *, kind: str | None = None) -> Figure:
    """The figure of a result; of scores, what each run scores on each query.

    Parameters
    ----------
    source
        A result, what ``evaluate`` gave, a matrix of queries × runs, or labels.
    runs
        With labels.
    measure
        Of an evaluation one of its measures, where not all are to be drawn; of labels any.
    kind
        Of a result that has several figures, which; the first where nothing is said.

    Examples
    --------
    >>> labels, found = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d3": 2.0, "d1": 1.0}}
    >>> plot(labels, {"words": found}, "RR").finding
    'words has a mean RR of 0.2500 over 2 queries; it scores 0 on 1 of them.'

    """
    if isinstance(source, Result) and isinstance(runs, str):
        raise InputError(f"runs: found '{runs}' beside a result; {_say_option(runs)}.")
    if isinstance(source, Evaluation) and measure is None and runs is None:
        return figure_of(source, kind)
    if isinstance(source, Result) and not isinstance(source, Evaluation):
        if runs is not None or measure is not None:
            raise InputError(f"Found runs or a measure beside {say_type(source)}, which has its own.")
        return figure_of(source, kind)
    return _plot_scores(source, runs, measure, kind)


def _say_option(given: str) -> str:
    """How to give what stands in the wrong place: a measure, or else the kind of a figure."""
    try:
        find_measure(given)
    except MeasureError:
        return f"a figure is named by kind='{given}'"
    return f"a measure is named by measure='{given}'"


def _plot_scores(source: Source, runs: Any, measure: MeasureName, kind: str | None) -> Figure:
    if kind not in (None, KIND):
        of = "a matrix" if isinstance(source, FirstRanks | ScoreTable) else "scores"
        raise InputError(f"kind: found '{kind}'; expected {KIND}, the figure of {of}; others are drawn of results.")
    return draw_tables([to_score_table(source, runs, measure)])

"""What a figure holds, for tests to look at."""

from __future__ import annotations

from typing import Any

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.marks import AnyMark, TextMark


def marks_of[M: AnyMark](figure: Figure, kind: type[M]) -> list[M]:
    """The marks of a drawing that are of one kind."""
    return [mark for mark in figure.drawing.marks if isinstance(mark, kind)]


def told_by[M: AnyMark](figure: Figure, kind: type[M]) -> list[M]:
    """Those of them that tell something."""
    return [mark for mark in marks_of(figure, kind) if mark.facts]


def facts_of(figure: Figure) -> list[dict[str, Any]]:
    """What the marks of a drawing tell."""
    return figure.rows


def words_of(figure: Figure) -> list[str]:
    """Everything written in a drawing, its axes included."""
    return [mark.text for mark in marks_of(figure, TextMark)]


def legend_of(figure: Figure) -> dict[str, str]:
    """What is explained: words and their colours."""
    return {entry.words: entry.fill for legend in figure.drawing.legends for entry in legend.entries}


def figure_with(drawing: Drawing) -> Figure:
    return Figure(kind="dots", title="Dots", finding="So it is.", caption="Look.", drawing=drawing)

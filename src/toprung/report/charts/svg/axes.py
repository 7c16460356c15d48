"""How is an axis drawn? Hairlines or ticks at round values, with the labels that have room, and a title."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.marks import Align
from toprung.report.charts.svg.scales import AxisScale, Tick
from toprung.report.charts.svg.text_width import text_width, wrap
from toprung.report.charts.tokens import INK_3, RULE, RULE_2

TICK, LABEL_GAP, LINE = 5, 6, 15
"""Points: a tick, the space between labels and what they are of, a line of text."""
LEAST_TITLE = 200
"""Points that a line of a title may take, however narrow the plot is."""
APART = 8
"""Points between two labels."""


class Edges(NamedTuple):
    """Where labels may begin and end."""

    left: float
    right: float


ANYWHERE = Edges(-math.inf, math.inf)

type TitleAt = Literal["start", "middle", "end"]


def draw_x_axis(
    drawing: Drawing,
    scale: AxisScale,
    ticks: Sequence[Tick],
    *,
    title: str = "",
    title_at: TitleAt = "start",
    has_grid: bool = False,
) -> None:
    """Below the plot: its line, ticks and labels, then the title."""
    bottom = drawing.height
    if has_grid:
        _draw_grid(drawing, scale, ticks)
    drawing.rule((0, bottom), (drawing.width, bottom), stroke=RULE_2)
    for tick in ticks:
        x = scale(tick.value)
        drawing.rule((x, bottom), (x, bottom + TICK), stroke=RULE_2)
    middle = bottom + TICK + LABEL_GAP + SMALL / 2
    _draw_labels(drawing, scale, ticks, middle)
    _draw_title(drawing, title, title_at, middle + (LINE if ticks else 0))


def draw_top_axis(
    drawing: Drawing, scale: AxisScale, ticks: Sequence[Tick], *, title: str = "", has_grid: bool = True
) -> None:
    """Above the plot: labels, and hairlines down from them."""
    if has_grid:
        _draw_grid(drawing, scale, ticks)
    _draw_labels(drawing, scale, ticks, -LABEL_GAP - SMALL / 2)
    _draw_title(drawing, title, "start", -LABEL_GAP - SMALL / 2 - LINE - 2)


def draw_y_axis(
    drawing: Drawing,
    scale: AxisScale,
    ticks: Sequence[Tick],
    *,
    title: str = "",
    title_x: float = 0,
    title_up: float = 8,
) -> None:
    """At the left: hairlines across the plot and their labels; the title lies above, to be read without turning."""
    for tick in ticks:
        y = scale(tick.value)
        drawing.rule((0, y), (drawing.width, y), stroke=RULE)
        drawing.text(tick.label, -LABEL_GAP, y, align="right", colour=INK_3)
    for number, line in enumerate(reversed(_lines(drawing, title))):
        drawing.text(line, title_x, -title_up - SMALL / 2 - LINE * number, colour=INK_3)


def _draw_grid(drawing: Drawing, scale: AxisScale, ticks: Sequence[Tick]) -> None:
    for tick in ticks:
        x = scale(tick.value)
        drawing.rule((x, 0), (x, drawing.height), stroke=RULE)


def _draw_labels(drawing: Drawing, scale: AxisScale, ticks: Sequence[Tick], middle: float) -> None:
    edges = Edges(0, drawing.width) if drawing.setting.is_narrow else ANYWHERE
    for tick, x in with_room(scale, ticks, edges):
        drawing.text(tick.label, x, middle, align="center", colour=INK_3)


def with_room(scale: AxisScale, ticks: Sequence[Tick], edges: Edges = ANYWHERE) -> Iterator[tuple[Tick, float]]:
    """Those whose labels stand apart, from the first on, each with its middle; none goes beyond the edges."""
    free_from = -math.inf
    for tick in ticks:
        half = text_width(tick.label, SMALL) / 2
        x = max(min(scale(tick.value), edges.right - half), edges.left + half)
        if x - half >= free_from:
            free_from = x + half + APART
            yield tick, x


def _draw_title(drawing: Drawing, title: str, at: TitleAt, middle: float) -> None:
    aligns: dict[TitleAt, tuple[float, Align]] = {
        "start": (0, "left"),
        "middle": (drawing.width / 2, "center"),
        "end": (drawing.width, "right"),
    }
    x, align = aligns[at]
    for number, line in enumerate(_lines(drawing, title)):
        drawing.text(line, x, middle + LINE * number, align=align, colour=INK_3)


def _lines(drawing: Drawing, title: str) -> list[str]:
    """The title in lines as wide as the plot."""
    return wrap(title, max(drawing.width, LEAST_TITLE), SMALL) if title else []

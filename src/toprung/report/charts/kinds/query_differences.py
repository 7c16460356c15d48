"""By how much do two runs differ on each query? One bar a query, from the largest win to the largest loss."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toprung.analyses.queries.find import QueryDifferences
from toprung.analyses.queries.rows import QueryRow
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.axes import draw_x_axis, draw_y_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.scales import AxisScale, step_for
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import BETTER, CONTROL, ONLY_OTHER, ONLY_THIS, OTHER_INK, SAME, WORSE
from toprung.words.visible import in_one_line
from toprung.words.wording import fit, say_queries, show_number

WIDTH, HEIGHT = 720, 240
NAME_LENGTH = 24
LABELS_WIDTH = 48
MOST_BARS = 720
"""A point of the page for each; neighbours share a bar, of their mean, where there are more queries."""


def draw(result: QueryDifferences, setting: ChartSetting = PLAIN) -> Figure | None:
    """None where the runs score the same on every query."""
    if not result.parts.measure.differing:
        return None
    ordered = sorted(result.rows, key=_place)
    at_once = -(-len(ordered) // int(setting.fit(MOST_BARS, LABELS_WIDTH)))
    return Figure(
        kind="query-differences",
        title="Query by query",
        finding=_say_finding(result),
        caption=_say_how_to_read(result, at_once),
        drawing=_draw_bars(result, list(_bars(ordered, at_once)), setting),
    )


def _place(row: QueryRow) -> tuple[float, int, str]:
    """By difference; of equal ones those that only one run found stand outwards."""
    return -round(row.difference, 12), {"b": 0, "a": 2}.get(row.found_by or "", 1), row.query_id


def _say_finding(result: QueryDifferences) -> str:
    counts = result.counts
    return (
        f"{result.b} does better on {counts.wins:,} of {say_queries(counts.queries)}, {result.a} on "
        f"{counts.losses:,}; on {counts.ties:,} they score the same. {say_queries(result.half)} make half of all "
        "differences."
    )


def _say_how_to_read(result: QueryDifferences, at_once: int) -> str:
    bar = "Each bar is a query" if at_once == 1 else f"Each bar is the mean of {at_once} neighbouring queries"
    counts = result.counts
    is_one_sided = at_once == 1 and bool(counts.only_a or counts.only_b)
    strong = " Strong: only that run found a relevant document, as far as the measure looks." if is_one_sided else ""
    return f"{bar}, from the largest gain of {result.b} to the largest of {result.a}, in {result.measure}.{strong}"


class DifferenceBar(NamedTuple):
    """One query, or the mean of neighbours."""

    start: int
    end: int
    difference: float
    query: str
    is_one: bool
    colour: str


def _draw_bars(result: QueryDifferences, bars: Sequence[DifferenceBar], setting: ChartSetting) -> Drawing:
    drawing = Drawing(width=setting.fit(WIDTH, LABELS_WIDTH), height=HEIGHT, setting=setting)
    x = AxisScale(low=0, high=bars[-1].end, start=0, end=drawing.width)
    lowest, highest = (of([0.0, *(bar.difference for bar in bars)]) for of in (min, max))
    step = step_for(highest - lowest, 8)
    y = AxisScale(low=step * math.floor(lowest / step), high=step * math.ceil(highest / step), start=HEIGHT, end=0)
    draw_y_axis(drawing, y, y.ticks(8), title=f"difference in {result.measure}", title_x=-40, title_up=28)
    draw_x_axis(drawing, x, x.ticks(8), title="queries")
    for bar in bars:
        top, bottom = sorted((y(0), y(bar.difference)))
        facts = {"query": bar.query, "difference": show_number(bar.difference, 4, signed=True)}
        of = Subject("query", bar.query) if bar.is_one else None
        drawing.rect(x(bar.start), top, x(bar.end), bottom, fill=bar.colour, facts=facts, of=of)
    drawing.rule((0, y(0)), (drawing.width, y(0)), stroke=CONTROL)
    _draw_heads(drawing, result)
    return drawing


def _draw_heads(drawing: Drawing, result: QueryDifferences) -> None:
    a, b = (fit(in_one_line(drawing.setting.name_of(run)), NAME_LENGTH) for run in (result.a, result.b))
    left, right = f"◄ {b} does better: {result.counts.wins:,}", f"{a} does better: {result.counts.losses:,} ►"
    has_room = text_width(left, bold=True) + text_width(right, bold=True) + 12 <= drawing.width
    drawing.text(left, 0, -14 if has_room else -54, size=12, bold=True, colour=ONLY_THIS)
    drawing.text(right, drawing.width, -14, align="right", size=12, bold=True, colour=OTHER_INK)


def _bars(ordered: Sequence[QueryRow], at_once: int) -> Iterator[DifferenceBar]:
    for start in range(0, len(ordered), at_once):
        group = ordered[start : start + at_once]
        difference = sum(row.difference for row in group) / len(group)
        is_one = at_once == 1
        yield DifferenceBar(
            start=start,
            end=start + len(group),
            difference=difference,
            query=group[0].query_id if is_one else say_queries(len(group)),
            is_one=is_one,
            colour=_colour(group[0]) if is_one else _plain_colour(difference),
        )


def _colour(row: QueryRow) -> str:
    """Strong where only the run that does better finds a relevant document."""
    if row.difference > 0 and row.found_by == "b":
        return ONLY_THIS
    if row.difference < 0 and row.found_by == "a":
        return ONLY_OTHER
    return _plain_colour(row.difference)


def _plain_colour(difference: float) -> str:
    if difference > 0:
        return BETTER
    return WORSE if difference < 0 else SAME

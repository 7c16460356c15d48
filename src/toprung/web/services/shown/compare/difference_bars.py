"""By how much do two runs differ on each query? One bar a query, from the largest win of B to the largest of A."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.axes import draw_y_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.scales import LEAST_SPAN, AxisScale
from toprung.report.charts.svg.setting import PHONE, Address, ChartSetting, Subject
from toprung.report.charts.tokens import CONTROL, INK, INK_3, ONLY_OTHER, ONLY_THIS
from toprung.words.wording import say_queries, show_interval, show_number

WIDTH, HEIGHT, NARROW_HEIGHT = 1100, 230, 190
MARGIN = 48
"""Points that the labels at the left take of a narrow drawing."""
GAP = 0.08
"""Of a bar's width, between two of them."""


def draw_differences(
    content: Mapping[str, Any], names: tuple[str, str], *, page: str = "", is_narrow: bool = False
) -> Figure:
    """``content``: of a stored comparison; ``names``: of B and of A; ``page``: whose rows the bars lead to."""
    bars, measure, (b, a) = content["bars"], content["measure"], names
    sides = count_sides(content)
    drawing = _draw(content, ChartSetting(address_of=_rows_of(page), width=PHONE if is_narrow else None))
    is_single = all(each["n"] == 1 for each in bars)
    bar = "Each bar is a query" if is_single else "Each bar is the mean of neighbouring queries"
    n = say_queries(sum(each["n"] for each in bars))
    return Figure(
        kind="query-differences",
        title="Query by query",
        finding=f"{b} scores higher on {sides[0]:,} of {n}, {a} on {sides[1]:,}.",
        caption=f"{bar}, by {b} less {a} in {measure}. Dashed: the mean; band: its 95% interval.",
        drawing=drawing,
    )


def count_sides(content: Mapping[str, Any]) -> tuple[int, int]:
    """On how many queries each run scores higher; bars of several queries count by their mean."""
    gaps = [(each["b"] - each["a"], each["n"]) for each in content["bars"]]
    return sum(n for gap, n in gaps if gap > 0), sum(n for gap, n in gaps if gap < 0)


def _rows_of(page: str) -> Callable[[Subject], Address | None]:
    def to_row(subject: Subject) -> Address | None:
        return Address(f"{page}#query-{subject.key}", row=f"query-{subject.key}") if page else None

    return to_row


def _draw(content: Mapping[str, Any], setting: ChartSetting) -> Drawing:
    bars = content["bars"]
    width = PHONE - MARGIN if setting.is_narrow else WIDTH
    drawing = Drawing(width=width, height=NARROW_HEIGHT if setting.is_narrow else HEIGHT, setting=setting)
    gaps = [each["b"] - each["a"] for each in bars]
    largest = max(map(abs, gaps), default=0)
    reach = largest if largest > LEAST_SPAN else 1.0
    y = AxisScale(low=min(0.0, *gaps) - 0.1 * reach, high=max(0.0, *gaps) + 0.1 * reach, start=drawing.height, end=0)
    draw_y_axis(drawing, y, y.ticks(4))
    _draw_band(drawing, content, y)
    step = width / len(bars)
    for number, (each, gap) in enumerate(zip(bars, gaps, strict=True)):
        drawing.rect(
            (number + GAP / 2) * step,
            y(max(gap, 0)),
            (number + 1 - GAP / 2) * step,
            y(min(gap, 0)),
            fill=ONLY_THIS if gap > 0 else ONLY_OTHER,
            facts=_facts_of(each, gap, content["decimals"]),
            of=Subject("query", str(number + 1)) if each["query"] else None,
        )
    drawing.rule((0, y(0)), (width, y(0)), stroke=CONTROL)
    _draw_mean(drawing, content, y)
    return drawing


def list_queries(content: Mapping[str, Any]) -> list[dict[str, str]]:
    """The same as rows of a table, in words."""
    return [
        {
            "query": each["query"] or say_queries(each["n"]),
            "b": show_number(each["b"], content["decimals"]),
            "a": show_number(each["a"], content["decimals"]),
            "difference": show_number(each["b"] - each["a"], content["decimals"], signed=True),
        }
        for each in content["bars"]
    ]


def _facts_of(bar: Mapping[str, Any], gap: float, decimals: int) -> dict[str, object]:
    return {
        "query": f"query {bar['query']}" if bar["query"] else f"mean of {say_queries(bar['n'])}",
        "B": show_number(bar["b"], decimals),
        "A": show_number(bar["a"], decimals),
        "difference": show_number(gap, decimals, signed=True),
    }


def _official(content: Mapping[str, Any]) -> Mapping[str, Any]:
    row: Mapping[str, Any] = content["evidence"][0]
    return row


def _draw_band(drawing: Drawing, content: Mapping[str, Any], y: AxisScale) -> None:
    _, low, high = _official(content)["drawn"]
    if low is not None and high is not None:
        drawing.rect(0, y(high), drawing.width, y(low), fill=INK, opacity=0.08)


def _draw_mean(drawing: Drawing, content: Mapping[str, Any], y: AxisScale) -> None:
    mean, low, high = _official(content)["drawn"]
    if mean is None:
        return
    drawing.rule((0, y(mean)), (drawing.width, y(mean)), stroke=INK, width=1.5, dash="4 3")
    decimals = content["decimals"]
    said = f"mean {show_number(mean, decimals, signed=True)}"
    said += "" if low is None else f" ({show_interval(low, high, decimals)})"
    drawing.text(said, drawing.width, drawing.height + 12, align="right", colour=INK_3, bold=True)

"""By how much do two runs differ on each query? One bar a query, from the largest win to the largest loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt

from toprung.analyses.queries.find import QueryDifferences
from toprung.analyses.queries.rows import QueryRow
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.side_texts import heading
from toprung.report.charts.tokens import BETTER, CONTROL, ONLY_OTHER, ONLY_THIS, OTHER_INK, SAME, WORSE
from toprung.words.visible import in_one_line
from toprung.words.wording import fit, say_queries, show_number

WIDTH, HEIGHT = 720, 240
NAME_LENGTH = 24
MOST_BARS = 720
"""A point of the page for each; neighbours share a bar, of their mean, where there are more queries."""


def draw(result: QueryDifferences) -> Figure | None:
    """None where the runs score the same on every query."""
    if not result.parts.measure.differing:
        return None
    ordered = sorted(result.rows, key=_place)
    at_once = -(-len(ordered) // MOST_BARS)
    return Figure(
        kind="query-differences",
        title="Query by query",
        finding=_say_finding(result),
        caption=_say_how_to_read(result, at_once),
        chart=_bars(result, ordered, at_once),
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


def _bars(result: QueryDifferences, ordered: Sequence[QueryRow], at_once: int) -> alt.LayerChart:
    axis = alt.Axis(title="queries", format="d", tickCount=8)
    x = alt.X("place:Q", scale=alt.Scale(domain=[0, len(ordered)], nice=False), axis=axis)
    title = f"difference in {result.measure}"
    bars = (
        alt.Chart(values(_rows(ordered, at_once)))
        .mark_bar(aria=False)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=alt.Y("difference:Q", axis=alt.Axis(title=title)),
            y2=alt.Y2("zero:Q"),
            color=alt.Color("color:N", scale=None),
            tooltip=[alt.Tooltip("query:N"), alt.Tooltip("said:N", title="difference")],
        )
    )
    line = alt.Chart(values([{"zero": 0}])).mark_rule(color=CONTROL, aria=False).encode(y=alt.Y("zero:Q"))
    a, b = (fit(in_one_line(run), NAME_LENGTH) for run in (result.a, result.b))
    counts = result.counts
    heads = (
        _head(f"◀ {b} does better: {counts.wins:,}", x=0, align="left", color=ONLY_THIS),
        _head(f"{a} does better: {counts.losses:,} ▶", x=WIDTH, align="right", color=OTHER_INK),
    )
    return alt.LayerChart(layer=[bars, line, *heads]).properties(width=WIDTH, height=HEIGHT)


def _rows(ordered: Sequence[QueryRow], at_once: int) -> Iterator[dict[str, Any]]:
    for start in range(0, len(ordered), at_once):
        group = ordered[start : start + at_once]
        difference = sum(row.difference for row in group) / len(group)
        yield {
            "place": start,
            "end": start + len(group),
            "difference": difference,
            "zero": 0,
            "query": group[0].query_id if at_once == 1 else say_queries(len(group)),
            "said": show_number(difference, 4, signed=True),
            "color": _colour(group[0]) if at_once == 1 else _plain_colour(difference),
        }


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


def _head(text: str, *, x: float, align: str, color: str) -> alt.Chart:
    return heading(text, x=x, above=8, align=align, color=color, fontSize=12, fontWeight="bold")

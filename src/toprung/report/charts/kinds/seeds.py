"""How good is a system over its seeds? A dot for every seed, and the mean with its interval: one row a system."""

from __future__ import annotations

from collections.abc import Iterator

import altair as alt

from toprung.analyses.seeds.find import SeedSpread
from toprung.analyses.seeds.systems import SystemSeeds
from toprung.report.charts.data import fixed, values
from toprung.report.charts.figure import Figure
from toprung.report.charts.side_texts import column, down, edge_column, heading
from toprung.report.charts.tokens import INK, INK_2, INK_3, MARK, RULE
from toprung.words.wording import fit, say_count, say_queries, show_confidence, show_interval, show_number

WIDTH, ROW_HEIGHT = 480, 34
NAME_LENGTH = 26
MARGIN = 0.06
ABOVE, BELOW = 7, 6
"""Points from the middle of a row up to the seeds, and down to their mean."""


def draw(result: SeedSpread) -> Figure | None:
    """One row a system, the best mean first; None where every system has one seed."""
    if not any(each.has_spread for each in result.systems):
        return None
    sure = show_confidence(1 - result.alpha)
    alone = "" if all(each.has_spread for each in result.systems) else "One seed alone has no interval. "
    return Figure(
        kind="seeds",
        title="Seeds of one system",
        finding=result.sentence,
        caption=(
            f"Dots: the {result.measure} of single seeds. Tick and bar: their mean with its {sure} interval, on these "
            f"{say_queries(result.n_queries)}. {alone}Whether bars overlap is "
            "not the test: systems are compared over seeds and queries."
        ),
        chart=_chart(result),
    )


def _chart(result: SeedSpread) -> alt.LayerChart:
    height = ROW_HEIGHT * len(result.systems)
    middles = [ROW_HEIGHT * (place + 0.5) for place in range(len(result.systems))]
    rows = list(zip(result.systems, middles, strict=True))
    x = _score_axis(result)
    layers = [
        _hairlines(middles[1:]),
        *_bars(rows, x),
        _ticks(rows, x),
        _dots(rows, x, result.measure),
        *edge_column(((fit(each.system, NAME_LENGTH), middle) for each, middle in rows), x=-12, color=INK, fontSize=12),
        column(((_say_mean(each), middle) for each, middle in rows), x=WIDTH + 14, align="left"),
        column(((say_count(each.mean.n_seeds, "seed"), middle) for each, middle in rows), x=WIDTH + 230, color=INK_3),
        heading(f"mean ({show_confidence(1 - result.alpha)})", x=WIDTH + 14, above=8, align="left"),
    ]
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=height)


def _score_axis(result: SeedSpread) -> alt.X:
    ends = [end for each in result.systems for end in (*each.scores, *_interval(each))]
    margin = MARGIN * (max(ends) - min(ends)) or 0.05
    title = result.measure if result.higher_is_better else f"{result.measure} (less is better)"
    axis = alt.Axis(title=title, titleAnchor="end", grid=True, tickCount=6)
    scale = alt.Scale(domain=[min(ends) - margin, max(ends) + margin], nice=False, zero=False)
    return alt.X("score:Q", scale=scale, axis=axis)


def _interval(each: SystemSeeds) -> tuple[float, ...]:
    return (each.mean.low, each.mean.high) if each.has_spread else ()


def _hairlines(middles: list[float]) -> alt.Chart:
    """Between the rows."""
    edges = ({"down": middle - ROW_HEIGHT / 2} for middle in middles)
    rule = alt.Chart(values(edges)).mark_rule(color=RULE, aria=False)
    return rule.encode(x=fixed(alt.XValue, 0), x2=fixed(alt.X2Value, WIDTH), y=down("down"))


def _bars(rows: list[tuple[SystemSeeds, float]], x: alt.X) -> Iterator[alt.Chart]:
    drawn = [
        {"score": each.mean.low, "high": each.mean.high, "down": middle + BELOW}
        for each, middle in rows
        if each.has_spread
    ]
    if drawn:
        bar = alt.Chart(values(drawn)).mark_rule(color=INK_2, strokeWidth=7, opacity=0.22, aria=False)
        yield bar.encode(x=x, x2=alt.X2("high:Q"), y=down("down"))


def _ticks(rows: list[tuple[SystemSeeds, float]], x: alt.X) -> alt.Chart:
    drawn = (
        {"score": each.mean.estimate, "down": middle + BELOW - 6, "below": middle + BELOW + 6, "system": each.system,
         "mean": _say_mean(each)}
        for each, middle in rows
    )  # fmt: skip
    tick = alt.Chart(values(drawn)).mark_rule(color=INK, strokeWidth=2.25, aria=False)
    return tick.encode(
        x=x, y=down("down"), y2=alt.Y2("below:Q"), tooltip=[alt.Tooltip("system:N"), alt.Tooltip("mean:N")]
    )


def _dots(rows: list[tuple[SystemSeeds, float]], x: alt.X, measure: str) -> alt.Chart:
    drawn = (
        {"score": score, "down": middle - ABOVE, "run": run, "shown": show_number(score, 4)}
        for each, middle in rows
        for run, score in zip(each.runs, each.scores, strict=True)
    )
    dot = alt.Chart(values(drawn)).mark_point(filled=True, color=MARK, size=42, opacity=0.7, aria=False)
    return dot.encode(x=x, y=down("down"), tooltip=[alt.Tooltip("run:N"), alt.Tooltip("shown:N", title=measure)])


def _say_mean(each: SystemSeeds) -> str:
    mean = show_number(each.mean.estimate, 4)
    return f"{mean} ({show_interval(each.mean.low, each.mean.high, 4)})" if each.has_spread else f"{mean}, no interval"

"""What do people's labels say, and what becomes of it with a model's? One row a run: three estimates.

The model alone has a mark and no line: how sure its mean is says nothing of how far it is off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import altair as alt

from toprung.analyses.estimate.result import Estimate
from toprung.analyses.estimate.rows import EstimateRow
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import text_width
from toprung.report.charts.side_texts import column, down, heading
from toprung.report.charts.tokens import INK, INK_2, INK_3, MARK, PAPER, TAG, TOP
from toprung.stats.intervals.bootstrap import Effect
from toprung.words.visible import in_one_line
from toprung.words.wording import fit, show_confidence, show_interval, show_number

WIDTH, ROW = 560, 30
APART = 5
"""Points between the two lines of a run."""
NAME_LENGTH = 32
type EffectOf = Callable[[EstimateRow], Effect]
CORRECTED, PEOPLE, MODEL = "corrected", "people alone", "model alone"
SHAPES = {CORRECTED: "circle", PEOPLE: "circle", MODEL: "diamond"}
FILLS = {CORRECTED: INK_2, PEOPLE: PAPER, MODEL: TAG}
STROKES = {CORRECTED: INK_2, PEOPLE: INK_3, MODEL: TAG}


def draw(result: Estimate) -> Figure:
    level = show_confidence(1 - result.alpha)
    return Figure(
        kind="estimate",
        title="Scores by people, by a model, and corrected",
        finding=result.sentence,
        caption=(
            f"Dot and thick line: mean {result.measure} and its {level} interval, the model's labels of "
            f"{result.n_queries:,} queries corrected by people's of {result.n_human:,}. Ring and thin line: people's "
            "labels alone. Diamond: the model's labels alone, bias included. Coloured names: the runs that may be "
            "best, all compared at once."
        ),
        chart=_chart(result),
    )


def _chart(result: Estimate) -> alt.LayerChart:
    low, high = _ends_of_axis(result)
    axis = alt.Axis(title=None, orient="top", grid=True, domain=False, ticks=False, tickCount=6)
    x = alt.X("score:Q", scale=alt.Scale(domain=[low, high], nice=False, zero=False), axis=axis)
    layers = [
        _lines(result, lambda row: row.people, shift=APART / 2, strokeWidth=1.2, color=MARK).encode(x=x),
        _lines(result, lambda row: row.corrected, shift=-APART / 2, strokeWidth=2.8, color=INK_2).encode(x=x),
        _marks(result, x),
        *_texts(result),
    ]
    height = ROW * len(result.rows)
    return alt.LayerChart(layer=layers).resolve_scale(y="independent").properties(width=WIDTH, height=height)


def _ends_of_axis(result: Estimate) -> tuple[float, float]:
    ends = [
        end
        for row in result.rows
        for end in (row.people.low, row.people.high, row.corrected.low, row.corrected.high, row.model)
    ]
    margin = 0.04 * (max(ends) - min(ends)) or 0.1
    return min(ends) - margin, max(ends) + margin


def _middles(result: Estimate) -> Iterator[tuple[EstimateRow, float]]:
    for number, row in enumerate(result.rows):
        yield row, ROW * (number + 0.5)


def _lines(result: Estimate, of: EffectOf, *, shift: float, **look: Any) -> alt.Chart:
    rows = ({"score": of(row).low, "high": of(row).high, "down": middle + shift} for row, middle in _middles(result))
    rule = alt.Chart(values(rows)).mark_rule(aria=False, **look)
    return rule.encode(x2=alt.X2("high:Q"), y=down("down"))


def _marks(result: Estimate, x: alt.X) -> alt.Chart:
    rows = (
        {"score": score, "down": middle + shift, "kind": kind, "run": row.run, "shown": shown}
        for row, middle in _middles(result)
        for kind, score, shift, shown in (
            (PEOPLE, row.people.estimate, APART / 2, _show(row.people)),
            (MODEL, row.model, 0.0, show_number(row.model, 4)),
            (CORRECTED, row.corrected.estimate, -APART / 2, _show(row.corrected)),
        )
    )

    def scale(looks: dict[str, str]) -> alt.Scale:
        return alt.Scale(type="ordinal", domain=list(looks), range=list(looks.values()))

    return (
        alt.Chart(values(rows))
        .mark_point(filled=True, strokeWidth=1.4, size=55, aria=False)
        .encode(
            x=x,
            y=down("down"),
            shape=alt.Shape("kind:N", scale=scale(SHAPES)),
            fill=alt.Fill("kind:N", scale=scale(FILLS)),
            stroke=alt.Stroke("kind:N", scale=scale(STROKES)),
            tooltip=[alt.Tooltip("run:N"), alt.Tooltip("kind:N"), alt.Tooltip("shown:N", title=result.measure)],
        )
    )


def _texts(result: Estimate) -> Iterator[alt.Chart]:
    """Names at the left; corrected scores with their intervals at the right."""
    rows = list(_middles(result))
    names_at = -max(text_width(_name_of(row)) for row, _ in rows) - 12
    for is_best, look in ((True, {"color": TOP, "fontWeight": "bold"}), (False, {"color": INK})):
        named = [(_name_of(row), middle) for row, middle in rows if row.top_group is is_best]
        if named:
            yield column(named, x=names_at, align="left", **look)
    yield column([(_show(row.corrected), middle) for row, middle in rows], x=WIDTH + 20, align="left")
    yield heading(f"{result.measure}, corrected", x=WIDTH + 20, above=11, align="left")


def _name_of(row: EstimateRow) -> str:
    return fit(in_one_line(row.run), NAME_LENGTH)


def _show(effect: Effect) -> str:
    return f"{show_number(effect.estimate, 4)} ({show_interval(effect.low, effect.high, 4)})"

"""Which runs are worth their cost? Score against cost, the front as a staircase, and what the queries do not show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import altair as alt

from toprung.analyses.frontier.find import Frontier
from toprung.analyses.frontier.rows import FrontierRow, Worth
from toprung.analyses.frontier.words import WORDS, say_shown, show_cost
from toprung.report.charts.cost_axes import HEIGHT, WIDTH, CostAxes
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import Box
from toprung.report.charts.tokens import INK_3, MARK, PAPER, TOP
from toprung.words.wording import fit, show_confidence, show_interval, show_number

NAME_LENGTH = 26
MOST_NAMED_OFF_FRONT = 12
MOST_NAMED_SURELY = 8
"""Runs on the front for whose names there is room as a rule."""
BAR = 6
"""Points: wide enough to be seen beside the line that runs through it."""
MOST_INTERVALS = 40
"""Runs up to which each has its interval drawn; beyond, those of the front."""


class FrontierMarkStyle(NamedTuple):
    """How the marks of one kind are drawn."""

    fill: str
    stroke: str
    size: int

    @property
    def reach(self) -> float:
        return self.size**0.5 / 2 + 1


ON_FRONT, OPEN_ON_FRONT, OPEN, DOMINATED = range(4)
KIND_OF = {
    Worth.CHEAPEST: ON_FRONT,
    Worth.SHOWN: ON_FRONT,
    Worth.NOT_SHOWN: OPEN_ON_FRONT,
    Worth.UNDECIDED: OPEN,
    Worth.DOMINATED: DOMINATED,
}
STYLES = {
    ON_FRONT: FrontierMarkStyle(TOP, TOP, 110),
    OPEN_ON_FRONT: FrontierMarkStyle(PAPER, TOP, 110),
    OPEN: FrontierMarkStyle(PAPER, MARK, 60),
    DOMINATED: FrontierMarkStyle(MARK, MARK, 60),
}


def draw(result: Frontier) -> Figure:
    """Every run by its cost and its score."""
    return Figure(
        kind="cost",
        title=f"Score against {result.by}",
        finding=result.sentence,
        caption=_say_how_to_read(result),
        chart=_chart(result),
    )


def _say_how_to_read(result: Frontier) -> str:
    words = WORDS[result.by]
    best = "highest" if result.higher_is_better else "lowest"
    names = " Where a name has no room, the table has it." if len(result.front) > MOST_NAMED_SURELY else ""
    which = " on the front" if len(result.rows) > MOST_INTERVALS else ""
    return (
        f"Line: the {best} {result.measure} to be had at each {result.by}. Filled marks show beyond chance what they "
        f"stand for; hollow ones cannot be told apart from a run that {words.no_more}. Bars are the "
        f"{show_confidence(1 - result.alpha)} intervals of the scores{which}; whether two overlap does not decide."
        f"{names}"
    )


def _chart(result: Frontier) -> alt.LayerChart:
    shown = result.rows if len(result.rows) <= MOST_INTERVALS else result.front
    with_interval = [row for row in shown if not math.isnan(row.score.low)]
    bounds = [bound for row in with_interval for bound in (row.score.low, row.score.high)]
    axes = CostAxes.around(
        [row.cost for row in result.rows],
        [*(row.score.estimate for row in result.rows), *bounds],
        cost_title=WORDS[result.by].axis,
        score_title=result.measure if result.higher_is_better else f"{result.measure} (less is better)",
    )
    steps = list(dict.fromkeys((row.cost, row.score.estimate) for row in result.front))
    layers = [
        _intervals(axes, with_interval),
        axes.staircase(steps, color=TOP, strokeWidth=2),
        _marks(result, axes),
        *axes.labels(
            list(_names(result)),
            marks=[_mark_box(axes, row) for row in result.rows],
            taken=[*axes.stair_boxes(steps), *(_bar_box(axes, row) for row in with_interval)],
        ),
    ]
    return alt.LayerChart(layer=layers).properties(width=WIDTH, height=HEIGHT)


def _intervals(axes: CostAxes, rows: Sequence[FrontierRow]) -> alt.Chart:
    drawn = (
        {"cost": row.cost, "score": row.score.low, "high": row.score.high, "colour": STYLES[KIND_OF[row.worth]].stroke}
        for row in rows
    )
    rule = alt.Chart(values(drawn)).mark_rule(strokeWidth=BAR, opacity=0.22, aria=False)
    return rule.encode(x=axes.x, y=axes.y, y2=alt.Y2("high:Q"), color=alt.Color("colour:N", scale=None, legend=None))


def _kind_names(result: Frontier) -> dict[int, str]:
    less = WORDS[result.by].less
    return {
        ON_FRONT: f"on the front, does better than every {less} run",
        OPEN_ON_FRONT: f"on the front, cannot be told apart from a {less} run",
        OPEN: "off the front, cannot be told apart",
        DOMINATED: "dominated beyond chance",
    }


def _marks(result: Frontier, axes: CostAxes) -> alt.Chart:
    names = _kind_names(result)
    kinds = sorted({KIND_OF[row.worth] for row in result.rows})

    def scale(channel: str) -> alt.Scale:
        drawn = [getattr(STYLES[kind], channel) for kind in kinds]
        return alt.Scale(type="ordinal", domain=[names[kind] for kind in kinds], range=drawn)

    rows = sorted(result.rows, key=lambda row: -KIND_OF[row.worth])  # the front is drawn last, on top
    legend = alt.Legend(columns=2, labelLimit=400)
    return (
        alt.Chart(values(_mark_row(result, row, names) for row in rows))
        .mark_point(filled=True, strokeWidth=1.75, aria=False)
        .encode(
            x=axes.x,
            y=axes.y,
            fill=alt.Fill("kind:N", scale=scale("fill"), legend=legend),
            stroke=alt.Stroke("kind:N", scale=scale("stroke"), legend=legend),
            size=alt.Size("kind:N", scale=scale("size"), legend=legend),
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("shown_cost:N", title=result.by),
                alt.Tooltip("shown_score:N", title=result.measure),
                alt.Tooltip("against:N"),
                alt.Tooltip("shows:N", title="what it shows"),
            ],
        )
    )


def _mark_row(result: Frontier, row: FrontierRow, names: dict[int, str]) -> dict[str, object]:
    interval = show_interval(row.score.low, row.score.high, 4)
    return {
        "run": row.run,
        "cost": row.cost,
        "score": row.score.estimate,
        "kind": names[KIND_OF[row.worth]],
        "shown_cost": show_cost(row.cost),
        "shown_score": f"{show_number(row.score.estimate, 4)} ({interval})",
        "against": _say_against(row),
        "shows": say_shown(row, result.by),
    }


def _say_against(row: FrontierRow) -> str:
    if row.rival is None or row.delta is None:
        return ""
    difference = show_number(row.delta.estimate, 4, signed=True)
    return f"{row.rival}: {difference} ({show_interval(row.delta.low, row.delta.high, 4)})"


def _names(result: Frontier) -> Iterator[dict[str, object]]:
    """The run with the best score first, then the front from the cheapest on; the others where they are few."""
    *lower, best = result.front
    off_front = [row for row in result.rows if not row.worth.is_on_front]
    for row in (best, *lower, *(off_front if len(off_front) <= MOST_NAMED_OFF_FRONT else ())):
        on_front = row.worth.is_on_front
        yield {
            "cost": row.cost,
            "score": row.score.estimate,
            "name": fit(row.run, NAME_LENGTH),
            "reach": STYLES[KIND_OF[row.worth]].reach,
            "colour": TOP if on_front else INK_3,
            "weight": "bold" if on_front else "normal",
        }


def _mark_box(axes: CostAxes, row: FrontierRow) -> Box:
    return Box.around(*axes.to_points(row.cost, row.score.estimate), STYLES[KIND_OF[row.worth]].reach)


def _bar_box(axes: CostAxes, row: FrontierRow) -> Box:
    return Box.between(axes.to_points(row.cost, row.score.low), axes.to_points(row.cost, row.score.high))

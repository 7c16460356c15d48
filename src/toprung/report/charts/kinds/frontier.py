"""Which runs are worth their cost? Score against cost, the front as a staircase, and what the queries do not show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from toprung.analyses.frontier.find import Frontier
from toprung.analyses.frontier.rows import FrontierRow, Worth
from toprung.analyses.frontier.words import WORDS, say_shown, show_cost
from toprung.report.charts.cost_axes import CostAxes, CostLabel
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.label_placement import Box
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
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
        return math.sqrt(self.size) / 2 + 1


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


def draw(result: Frontier, setting: ChartSetting = PLAIN) -> Figure:
    """Every run by its cost and its score."""
    return Figure(
        kind="cost",
        title=f"Score against {result.by}",
        finding=result.sentence,
        caption=_say_how_to_read(result),
        drawing=_draw_runs(result, setting),
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


def _draw_runs(result: Frontier, setting: ChartSetting) -> Drawing:
    shown = result.rows if len(result.rows) <= MOST_INTERVALS else result.front
    with_interval = [row for row in shown if not math.isnan(row.score.low)]
    bounds = [bound for row in with_interval for bound in (row.score.low, row.score.high)]
    axes = CostAxes.around(
        [row.cost for row in result.rows],
        [*(row.score.estimate for row in result.rows), *bounds],
        cost_title=WORDS[result.by].axis,
        score_title=result.measure if result.higher_is_better else f"{result.measure} (less is better)",
        setting=setting,
    )
    steps = list(dict.fromkeys((row.cost, row.score.estimate) for row in result.front))
    drawing = axes.draw_axes()
    for row in with_interval:
        ends = (axes.to_points(row.cost, bound) for bound in (row.score.low, row.score.high))
        drawing.rule(*ends, stroke=STYLES[KIND_OF[row.worth]].stroke, width=BAR, opacity=0.22)
    axes.draw_stairs(drawing, steps, stroke=TOP, width=2)
    _draw_marks(drawing, result, axes)
    axes.draw_labels(
        drawing,
        list(_names(result, setting)),
        marks=[_mark_box(axes, row) for row in result.rows],
        taken=[*axes.stair_boxes(steps), *(_bar_box(axes, row) for row in with_interval)],
    )
    return drawing


def _kind_names(result: Frontier) -> dict[int, str]:
    less = WORDS[result.by].less
    return {
        ON_FRONT: f"on the front, does better than every {less} run",
        OPEN_ON_FRONT: f"on the front, cannot be told apart from a {less} run",
        OPEN: "off the front, cannot be told apart",
        DOMINATED: "dominated beyond chance",
    }


def _draw_marks(drawing: Drawing, result: Frontier, axes: CostAxes) -> None:
    names = _kind_names(result)
    for row in sorted(result.rows, key=lambda row: -KIND_OF[row.worth]):  # the front is drawn last, on top
        style = STYLES[KIND_OF[row.worth]]
        x, y = axes.to_points(row.cost, row.score.estimate)
        facts, of = _facts(result, row, names, axes.setting), Subject("run", row.run)
        drawing.point(x, y, size=style.size, fill=style.fill, stroke=style.stroke, width=1.75, facts=facts, of=of)
    kinds = ((names[kind], STYLES[kind]) for kind in sorted({KIND_OF[row.worth] for row in result.rows}))
    drawing.explain(
        Entry(name, fill=style.fill, stroke=style.stroke, shape="circle", size=style.size) for name, style in kinds
    )


def _facts(result: Frontier, row: FrontierRow, names: dict[int, str], setting: ChartSetting) -> dict[str, object]:
    interval = show_interval(row.score.low, row.score.high, 4)
    return {
        "run": setting.name_of(row.run),
        result.by: show_cost(row.cost),
        result.measure: f"{show_number(row.score.estimate, 4)} ({interval})",
        "kind": names[KIND_OF[row.worth]],
        "against": _say_against(row, setting),
        "what it shows": say_shown(row, result.by),
    }


def _say_against(row: FrontierRow, setting: ChartSetting) -> str:
    if row.rival is None or row.delta is None:
        return ""
    difference = show_number(row.delta.estimate, 4, signed=True)
    return f"{setting.name_of(row.rival)}: {difference} ({show_interval(row.delta.low, row.delta.high, 4)})"


def _names(result: Frontier, setting: ChartSetting) -> Iterator[CostLabel]:
    """The run with the best score first, then the front from the cheapest on; the others where they are few."""
    *lower, best = result.front
    off_front = [row for row in result.rows if not row.worth.is_on_front]
    for row in (best, *lower, *(off_front if len(off_front) <= MOST_NAMED_OFF_FRONT else ())):
        on_front = row.worth.is_on_front
        yield CostLabel(
            name=fit(setting.name_of(row.run), NAME_LENGTH),
            cost=row.cost,
            score=row.score.estimate,
            reach=STYLES[KIND_OF[row.worth]].reach,
            colour=TOP if on_front else INK_3,
            bold=on_front,
        )


def _mark_box(axes: CostAxes, row: FrontierRow) -> Box:
    return Box.around(*axes.to_points(row.cost, row.score.estimate), STYLES[KIND_OF[row.worth]].reach)


def _bar_box(axes: CostAxes, row: FrontierRow) -> Box:
    return Box.between(axes.to_points(row.cost, row.score.low), axes.to_points(row.cost, row.score.high))

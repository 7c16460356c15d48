"""What do people's labels say, and what becomes of it with a model's? One row a run: three estimates.

The model alone has a mark and no line: how sure its mean is says nothing of how far it is off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from toprung.analyses.estimate.result import Estimate
from toprung.analyses.estimate.rows import EstimateRow
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.axes import draw_top_axis
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.marks import Shape
from toprung.report.charts.svg.scales import AxisScale, ends_around
from toprung.report.charts.svg.setting import MOST_ROWS, PLAIN, ChartSetting, Subject, say_first_rows
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import INK, INK_2, INK_3, MARK, PAPER, TAG, TOP
from toprung.stats.intervals.bootstrap import Effect
from toprung.words.visible import in_one_line
from toprung.words.wording import fit, show_confidence, show_interval, show_number

WIDTH, ROW = 560, 30
APART = 5
"""Points between the two lines of a run."""
NAME_LENGTH = 32
NARROW_WORDS = 16
"""Of a small screen: the line of words over a row."""
CORRECTED, PEOPLE, MODEL = "corrected", "people alone", "model alone"
SHAPES: dict[str, Shape] = {CORRECTED: "circle", PEOPLE: "circle", MODEL: "diamond"}
FILLS = {CORRECTED: INK_2, PEOPLE: PAPER, MODEL: TAG}
STROKES = {CORRECTED: INK_2, PEOPLE: INK_3, MODEL: TAG}


def draw(result: Estimate, setting: ChartSetting = PLAIN) -> Figure:
    level = show_confidence(1 - result.alpha)
    return Figure(
        kind="estimate",
        title="Scores by people, by a model, and corrected",
        finding=result.sentence,
        caption=(
            f"Dot and thick line: mean {result.measure} and its {level} interval, the model's labels of "
            f"{result.n_queries:,} queries corrected by people's of {result.n_human:,}. Ring and thin line: people's "
            "labels alone. Diamond: the model's labels alone, bias included. Coloured names: the runs that may be "
            f"best, all compared at once.{say_first_rows(len(result.rows), 'runs')}"
        ),
        drawing=_draw_runs(replace(result, rows=result.rows[:MOST_ROWS]), setting),
    )


def _draw_runs(result: Estimate, setting: ChartSetting) -> Drawing:
    above = NARROW_WORDS if setting.is_narrow else 0
    row_height = ROW + above
    drawing = Drawing(width=setting.fit(WIDTH), height=row_height * len(result.rows), setting=setting)
    low, high = _ends_of_axis(result)
    x = AxisScale(low=low, high=high, start=0, end=drawing.width)
    draw_top_axis(drawing, x, x.ticks(6))
    rows = [(row, row_height * number + above + ROW / 2) for number, row in enumerate(result.rows)]
    for row, middle in rows:
        _draw_row(drawing, x, row, middle, result.measure)
    _draw_texts(drawing, rows, result.measure)
    drawing.explain(Entry(kind, fill=FILLS[kind], stroke=STROKES[kind], shape=SHAPES[kind], size=55) for kind in SHAPES)
    return drawing


def _ends_of_axis(result: Estimate) -> tuple[float, float]:
    ends = [
        end
        for row in result.rows
        for end in (row.people.low, row.people.high, row.corrected.low, row.corrected.high, row.model)
    ]
    return ends_around(ends, 0.04)


def _draw_row(drawing: Drawing, x: AxisScale, row: EstimateRow, middle: float, measure: str) -> None:
    """People's labels below the middle, what is corrected above it, the model's in between."""
    lines = ((row.people, APART / 2, 1.2, MARK), (row.corrected, -APART / 2, 2.8, INK_2))
    for effect, shift, width, colour in lines:
        down = middle + shift
        drawing.rule((x(effect.low), down), (x(effect.high), down), stroke=colour, width=width)
    name = drawing.setting.name_of(row.run)
    for kind, score, shift, shown in _estimates(row):
        drawing.point(
            x(score), middle + shift, shape=SHAPES[kind], size=55, fill=FILLS[kind], stroke=STROKES[kind], width=1.4,
            facts={"run": name, "kind": kind, measure: shown}, of=Subject("run", row.run),
        )  # fmt: skip


def _estimates(row: EstimateRow) -> Iterator[tuple[str, float, float, str]]:
    """Kind, score, how far below the middle, and in words."""
    yield PEOPLE, row.people.estimate, APART / 2, _show(row.people)
    yield MODEL, row.model, 0.0, show_number(row.model, 4)
    yield CORRECTED, row.corrected.estimate, -APART / 2, _show(row.corrected)


def _draw_texts(drawing: Drawing, rows: list[tuple[EstimateRow, float]], measure: str) -> None:
    """Names at the left; corrected scores with their intervals at the right; on a small screen over the rows."""
    is_narrow = drawing.setting.is_narrow
    names = [fit(in_one_line(drawing.setting.name_of(row.run)), NAME_LENGTH) for row, _ in rows]
    names_at = 0.0 if is_narrow else -max(text_width(name, SMALL, bold=True) for name in names) - 12
    up = ROW / 2 + NARROW_WORDS / 2 - 4 if is_narrow else 0
    for name, (row, middle) in zip(names, rows, strict=True):
        colour = TOP if row.top_group else INK
        limit = drawing.width - text_width(_show(row.corrected), SMALL) - 10 if is_narrow else None
        drawing.text(name, names_at, middle - up, colour=colour, bold=row.top_group, limit=limit)
        if is_narrow:
            drawing.text(_show(row.corrected), drawing.width, middle - up, align="right")
        else:
            drawing.text(_show(row.corrected), drawing.width + 20, middle)
    if not is_narrow:
        drawing.heading(f"{measure}, corrected", x=drawing.width + 20, align="left")


def _show(effect: Effect) -> str:
    return f"{show_number(effect.estimate, 4)} ({show_interval(effect.low, effect.high, 4)})"

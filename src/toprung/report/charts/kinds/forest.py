"""How sure is each score, and which runs may be best? One row a run, by score: a dot with its interval.

The axis does not start at zero: dots stand on no base. Runs far away are only pointed at, so that the others can be
read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from statistics import median
from typing import Any, NamedTuple

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.row import BoardRow, Status
from toprung.report.charts.figure import Figure
from toprung.report.charts.spans import spans_of
from toprung.report.charts.svg.axes import draw_top_axis
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.marks import Shape
from toprung.report.charts.svg.scales import AxisScale, ends_around
from toprung.report.charts.svg.setting import MOST_ROWS, PHONE, PLAIN, ChartSetting, Subject, say_first_rows
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import INK, INK_2, INK_3, MARK, PAPER, TAG, TOP
from toprung.words.visible import in_one_line
from toprung.words.wording import fit, show_confidence, show_interval, show_number, show_rank_range

WIDTH = 560
ROW, LOW_ROW = 24, 17
MANY_RUNS = 40
"""From so many on rows are low."""
RAIL = 3
TINT = 0.07
"""Of the colour of the top rung, so light that the lines of the axis show through."""
NAME_LENGTH = 60
FIGURES_WIDTH = 270
"""Points at the right, for scores and ranks."""
NARROW_ROW, NARROW_DOT = 38, 26
"""Of a small screen: the height of a row, whose first line is in words, and how far down its dot stands."""
INTERVALS_ON_AXIS = 40
"""An axis is at most so many intervals long: longer, and none of them could be read."""

LEAST_NEAR = 0.75
"""The share of runs that an axis must show as they are."""


class ForestMarkStyle(NamedTuple):
    """How the dot of a kind of run is drawn."""

    name: str
    shape: Shape
    fill: str
    stroke: str
    size: int


LAST_PROVED = ForestMarkStyle("last proved gain", "circle", TOP, TOP, 110)
PROVED = ForestMarkStyle("proved when it came", "circle", TOP, TOP, 45)
CLAIM = ForestMarkStyle("claim not passed", "circle", PAPER, INK_2, 75)
TAGGED_CLAIM = ForestMarkStyle("tagged, claim not passed", "diamond", PAPER, TAG, 90)
TAGGED = ForestMarkStyle("tagged", "diamond", TAG, TAG, 70)
BASELINE = ForestMarkStyle("baseline", "square", PAPER, INK_3, 60)
OTHER = ForestMarkStyle("other run", "circle", INK_2, INK_2, 60)
STYLES = (LAST_PROVED, PROVED, CLAIM, TAGGED_CLAIM, TAGGED, BASELINE, OTHER)


def draw(result: Leaderboard, setting: ChartSetting = PLAIN) -> Figure:
    """The runs of the board, by score."""
    level = show_confidence(result.confidence)
    drawn = replace(result, rows=result.rows[:MOST_ROWS])
    return Figure(
        kind="scores",
        title="Scores with their intervals",
        finding=result.sentence,
        caption=(
            f"Dot: mean {result.measure}; line: its {level} interval. Dashed: the highest score. Tinted: the runs that "
            "may be best, for no other is better. Intervals that overlap do not show that runs are alike: runs are "
            "compared query by query. Ranks: those that cannot be ruled out."
            f"{say_first_rows(len(result.rows), 'runs')}"
        ),
        drawing=(_NarrowForest if setting.is_narrow else _Forest)(drawn, setting).draw(),
    )


class _Forest:
    """A board with the place of every row, in points from the top."""

    def __init__(self, result: Leaderboard, setting: ChartSetting) -> None:
        self.result, self.setting = result, setting
        self.names = [fit(in_one_line(setting.name_of(row.run)), NAME_LENGTH) for row in result.rows]
        self.row_height = self._row_height()
        self.low, self.high = _ends_of_axis(result)
        self.x = AxisScale(low=self.low, high=self.high, start=0, end=self._width())
        self.drawing = Drawing(width=self._width(), height=self.row_height * len(result.rows), setting=setting)

    def _row_height(self) -> float:
        return LOW_ROW if len(self.result.rows) >= MANY_RUNS else ROW

    def _width(self) -> float:
        return WIDTH

    def _edges(self) -> tuple[float, float]:
        """Of the rows, names and figures included."""
        widest = max(text_width(name, SMALL, bold=True) for name in self.names)
        return -widest - 24, WIDTH + FIGURES_WIDTH

    def _ticks(self) -> int:
        return 6

    def draw(self) -> Drawing:
        self._draw_frames()
        draw_top_axis(self.drawing, self.x, self.x.ticks(self._ticks()))
        highest = self.x(self.result.reference.score)
        self.drawing.rule((highest, 0), (highest, self.drawing.height), stroke=TOP, dash="3 3")
        for row, middle in self._middles():
            self._draw_row(row, middle)
        self._draw_legend()
        self._draw_texts()
        return self.drawing

    def _middles(self) -> Iterator[tuple[BoardRow, float]]:
        """How far down the dot of each run stands."""
        for number, row in enumerate(self.result.rows):
            yield row, self.row_height * (number + 0.5)

    def _draw_frames(self) -> None:
        """Behind the runs that may be best a tint, with a rail at the left; rows that do not touch have one each."""
        left, right = self._edges()
        for start, end, may_be_best in spans_of([row.top_group for row in self.result.rows]):
            if may_be_best:
                above, below = start * self.row_height, end * self.row_height
                self.drawing.rect(left, above, right, below, fill=TOP, opacity=TINT)
                self.drawing.rect(left, above, left + RAIL, below, fill=TOP)

    def _is_near(self, row: BoardRow) -> bool:
        return self.low <= row.score <= self.high

    def _draw_row(self, row: BoardRow, middle: float) -> None:
        """A dot with its interval; in words where it would be far away."""
        if not self._is_near(row):
            is_below = row.score < self.low
            words, x = ("◄ below the scale", 6.0) if is_below else ("above the scale ►", self.drawing.width - 6)
            self.drawing.text(words, x, middle, align="left" if is_below else "right", colour=INK_3)
            return
        if not math.isnan(row.score_low):
            start, end = self.x(max(row.score_low, self.low)), self.x(min(row.score_high, self.high))
            colour = TOP if row.top_group else MARK
            self.drawing.rule((start, middle), (end, middle), stroke=colour, width=2.5)
        style = self._style_of(row)
        self.drawing.point(
            self.x(row.score), middle, shape=style.shape, size=style.size, fill=style.fill, stroke=style.stroke,
            facts=self._facts(row), of=Subject("run", row.run),
        )  # fmt: skip

    def _facts(self, row: BoardRow) -> dict[str, object]:
        return {
            "run": self.setting.name_of(row.run),
            self.result.measure: _say_score(row),
            "ranks": _say_ranks(row),
            "kind": self._style_of(row).name,
        }

    def _style_of(self, row: BoardRow) -> ForestMarkStyle:
        if row.status in (Status.NOT_PASSED, Status.VOIDED):
            return TAGGED_CLAIM if row.tags else CLAIM
        by_status = {Status.LAST_PROVED: LAST_PROVED, Status.PROVED: PROVED}
        if row.status in by_status:
            return by_status[row.status]
        if row.is_baseline:
            return BASELINE
        return TAGGED if row.tags else OTHER

    def _draw_legend(self) -> None:
        drawn = {self._style_of(row) for row in self.result.rows if self._is_near(row)}
        self.drawing.explain(
            Entry(style.name, fill=style.fill, stroke=style.stroke, shape=style.shape, size=style.size)
            for style in STYLES
            if style in drawn
        )

    def _draw_texts(self) -> None:
        """Names at the left; scores with their intervals, and the ranks a run may have, at the right."""
        rows = list(self._middles())
        names_at, ranks_at = self._edges()[0] + RAIL + 9, WIDTH + FIGURES_WIDTH - 12
        for name, (row, middle) in zip(self.names, rows, strict=True):
            self.drawing.text(name, names_at, middle, **_name_look(row))
        self.drawing.column([(_say_score(row), middle) for row, middle in rows], x=WIDTH + 20, align="left")
        self.drawing.column([(_say_ranks(row), middle) for row, middle in rows], x=ranks_at)
        level = show_confidence(self.result.confidence)
        self.drawing.heading(f"{self.result.measure} ({level})", x=WIDTH + 20, align="left")
        self.drawing.heading("ranks", x=ranks_at)


class _NarrowForest(_Forest):
    """For a small screen: name and score in a line over each dot."""

    def _row_height(self) -> float:
        return NARROW_ROW

    def _width(self) -> float:
        return (self.setting.width or PHONE) - 8

    def _edges(self) -> tuple[float, float]:
        return 0, self._width()

    def _ticks(self) -> int:
        return 4

    def _middles(self) -> Iterator[tuple[BoardRow, float]]:
        for number, row in enumerate(self.result.rows):
            yield row, NARROW_ROW * number + NARROW_DOT

    def _draw_texts(self) -> None:
        for name, (row, middle) in zip(self.names, self._middles(), strict=True):
            score = show_number(row.score, 4)
            room = self._width() - text_width(score, SMALL) - 24
            above = middle - NARROW_DOT + 11
            self.drawing.text(name, 8, above, limit=room, **_name_look(row))
            self.drawing.text(score, self._width() - 6, above, align="right")


def _name_look(row: BoardRow) -> dict[str, Any]:
    return {"colour": TOP if row.top_group else INK, "bold": row.top_group}


def _ends_of_axis(result: Leaderboard) -> tuple[float, float]:
    """Around the highest score, as far as the others reach; if only a few are far away, without those."""
    spans = [(row.score, *_interval_of(row)) for row in result.rows]
    reach = INTERVALS_ON_AXIS * median(high - low for _, low, high in spans)
    near = [(low, high) for score, low, high in spans if abs(score - result.reference.score) <= reach]
    if len(near) < len(spans) * LEAST_NEAR:
        near = [(low, high) for _, low, high in spans]
    return ends_around((end for ends in near for end in ends), 0.04)


def _interval_of(row: BoardRow) -> tuple[float, float]:
    return (row.score, row.score) if math.isnan(row.score_low) else (row.score_low, row.score_high)


def _say_score(row: BoardRow) -> str:
    score = show_number(row.score, 4)
    return score if math.isnan(row.score_low) else f"{score} ({show_interval(row.score_low, row.score_high, 4)})"


def _say_ranks(row: BoardRow) -> str:
    return show_rank_range(row.rank_low, row.rank_high)

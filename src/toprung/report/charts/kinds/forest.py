"""How sure is each score, and which runs may be best? One row a run, by score: a dot with its interval.

The axis does not start at zero: dots stand on no base. Runs far away are only pointed at, so that the others can be
read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

import altair as alt

from toprung.analyses.leaderboard.find import Leaderboard
from toprung.boards.row import BoardRow, Status
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import text_width
from toprung.report.charts.side_texts import column, down, heading
from toprung.report.charts.spans import spans_of
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
INTERVALS_ON_AXIS = 40
"""An axis is at most so many intervals long: longer, and none of them could be read."""

LEAST_NEAR = 0.75
"""The share of runs that an axis must show as they are."""


class ForestMarkStyle(NamedTuple):
    """How the dot of a kind of run is drawn."""

    name: str
    shape: str
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


def draw(result: Leaderboard) -> Figure:
    """Every run of the board, by score."""
    level = show_confidence(result.confidence)
    return Figure(
        kind="scores",
        title="Scores with their intervals",
        finding=result.sentence,
        caption=(
            f"Dot: mean {result.measure}; line: its {level} interval. Dashed: the highest score. Tinted: the runs that "
            "may be best, for no other is better. Intervals that overlap do not show that runs are alike: runs are "
            "compared query by query. Ranks: those that cannot be ruled out."
        ),
        chart=_Forest(result).chart(),
    )


class _Forest:
    """A board with the place of every row, in points from the top."""

    def __init__(self, result: Leaderboard) -> None:
        self.result = result
        self.row_height = LOW_ROW if len(result.rows) >= MANY_RUNS else ROW
        self.height = self.row_height * len(result.rows)
        self.low, self.high = _ends_of_axis(result)
        scale = alt.Scale(domain=[self.low, self.high], nice=False, zero=False)
        axis = alt.Axis(title=None, orient="top", grid=True, domain=False, ticks=False, tickCount=6)
        self.x = alt.X("score:Q", scale=scale, axis=axis)

    def chart(self) -> alt.LayerChart:
        layers = [
            *self._frames(),
            self._line_of_highest(),
            self._intervals(),
            self._dots(),
            *self._far_away(),
            *self._texts(),
        ]
        return alt.LayerChart(layer=layers).resolve_scale(y="independent").properties(width=WIDTH, height=self.height)

    def _middles(self) -> Iterator[tuple[BoardRow, float]]:
        for number, row in enumerate(self.result.rows):
            yield row, self.row_height * (number + 0.5)

    @property
    def _names_width(self) -> float:
        return max(text_width(_name_of(row)) for row in self.result.rows) + 24

    def _frames(self) -> Iterator[alt.Chart]:
        """Behind the runs that may be best a tint, with a rail at the left; rows that do not touch have one each."""
        spans = spans_of([row.top_group for row in self.result.rows])
        rows = [
            {"above": start * self.row_height, "below": end * self.row_height}
            for start, end, may_be_best in spans
            if may_be_best
        ]
        left, right = alt.value(-self._names_width), alt.value(WIDTH + FIGURES_WIDTH)
        rail = alt.value(RAIL - self._names_width)
        base = alt.Chart(values(rows))
        yield base.mark_rect(color=TOP, opacity=TINT, aria=False).encode(
            x=left, x2=right, y=down("above"), y2=alt.Y2("below:Q")
        )
        yield base.mark_rect(color=TOP, aria=False).encode(x=left, x2=rail, y=down("above"), y2=alt.Y2("below:Q"))

    def _line_of_highest(self) -> alt.Chart:
        rows = [{"score": self.result.reference.score}]
        return alt.Chart(values(rows)).mark_rule(color=TOP, strokeDash=[3, 3], aria=False).encode(x=self.x)

    def _is_near(self, row: BoardRow) -> bool:
        return self.low <= row.score <= self.high

    def _intervals(self) -> alt.Chart:
        rows = [
            {
                "score": max(row.score_low, self.low),
                "high": min(row.score_high, self.high),
                "down": middle,
                "color": TOP if row.top_group else MARK,
            }
            for row, middle in self._middles()
            if self._is_near(row) and not math.isnan(row.score_low)
        ]
        mark = alt.Chart(values(rows)).mark_rule(strokeWidth=2.5, aria=False)
        return mark.encode(x=self.x, x2=alt.X2("high:Q"), y=down("down"), color=alt.Color("color:N", scale=None))

    def _style_of(self, row: BoardRow) -> ForestMarkStyle:
        if row.status in (Status.NOT_PASSED, Status.VOIDED):
            return TAGGED_CLAIM if row.tags else CLAIM
        by_status = {Status.LAST_PROVED: LAST_PROVED, Status.PROVED: PROVED}
        if row.status in by_status:
            return by_status[row.status]
        if row.is_baseline:
            return BASELINE
        return TAGGED if row.tags else OTHER

    def _dots(self) -> alt.Chart:
        near = [(row, middle) for row, middle in self._middles() if self._is_near(row)]
        kinds = [style for style in STYLES if style in {self._style_of(row) for row, _ in near}]

        def scale(channel: str) -> alt.Scale:
            drawn = [getattr(style, channel) for style in kinds]
            return alt.Scale(type="ordinal", domain=[style.name for style in kinds], range=drawn)

        rows = (
            {
                "score": row.score,
                "down": middle,
                "kind": self._style_of(row).name,
                "run": row.run,
                "shown": _say_score(row),
                "ranks": _say_ranks(row),
                "status": str(row.status),
            }
            for row, middle in near
        )
        return (
            alt.Chart(values(rows))
            .mark_point(filled=True, strokeWidth=1.6, aria=False)
            .encode(
                x=self.x,
                y=down("down"),
                shape=alt.Shape("kind:N", scale=scale("shape")),
                fill=alt.Fill("kind:N", scale=scale("fill")),
                stroke=alt.Stroke("kind:N", scale=scale("stroke")),
                size=alt.Size("kind:N", scale=scale("size")),
                tooltip=[
                    alt.Tooltip("run:N"),
                    alt.Tooltip("shown:N", title=self.result.measure),
                    alt.Tooltip("ranks:N"),
                    alt.Tooltip("status:N"),
                ],
            )
        )

    def _far_away(self) -> Iterator[alt.Chart]:
        """In words where the dot would be."""
        below = [("◀ below the scale", middle) for row, middle in self._middles() if row.score < self.low]
        above = [("above the scale ▶", middle) for row, middle in self._middles() if row.score > self.high]
        if below:
            yield column(below, x=6, align="left", color=INK_3)
        if above:
            yield column(above, x=WIDTH - 6, color=INK_3)

    def _texts(self) -> Iterator[alt.Chart]:
        """Names at the left; scores with their intervals, and the ranks a run may have, at the right."""
        rows = list(self._middles())
        best = [(_name_of(row), middle) for row, middle in rows if row.top_group]
        others = [(_name_of(row), middle) for row, middle in rows if not row.top_group]
        names_at, ranks_at = RAIL + 9 - self._names_width, WIDTH + FIGURES_WIDTH - 12
        yield column(best, x=names_at, align="left", color=TOP, fontWeight="bold")
        yield column(others, x=names_at, align="left", color=INK)
        yield column([(_say_score(row), middle) for row, middle in rows], x=WIDTH + 20, align="left")
        yield column([(_say_ranks(row), middle) for row, middle in rows], x=ranks_at)
        level = show_confidence(self.result.confidence)
        yield heading(f"{self.result.measure} ({level})", x=WIDTH + 20, above=11, align="left")
        yield heading("ranks", x=ranks_at, above=11)


def _ends_of_axis(result: Leaderboard) -> tuple[float, float]:
    """Around the highest score, as far as the others reach; if only a few are far away, without those."""
    spans = [(row.score, *_interval_of(row)) for row in result.rows]
    reach = INTERVALS_ON_AXIS * median(high - low for _, low, high in spans)
    near = [(low, high) for score, low, high in spans if abs(score - result.reference.score) <= reach]
    if len(near) < len(spans) * LEAST_NEAR:
        near = [(low, high) for _, low, high in spans]
    low, high = min(low for low, _ in near), max(high for _, high in near)
    margin = 0.04 * (high - low) or 0.1 * abs(high) or 1.0
    return low - margin, high + margin


def _interval_of(row: BoardRow) -> tuple[float, float]:
    return (row.score, row.score) if math.isnan(row.score_low) else (row.score_low, row.score_high)


def _name_of(row: BoardRow) -> str:
    return fit(in_one_line(row.run), NAME_LENGTH)


def _say_score(row: BoardRow) -> str:
    score = show_number(row.score, 4)
    return score if math.isnan(row.score_low) else f"{score} ({show_interval(row.score_low, row.score_high, 4)})"


def _say_ranks(row: BoardRow) -> str:
    return show_rank_range(row.rank_low, row.rank_high)

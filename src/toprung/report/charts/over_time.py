"""How is a leaderboard drawn over time? The axes, staircases and labels that its figures share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import altair as alt

from toprung.report.charts.data import values
from toprung.report.charts.label_placement import Anchor, Box, place_labels, spread
from toprung.report.charts.side_texts import room

WIDTH, HEIGHT = 960, 360
NAME_LENGTH = 24
"""Characters of a name that a label shows."""
LABEL_GAP = 15
END_GAP = 8
"""Points from the right edge to the texts beside it."""

type Moment = date | int


@dataclass(frozen=True, kw_only=True)
class OverTime:
    """Where a moment and a score stand in the plot; a moment is a date, or the place in the order of submission."""

    first: Moment
    last: Moment
    lowest: float
    highest: float
    measure: str

    @property
    def start(self) -> Moment:
        """The left edge, where stands what was there from the beginning."""
        return self._moved(self.first, -self._margin)

    @property
    def end(self) -> Moment:
        """The right edge, a little after the last submission."""
        return self._moved(self.last, self._margin)

    @property
    def _margin(self) -> int:
        return max(1, math.ceil(0.025 * (_to_number(self.last) - _to_number(self.first))))

    @staticmethod
    def _moved(moment: Moment, by: int) -> Moment:
        return moment + timedelta(days=by) if isinstance(moment, date) else moment + by

    @property
    def scores(self) -> tuple[float, float]:
        """The lowest and the highest score of the axis; it need not start at zero, for dots stand on no base."""
        margin = 0.08 * (self.highest - self.lowest) or 0.05
        return self.lowest - margin, self.highest + margin

    def to_x(self, moment: Moment) -> float:
        start, end = _to_number(self.start), _to_number(self.end)
        return WIDTH * (_to_number(moment) - start) / (end - start)

    def to_y(self, score: float) -> float:
        low, high = self.scores
        return HEIGHT * (high - score) / (high - low)

    @property
    def x(self) -> alt.X:
        domain = [_to_text(self.start), _to_text(self.end)]
        if isinstance(self.first, date):
            # Days are days wherever the reader lives: no time zone may move them.
            scale = alt.Scale(type="utc", domain=domain)
            return alt.X("moment:T", scale=scale, axis=self._date_axis())
        step = math.ceil(_to_number(self.last) / 20)
        shown = [number for number in range(1, _to_number(self.last) + 1) if number == 1 or number % step == 0]
        axis = alt.Axis(title="order of submission", format="d", values=shown)
        return alt.X("moment:Q", scale=alt.Scale(domain=domain, nice=False), axis=axis)

    def _date_axis(self) -> alt.Axis:
        days = _to_number(self.end) - _to_number(self.start)
        if days < 62:
            days_apart = math.ceil(days / 8)
            every = alt.TimeIntervalStep(interval="day", step=days_apart)
            return alt.Axis(title=None, format="%Y-%m-%d", tickCount=every)
        months = next(step for step in (1, 2, 3, 6, 12, 24, 60, 120, 12_000) if days <= 31 * 12 * step)
        if months < 12:
            return alt.Axis(title=None, format="%b %Y", tickCount=alt.TimeIntervalStep(interval="month", step=months))
        return alt.Axis(title=None, format="%Y", tickCount=alt.TimeIntervalStep(interval="year", step=months // 12))

    @property
    def y(self) -> alt.Y:
        axis = alt.Axis(
            title=self.measure, titleAngle=0, titleAlign="left", titleX=-40, titleY=-10, titleBaseline="bottom",
            tickCount=6,
        )  # fmt: skip
        return alt.Y("score:Q", scale=alt.Scale(domain=list(self.scores), nice=False, zero=False), axis=axis)

    def staircase(self, steps: Sequence[tuple[Moment, float]], **look: Any) -> alt.Chart:
        """A line that keeps to each score until the next, and to the last one until the right edge."""
        drawn = [*steps, (self.end, steps[-1][1])]
        rows = ({"moment": _to_text(moment), "score": score} for moment, score in drawn)
        mark = alt.Chart(values(rows)).mark_line(interpolate="step-after", clip=True, aria=False, **look)
        return mark.encode(x=self.x, y=self.y)

    def stair_boxes(self, steps: Sequence[tuple[Moment, float]]) -> list[Box]:
        """What a staircase takes of the plot."""
        corners = [(self.to_x(moment), self.to_y(score)) for moment, score in steps]
        boxes = []
        for (x, y), (next_x, next_y) in zip(corners, [*corners[1:], (WIDTH, corners[-1][1])], strict=True):
            boxes += [Box.between((x, y), (next_x, y)), Box.between((next_x, y), (next_x, next_y))]
        return boxes

    def labels(self, wanted: Sequence[Mapping[str, Any]], taken: Iterable[Box]) -> alt.Chart:
        """Names beside their marks, as far as there is room: rows of moment, score, name, reach, color and weight."""
        anchors = [
            Anchor(text=each["name"], x=self.to_x(each["moment"]), y=self.to_y(each["score"]), reach=each["reach"])
            for each in wanted
        ]
        places = place_labels(anchors, taken=taken, width=WIDTH, height=HEIGHT)
        rows = [
            {
                "moment": _to_text(each["moment"]),
                "score": each["score"],
                "name": each["name"],
                "color": each["color"],
                "weight": each["weight"],
                "dx": place.dx,
                "dy": place.dy,
                "align": place.align,
            }
            for each, place in zip(wanted, places, strict=True)
            if place is not None
        ]
        return self._texts(rows, align=alt.expr("datum.align"), dx=alt.expr("datum.dx"))

    def end_labels(self, wanted: Sequence[tuple[float, str, str, str]]) -> Iterator[alt.Chart]:
        """Texts at the right edge beside scores, moved apart where they would touch: score, text, colour and weight."""
        at = [self.to_y(score) for score, *_ in wanted]
        rows = [
            {"moment": _to_text(self.end), "score": score, "name": text, "color": color, "weight": weight, "dy": to - y}
            for (score, text, color, weight), y, to in zip(wanted, at, spread(at, LABEL_GAP), strict=True)
        ]
        yield self._texts(rows, align="left", dx=END_GAP)
        yield room((text for _, text, *_ in wanted), x=WIDTH + END_GAP, align="left")

    def _texts(self, rows: Sequence[Mapping[str, object]], **look: Any) -> alt.Chart:
        mark = alt.Chart(values(rows)).mark_text(
            baseline="middle",
            fontSize=12,
            fontWeight=alt.expr("datum.weight"),
            dy=alt.expr("datum.dy"),
            aria=False,
            **look,
        )
        color = alt.Color("color:N", scale=None, legend=None)
        return mark.encode(x=self.x, y=self.y, text=alt.Text("name:N"), color=color)


def _to_number(moment: Moment) -> int:
    return moment.toordinal() if isinstance(moment, date) else moment


def _to_text(moment: Moment) -> str | int:
    return moment.isoformat() if isinstance(moment, date) else moment

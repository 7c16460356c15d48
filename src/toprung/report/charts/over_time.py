"""How is a leaderboard drawn over time? The axes, staircases and labels that its figures share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from toprung.report.charts.svg.axes import draw_x_axis, draw_y_axis
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.label_placement import Anchor, Box, place_labels, spread
from toprung.report.charts.svg.scales import AxisScale, Tick, ends_around
from toprung.report.charts.svg.setting import ChartSetting
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import INK_3, RULE_2

WIDTH, HEIGHT = 960, 360
NARROW_HEIGHT, NARROW_MARGIN = 260, 44
"""Of a drawing for a small screen; the margin is what its labels at the left take."""
MOST_LABELS = 60
"""Names that are tried beside their marks; a plot has room for fewer."""
NAME_LENGTH = 24
"""Characters of a name that a label shows."""
LABEL_GAP = 15
CHANGE_GAP = 4
"""Points from the line of a change to its words."""
END_GAP = 8
"""Points from the right edge to the texts beside it."""
TICK_WIDTH = 80
"""Points that a tick with its date takes of the axis."""
MONTHS_APART = (1, 2, 3, 6, 12, 24, 60, 120, 1_200, 12_000)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

type Moment = date | int


class TimeLabel(NamedTuple):
    """A name and the mark it stands beside."""

    name: str
    moment: Moment
    score: float
    reach: float
    colour: str
    bold: bool = False


class EndLabel(NamedTuple):
    """What stands at the right edge, beside a score."""

    score: float
    text: str
    colour: str
    bold: bool = False


@dataclass(frozen=True, kw_only=True)
class OverTime:
    """Where a moment and a score stand in the plot; a moment is a date, or the place in the order of submission."""

    first: Moment
    last: Moment
    lowest: float
    highest: float
    measure: str
    setting: ChartSetting

    @property
    def width(self) -> float:
        return self.setting.fit(WIDTH, NARROW_MARGIN)

    @property
    def height(self) -> float:
        return NARROW_HEIGHT if self.setting.is_narrow else HEIGHT

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
        if isinstance(moment, int):
            return moment + by
        return date.fromordinal(min(max(moment.toordinal() + by, 1), date.max.toordinal()))

    @property
    def scores(self) -> tuple[float, float]:
        """The lowest and the highest score of the axis; it need not start at zero, for dots stand on no base."""
        return ends_around((self.lowest, self.highest), 0.08)

    @property
    def x(self) -> AxisScale:
        return AxisScale(low=_to_number(self.start), high=_to_number(self.end), start=0, end=self.width)

    @property
    def y(self) -> AxisScale:
        low, high = self.scores
        return AxisScale(low=low, high=high, start=self.height, end=0)

    def place(self, moment: Moment, score: float) -> tuple[float, float]:
        return self.x(_to_number(moment)), self.y(score)

    def draw_axes(self) -> Drawing:
        """A drawing with nothing but its axes."""
        drawing = Drawing(width=self.width, height=self.height, setting=self.setting)
        draw_y_axis(drawing, self.y, self.y.ticks(6), title=self.measure, title_x=-40, title_up=10)
        is_dated = isinstance(self.first, date)
        draw_x_axis(drawing, self.x, list(self._ticks()), title="" if is_dated else "order of submission")
        return drawing

    def _ticks(self) -> Iterator[Tick]:
        most = max(3, int(self.width / TICK_WIDTH))
        if isinstance(self.start, date) and isinstance(self.end, date):
            return _date_ticks(self.start, self.end, most)
        last = _to_number(self.last)
        step = math.ceil(last / (2 * most))
        return (Tick(number, f"{number:,}") for number in range(1, last + 1) if number == 1 or number % step == 0)

    def draw_stairs(
        self, drawing: Drawing, steps: Sequence[tuple[Moment, float]], *, stroke: str, width: float, dash: str = ""
    ) -> None:
        """A line that keeps to each score until the next, and to the last one until the right edge."""
        drawing.stairs(self._corners(steps), until=self.width, stroke=stroke, width=width, dash=dash)

    def _corners(self, steps: Sequence[tuple[Moment, float]]) -> list[tuple[float, float]]:
        return [self.place(moment, score) for moment, score in steps]

    def stair_boxes(self, steps: Sequence[tuple[Moment, float]]) -> list[Box]:
        """What a staircase takes of the plot."""
        corners = self._corners(steps)
        boxes = []
        for (x, y), (next_x, next_y) in zip(corners, [*corners[1:], (self.width, corners[-1][1])], strict=True):
            boxes += [Box.between((x, y), (next_x, y)), Box.between((next_x, y), (next_x, next_y))]
        return boxes

    def draw_changes(self, drawing: Drawing, changes: Iterable[tuple[Moment, str]]) -> list[Box]:
        """A thin line down the plot at each, with words at its foot where they have room; what they take of the plot.

        What changed before the first submission or after the last is not in the plot.
        """
        taken: list[Box] = []
        low, high = _to_number(self.start), _to_number(self.end)
        inside = (each for each in changes if low < _to_number(each[0]) < high)
        for moment, said in sorted(inside, key=lambda each: _to_number(each[0]), reverse=True):
            x, width = self.x(_to_number(moment)), text_width(said, SMALL)
            drawing.rule((x, 0), (x, self.height), stroke=RULE_2, dash="1 3")
            is_left = x + CHANGE_GAP + width > self.width
            left = x - CHANGE_GAP - width if is_left else x + CHANGE_GAP
            box = Box(left, self.height - LABEL_GAP - 2, left + width, self.height - 2)
            if not any(box.overlaps(each) for each in taken):
                drawing.text(said, left, self.height - LABEL_GAP / 2 - 2, colour=INK_3)
                taken.append(box)
            taken.append(Box.between((x, 0), (x, self.height)))
        return taken

    def draw_labels(self, drawing: Drawing, wanted: Sequence[TimeLabel], taken: Iterable[Box]) -> None:
        """Names beside their marks, as far as there is room, the first ones first."""
        wanted = wanted[:MOST_LABELS]
        places = [self.place(each.moment, each.score) for each in wanted]
        anchors = [
            Anchor(text=each.name, x=x, y=y, reach=each.reach, bold=each.bold)
            for each, (x, y) in zip(wanted, places, strict=True)
        ]
        found = place_labels(anchors, taken=taken, width=self.width, height=self.height)
        for each, (x, y), place in zip(wanted, places, found, strict=True):
            if place is not None:
                drawing.text(
                    each.name, x + place.dx, y + place.dy,
                    align=place.align, size=12, colour=each.colour, bold=each.bold, halo=True,
                )  # fmt: skip

    def draw_end_labels(self, drawing: Drawing, wanted: Sequence[EndLabel]) -> None:
        """Texts at the right edge beside scores, moved apart where they would touch; over a narrow plot in lines."""
        wanted = wanted[:MOST_LABELS]
        if self.setting.is_narrow:
            for number, each in enumerate(reversed(wanted)):
                over = -30 - LABEL_GAP * number
                drawing.text(each.text, -40, over, size=12, colour=each.colour, bold=each.bold, limit=self.width + 40)
            return
        at = [self.y(each.score) for each in wanted]
        for each, middle in zip(wanted, spread(at, LABEL_GAP), strict=True):
            drawing.text(each.text, self.width + END_GAP, middle, size=12, colour=each.colour, bold=each.bold)


def _date_ticks(start: date, end: date, most: int) -> Iterator[Tick]:
    """About so many days, months or years, whichever they are."""
    days = (end - start).days
    if days < 62:
        step = math.ceil(days / min(most, 8))
        shown = (start + timedelta(days=step * number) for number in range(1, days // step + 1))
        return (Tick(day.toordinal(), day.isoformat()) for day in shown)
    months = next((step for step in MONTHS_APART if days <= 31 * most * step), MONTHS_APART[-1])
    firsts = (date(number // 12, number % 12 + 1, 1) for number in _months_between(start, end, months))
    return (
        Tick(day.toordinal(), f"{MONTHS[day.month - 1]} {day.year}" if months < 12 else f"{day.year}") for day in firsts
    )


def _months_between(start: date, end: date, step: int) -> Iterator[int]:
    """Counted from the year 0, those that begin within the time."""
    first = 12 * start.year + start.month - 1 + (start.day > 1)
    last = 12 * end.year + end.month - 1
    return (number for number in range(first, last + 1) if number % step == 0)


def _to_number(moment: Moment) -> int:
    return moment.toordinal() if isinstance(moment, date) else moment

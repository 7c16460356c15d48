"""Where do a cost and a score stand in the plot? Costs that span a decade or more go by factors, not by steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from toprung.report.charts.svg.axes import draw_x_axis, draw_y_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.label_placement import Anchor, Box, LabelPlace, box_of, place_labels
from toprung.report.charts.svg.scales import LEAST_SPAN, AxisScale, Tick, ends_around
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.tokens import CONTROL

WIDTH, HEIGHT = 640, 380
LABELS_WIDTH = 44
"""What labels at the left take."""
DECADE = 10
MARGIN = 0.05
FURTHER = (10, 22, 36, 52, 70)
"""How much further from its mark a name may stand where there is no room beside it, in points."""
NEAR = 12
"""A name that stands further off than so many points is joined to its mark by a hairline."""
MOST_LABELS = 60
"""Names that are tried beside their marks; a plot has room for fewer."""
APART = 5
"""Points that a name keeps from the marks of others, so that nobody takes it for theirs."""
HAIRLINE_STEPS = 12
MOST_DECADES_WITH_STEPS = 3
"""Beyond, only the powers of ten are marked on the axis."""


class CostLabel(NamedTuple):
    """A name and the mark it stands beside."""

    name: str
    cost: float
    score: float
    reach: float
    colour: str
    bold: bool


@dataclass(frozen=True, kw_only=True)
class CostAxes:
    """The costs and scores at the edges of the plot."""

    cheapest: float
    dearest: float
    lowest: float
    highest: float
    is_log: bool
    cost_title: str
    score_title: str
    setting: ChartSetting = PLAIN

    @classmethod
    def around(
        cls,
        costs: Sequence[float],
        scores: Sequence[float],
        *,
        cost_title: str,
        score_title: str,
        setting: ChartSetting = PLAIN,
    ) -> CostAxes:
        """All marks, with some room around them."""
        lowest, highest = ends_around(scores, MARGIN)
        is_log = max(costs) >= DECADE * min(costs)
        if is_log:
            factor = (max(costs) / min(costs)) ** MARGIN
            cheapest, dearest = min(costs) / factor, max(costs) * factor
        else:
            span = max(costs) - min(costs)
            room = MARGIN * span if span > LEAST_SPAN * max(costs) else 0.1 * min(costs)
            cheapest, dearest = min(costs) - room, max(costs) + room
        return cls(
            cheapest=cheapest,
            dearest=dearest,
            lowest=lowest,
            highest=highest,
            is_log=is_log,
            cost_title=f"{cost_title}, log scale" if is_log else cost_title,
            score_title=score_title,
            setting=setting,
        )

    @property
    def width(self) -> float:
        return self.setting.fit(WIDTH, LABELS_WIDTH)

    @property
    def x(self) -> AxisScale:
        return AxisScale(low=self.cheapest, high=self.dearest, start=0, end=self.width, is_log=self.is_log)

    @property
    def y(self) -> AxisScale:
        return AxisScale(low=self.lowest, high=self.highest, start=HEIGHT, end=0)

    def draw_axes(self) -> Drawing:
        drawing = Drawing(width=self.width, height=HEIGHT, setting=self.setting)
        draw_y_axis(drawing, self.y, self.y.ticks(6), title=self.score_title)
        draw_x_axis(drawing, self.x, self._ticks(), title=self.cost_title, title_at="end", has_grid=True)
        return drawing

    def _ticks(self) -> list[Tick]:
        if not self.is_log:
            return self.x.ticks(6)
        first, last = math.floor(math.log10(self.cheapest)), math.ceil(math.log10(self.dearest))
        steps = (1, 2, 5) if last - first <= MOST_DECADES_WITH_STEPS else (1,)
        marked = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        every = math.ceil(len(marked) / 14)
        return [Tick(cost, f"{cost:,.10g}") for cost in marked[::every] if self.cheapest <= cost <= self.dearest]

    def to_points(self, cost: float, score: float) -> tuple[float, float]:
        """From the top left of the plot."""
        return self.x(cost), self.y(score)

    def draw_stairs(self, drawing: Drawing, steps: Sequence[tuple[float, float]], *, stroke: str, width: float) -> None:
        """A line that keeps to each score until the next cost, and to the last one until the right edge."""
        corners = [self.to_points(*step) for step in sorted(steps)]
        drawing.stairs(corners, until=self.width, stroke=stroke, width=width)

    def stair_boxes(self, steps: Sequence[tuple[float, float]]) -> list[Box]:
        """What a staircase takes of the plot."""
        corners = [self.to_points(*step) for step in steps]
        ends = [*corners[1:], (self.width, corners[-1][1])]
        return [
            box
            for (x, y), (next_x, next_y) in zip(corners, ends, strict=True)
            for box in (Box.between((x, y), (next_x, y)), Box.between((next_x, y), (next_x, next_y)))
        ]

    def draw_labels(
        self, drawing: Drawing, wanted: Sequence[CostLabel], *, marks: Sequence[Box], taken: Iterable[Box]
    ) -> None:
        """Names beside their marks, or further off with a hairline, as far as there is room; the first ones first."""
        room = _Room(width=self.width, marks=marks, taken=list(taken), names=[])
        for each in wanted[:MOST_LABELS]:
            x, y = self.to_points(each.cost, each.score)
            # A blank keeps it apart from the next name.
            place = room.find(Anchor(text=f"{each.name} ", x=x, y=y, reach=each.reach, bold=each.bold))
            if place is None:
                continue
            end = x + place.dx, y + place.dy
            for start in _hairline(place, each.reach)[:1]:
                drawing.rule((x + start.dx, y + start.dy), end, stroke=CONTROL, width=0.75)
            drawing.text(each.name, *end, align=place.align, size=12, colour=each.colour, bold=each.bold)


@dataclass(frozen=True, kw_only=True)
class _Room:
    """What of the plot is taken, by marks, lines and names; what finds a place is taken from then on."""

    width: float
    marks: Sequence[Box]
    taken: list[Box]
    names: list[Box]

    def find(self, anchor: Anchor) -> LabelPlace | None:
        """Near the mark, and nearer than to any other, if there is room; else where the hairline crosses no name."""
        own = Box.around(anchor.x, anchor.y, anchor.reach)
        others = [
            Box(left - APART, top - APART, right + APART, bottom + APART)
            for left, top, right, bottom in self.marks
            if (left, top, right, bottom) != own
        ]
        for further in (0, *FURTHER):
            tried = replace(anchor, reach=anchor.reach + further)
            taken = [own, *others, *self.taken, *self.names]
            (place,) = place_labels([tried], taken=taken, width=self.width, height=HEIGHT)
            if place is None:
                continue
            line = [Box.around(anchor.x + at.dx, anchor.y + at.dy, 2) for at in _hairline(place, anchor.reach)]
            if not any(part.overlaps(name) for part in line for name in self.names):
                self.taken.extend(line[:-1])  # its end touches its own name
                self.names.append(box_of(tried, place))
                return place
        return None


def _hairline(place: LabelPlace, reach: float) -> list[LabelPlace]:
    """Places along the line from the edge of a mark to its name; none where the name stands beside it."""
    distance = math.hypot(place.dx, place.dy)
    if distance <= reach + NEAR:
        return []
    shares = [reach / distance + (1 - reach / distance) * step / HAIRLINE_STEPS for step in range(HAIRLINE_STEPS + 1)]
    return [replace(place, dx=share * place.dx, dy=share * place.dy) for share in shares]

"""Where do a cost and a score stand in the plot? Costs that span a decade or more go by factors, not by steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

from toprung.report.charts.data import values
from toprung.report.charts.label_placement import Anchor, Box, LabelPlace, box_of, place_labels
from toprung.report.charts.side_texts import down
from toprung.report.charts.tokens import CONTROL

WIDTH, HEIGHT = 640, 380
DECADE = 10
MARGIN = 0.05
FURTHER = (10, 22, 36, 52, 70)
"""How much further from its mark a name may stand where there is no room beside it, in points."""
NEAR = 12
"""A name that stands further off than so many points is joined to its mark by a hairline."""
APART = 5
"""Points that a name keeps from the marks of others, so that nobody takes it for theirs."""
HAIRLINE_STEPS = 12
MOST_DECADES_WITH_STEPS = 3
"""Beyond, only the powers of ten are marked on the axis."""


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

    @classmethod
    def around(cls, costs: Sequence[float], scores: Sequence[float], *, cost_title: str, score_title: str) -> CostAxes:
        """All marks, with some room around them."""
        margin = MARGIN * (max(scores) - min(scores)) or 0.05
        is_log = max(costs) >= DECADE * min(costs)
        if is_log:
            factor = (max(costs) / min(costs)) ** MARGIN
            cheapest, dearest = min(costs) / factor, max(costs) * factor
        else:
            room = MARGIN * (max(costs) - min(costs)) or 0.1 * min(costs)
            cheapest, dearest = min(costs) - room, max(costs) + room
        return cls(
            cheapest=cheapest,
            dearest=dearest,
            lowest=min(scores) - margin,
            highest=max(scores) + margin,
            is_log=is_log,
            cost_title=f"{cost_title}, log scale" if is_log else cost_title,
            score_title=score_title,
        )

    @property
    def x(self) -> alt.X:
        axis = alt.Axis(title=self.cost_title, titleAnchor="end", grid=True, format=",.4~r", **self._ticks())
        scale = alt.Scale(type="log" if self.is_log else "linear", domain=[self.cheapest, self.dearest], nice=False)
        return alt.X("cost:Q", scale=scale, axis=axis)

    def _ticks(self) -> dict[str, Any]:
        if not self.is_log:
            return {"tickCount": 6}
        first, last = math.floor(math.log10(self.cheapest)), math.ceil(math.log10(self.dearest))
        steps = (1, 2, 5) if last - first <= MOST_DECADES_WITH_STEPS else (1,)
        marked = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        every = math.ceil(len(marked) / 14)
        return {"values": [cost for cost in marked[::every] if self.cheapest <= cost <= self.dearest]}

    @property
    def y(self) -> alt.Y:
        axis = alt.Axis(
            title=self.score_title, titleAngle=0, titleAlign="left", titleX=0, titleY=-8, titleBaseline="bottom",
            tickCount=6,
        )  # fmt: skip
        scale = alt.Scale(domain=[self.lowest, self.highest], nice=False, zero=False)
        return alt.Y("score:Q", scale=scale, axis=axis)

    def to_points(self, cost: float, score: float) -> tuple[float, float]:
        """From the top left of the plot."""
        if self.is_log:
            share = math.log(cost / self.cheapest) / math.log(self.dearest / self.cheapest)
        else:
            share = (cost - self.cheapest) / (self.dearest - self.cheapest)
        return WIDTH * share, HEIGHT * (self.highest - score) / (self.highest - self.lowest)

    def staircase(self, steps: Sequence[tuple[float, float]], **look: Any) -> alt.Chart:
        """A line that keeps to each score until the next cost, and to the last one until the right edge."""
        rows = ({"cost": cost, "score": score} for cost, score in [*steps, (self.dearest, steps[-1][1])])
        return (
            alt.Chart(values(rows))
            .mark_line(interpolate="step-after", aria=False, **look)
            .encode(x=self.x, y=self.y, order=alt.Order("cost:Q"))
        )

    def stair_boxes(self, steps: Sequence[tuple[float, float]]) -> list[Box]:
        """What a staircase takes of the plot."""
        corners = [self.to_points(*step) for step in steps]
        ends = [*corners[1:], (float(WIDTH), corners[-1][1])]
        return [
            box
            for (x, y), (next_x, next_y) in zip(corners, ends, strict=True)
            for box in (Box.between((x, y), (next_x, y)), Box.between((next_x, y), (next_x, next_y)))
        ]

    def labels(
        self, wanted: Sequence[Mapping[str, Any]], *, marks: Sequence[Box], taken: Iterable[Box]
    ) -> Iterator[alt.Chart]:
        """Names beside their marks, or further off with a hairline, as far as there is room; the first ones first.

        Rows of cost, score, name, reach, colour and weight.
        """
        room = _Room(marks=marks, taken=list(taken), names=[])
        rows, lines = [], []
        for each in wanted:
            x, y = self.to_points(each["cost"], each["score"])
            # A blank keeps it apart from the next name.
            place = room.find(Anchor(text=f"{each['name']} ", x=x, y=y, reach=each["reach"]))
            if place is not None:
                rows.append({**each, "x": x + place.dx, "y": y + place.dy, "align": place.align})
                lines += [
                    {"x": x + start.dx, "y": y + start.dy, "x2": x + place.dx, "y2": y + place.dy}
                    for start in _hairline(place, each["reach"])[:1]
                ]
        if lines:
            rule = alt.Chart(values(lines)).mark_rule(color=CONTROL, strokeWidth=0.75, aria=False)
            yield rule.encode(x=_points("x"), y=down("y"), x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"))
        align, weight = alt.expr("datum.align"), alt.expr("datum.weight")
        mark = alt.Chart(values(rows)).mark_text(baseline="middle", align=align, fontWeight=weight, aria=False)
        colour = alt.Color("colour:N", scale=None, legend=None)
        yield mark.encode(x=_points("x"), y=down("y"), text=alt.Text("name:N"), color=colour)


def _points(field: str) -> alt.X:
    return alt.X(f"{field}:Q", scale=None, axis=None)


@dataclass(frozen=True, kw_only=True)
class _Room:
    """What of the plot is taken, by marks, lines and names; what finds a place is taken from then on."""

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
            (place,) = place_labels([tried], taken=taken, width=WIDTH, height=HEIGHT)
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

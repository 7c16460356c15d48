"""What would a miss have to cost for one run to be the cheaper to read? The mean difference of cost, with its band."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toprung.analyses.compare.find import Comparisons
from toprung.analyses.compare.pair import PairComparison
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.axes import draw_x_axis, draw_y_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.scales import LEAST_SPAN, AxisScale, Tick
from toprung.report.charts.svg.setting import HALF, PLAIN, ChartSetting
from toprung.report.charts.svg.text_width import text_width, wrap
from toprung.report.charts.tokens import CONTROL, INK, INK_2, INK_3, ONLY_THIS, OTHER_INK, PAPER, RULE_2
from toprung.words.wording import fit, show_confidence, show_interval, show_number

WIDTH, HEIGHT = HALF - 40, 210
LABELS_WIDTH = 44
NAME_LENGTH = 18
USUAL_CUTOFF = 100
"""How far a ranking is taken to be read where its cutoff is not known."""
FURTHEST = 10
"""Times the cutoff: a miss that costs more than that is no cost that anybody means."""
STEPS = 60


def draw(result: Comparisons, setting: ChartSetting = PLAIN) -> Figure | None:
    """Of the first pair; None where there are no ranks, nothing is told of costs, or nothing to choose."""
    pair = result.pairs[0]
    found = pair.breakdown
    if found is None or pair.n < 2 or math.isnan(found.miss_cost.misses) or found.break_even.b_wins == "equal":
        return None
    chart = _MissCost(pair, found, setting)
    if chart.is_flat:  # such as differences that rounding for everyone left nothing of
        return None
    return Figure(
        kind="miss-cost",
        title="What would a miss have to cost?",
        finding=_say_finding(pair, found),
        caption=_say_how_to_read(pair, found),
        drawing=chart.draw(),
    )


def _say_finding(pair: PairComparison, found: Breakdown) -> str:
    cost, side = found.break_even.cost, found.break_even.b_wins
    if side in ("above", "below"):
        cheaper, other = (pair.b, pair.a) if side == "above" else (pair.a, pair.b)
        at = show_number(cost.estimate, 1)
        told = (
            f"On these queries {cheaper} is the cheaper to read if a miss costs more than {at} ranks, {other} if less"
        )
    else:
        cheaper = pair.b if side == "always" else pair.a
        told = f"On these queries {cheaper} is the cheaper to read, whatever a miss costs"
    return f"{told}; {_say_undecided(found)}."


def _say_undecided(found: Breakdown) -> str:
    band = f"the {show_confidence(found.miss_cost.confidence)} band"
    ranges = found.undecided_costs
    if not ranges:
        return f"{band} leaves zero out at every cost"
    if ranges == ((0.0, math.inf),):
        return f"{band} holds zero at every cost, so neither is shown to be the cheaper"
    said = " and ".join(_say_range(low, high) for low, high in ranges)
    return f"{band} holds zero {said}, so neither is shown to be the cheaper there"


def _say_range(low: float, high: float) -> str:
    if math.isinf(high):
        return f"from {show_number(low, 1)} ranks on"
    return f"from {show_interval(low, high, 1)} ranks" if low else f"up to {show_number(high, 1)} ranks"


def _say_how_to_read(pair: PairComparison, found: Breakdown) -> str:
    band = show_confidence(found.miss_cost.confidence)
    return (
        f"Line: the mean cost of {pair.b} less that of {pair.a}, in ranks read per query, by what a query without an "
        f"answer is taken to cost. Above zero {pair.a} is the cheaper, below it {pair.b}. Band: {band}, for one cost "
        "at a time."
    )


class MissPoint(NamedTuple):
    """The mean difference if a miss costs so much, with its band."""

    cost: float
    mean: float
    low: float
    high: float


class _MissCost:
    """The scales of a pair, and what is drawn on them."""

    def __init__(self, pair: PairComparison, found: Breakdown, setting: ChartSetting) -> None:
        self.pair, self.found = pair, found
        self.furthest = _furthest_cost(found, pair.cutoff or USUAL_CUTOFF)
        self.points = list(_points(found, self.furthest))
        self.drawing = Drawing(width=setting.fit(WIDTH, LABELS_WIDTH), height=HEIGHT, setting=setting)
        self.x = AxisScale(low=0, high=self.furthest, start=0, end=self.drawing.width)
        self.y = _y_scale(self.points)

    @property
    def is_flat(self) -> bool:
        """Whether neither line nor band ever leaves zero."""
        return not self.y.high > self.y.low

    def draw(self) -> Drawing:
        draw_y_axis(self.drawing, self.y, [Tick(tick.value, _signed(tick)) for tick in self.y.ticks(5)])
        title = "cost of a miss, in ranks read for nothing"
        draw_x_axis(self.drawing, self.x, self.x.ticks(6), title=title, title_at="middle")
        above = [(self.x(each.cost), self.y(each.high)) for each in self.points]
        below = [(self.x(each.cost), self.y(each.low)) for each in reversed(self.points)]
        self.drawing.area([*above, *below])
        self.drawing.rule((0, self.y(0)), (self.drawing.width, self.y(0)), stroke=CONTROL)
        self._draw_cutoff()
        self.drawing.line([(self.x(each.cost), self.y(each.mean)) for each in self.points], stroke=INK)
        self._draw_break_even()
        self._draw_heads()
        return self.drawing

    def _draw_cutoff(self) -> None:
        """The cost of having read all there is, where that is known."""
        if self.pair.cutoff is None:
            return
        x = self.x(self.pair.cutoff)
        self.drawing.rule((x, 0), (x, HEIGHT), stroke=RULE_2, dash="1 3")
        words = f"{self.pair.cutoff:,}: all read, nothing found"
        self.drawing.text(words, x + 6, HEIGHT - 26, colour=INK_3, halo=True)

    def _draw_break_even(self) -> None:
        """A dotted line up to what it says, or the words alone where it lies off the axis."""
        cost = self.found.break_even.cost.estimate
        if not (math.isfinite(cost) and cost > 0):
            return
        told = f"break-even: a miss costs {show_number(cost, 1)} ranks"
        if cost > self.furthest:
            self._draw_told(f"{told}, off the scale", self.drawing.width)
            return
        x = self.x(cost)
        self.drawing.rule((x, 0), (x, HEIGHT), stroke=INK_2, dash="2 2")
        self.drawing.point(x, self.y(0), size=80, fill=PAPER, stroke=INK_2)
        self._draw_told(told + _say_how_sure(self.found), x)

    def _draw_told(self, told: str, x: float) -> None:
        """In lines over the plot, as near to its place as they fit."""
        lines = wrap(told, self.drawing.width)
        for number, line in enumerate(reversed(lines)):
            half = text_width(line, bold=True) / 2
            middle = max(min(x, self.drawing.width - half), half)
            self.drawing.text(line, middle, -14 - 15 * number, align="center", size=12, bold=True, colour=INK)

    def _draw_heads(self) -> None:
        b, a = (fit(self.drawing.setting.name_of(run), NAME_LENGTH) for run in (self.pair.b, self.pair.a))
        up = -32 if not self.drawing.setting.is_narrow else -66
        self.drawing.text(f"▲ {a} is cheaper", 0, up, size=12, bold=True, colour=OTHER_INK)
        self.drawing.text(f"▼ {b} is cheaper", 8, HEIGHT - 10, size=12, bold=True, colour=ONLY_THIS, halo=True)
        over = up if not self.drawing.setting.is_narrow else up + 16
        self.drawing.text("mean cost, B less A, in ranks", self.drawing.width, over, align="right", colour=INK_3)


def _furthest_cost(found: Breakdown, cutoff: int) -> float:
    """Where the axis ends: beyond the cutoff and beyond the break-even, unless that is out of all proportion."""
    known = found.break_even.cost
    meant = (cost for cost in (1.5 * known.estimate, 1.1 * known.high) if cost <= FURTHEST * cutoff)  # never a NaN
    return max([2.0 * cutoff, *meant])


def _points(found: Breakdown, furthest: float) -> Iterator[MissPoint]:
    for step in range(STEPS + 1):
        cost = furthest * step / STEPS
        effect = found.miss_cost.at(cost)
        yield MissPoint(cost, effect.estimate, effect.low, effect.high)


def _y_scale(points: Sequence[MissPoint]) -> AxisScale:
    lowest, highest = min(0.0, *(each.low for each in points)), max(0.0, *(each.high for each in points))
    span = highest - lowest
    # Room for the name of the cheaper run; two runs alike are a flat line.
    margin = 0.1 * span if span > LEAST_SPAN else 1.0
    return AxisScale(low=lowest - margin, high=highest + margin / 2, start=HEIGHT, end=0)


def _signed(tick: Tick) -> str:
    return f"+{tick.label}" if tick.value > 0 else tick.label


def _say_how_sure(found: Breakdown) -> str:
    """No number alone: with Fieller's set, or that these queries tell no cost."""
    cost = found.break_even.cost
    if cost.kind == "undetermined":
        return ", undetermined"
    outside = "outside " if cost.kind == "complement" else ""
    return f" ({show_confidence(found.miss_cost.confidence)} {outside}{show_interval(cost.low, cost.high, 1)})"

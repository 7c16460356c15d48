"""What would a miss have to cost for one run to be the cheaper to read? The mean difference of cost, with its band."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import altair as alt

from toprung.analyses.compare.find import Comparisons
from toprung.analyses.compare.pair import PairComparison
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.report.charts.data import fixed, values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import text_width
from toprung.report.charts.side_texts import heading
from toprung.report.charts.theme import HALF
from toprung.report.charts.tokens import CONTROL, INK, INK_2, INK_3, ONLY_THIS, OTHER_INK, PAPER, RULE_2
from toprung.words.wording import fit, show_confidence, show_interval, show_number

WIDTH, HEIGHT = HALF - 40, 210
NAME_LENGTH = 18
USUAL_CUTOFF = 100
"""How far a ranking is taken to be read where its cutoff is not known."""
FURTHEST = 10
"""Times the cutoff: a miss that costs more than that is no cost that anybody means."""
STEPS = 60


def draw(result: Comparisons) -> Figure | None:
    """Of the first pair; None where there are no ranks, or nothing to choose between the two."""
    pair = result.pairs[0]
    found = pair.breakdown
    if found is None or pair.n < 2 or found.break_even.b_wins == "equal":
        return None
    return Figure(
        kind="miss-cost",
        title="What would a miss have to cost?",
        finding=_say_finding(pair, found),
        caption=_say_how_to_read(pair, found),
        chart=_curve(pair, found),
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


def _curve(pair: PairComparison, found: Breakdown) -> alt.LayerChart:
    cutoff = pair.cutoff or USUAL_CUTOFF
    furthest = _furthest_cost(found, cutoff)
    rows = list(_points(found, furthest))
    x = alt.X(
        "cost:Q",
        scale=alt.Scale(domain=[0, furthest], nice=False),
        axis=alt.Axis(title="cost of a miss, in ranks read for nothing", titleAnchor="middle", tickCount=6),
    )
    y = _y_axis(rows)
    base = alt.Chart(values(rows)).encode(x=x)
    layers = [
        base.mark_area(aria=False).encode(y=y, y2=alt.Y2("high:Q")),
        alt.Chart(values([{"mean": 0}])).mark_rule(color=CONTROL, aria=False).encode(y=alt.Y("mean:Q")),
        *_cutoff_line(pair, x),
        base.mark_line(color=INK, aria=False).encode(
            y=alt.Y("mean:Q"),
            tooltip=[alt.Tooltip("cost:Q", format=".1f"), alt.Tooltip("mean:Q", title="difference", format="+.2f")],
        ),
        *_break_even(found, furthest, x),
        *_heads(pair),
    ]
    return alt.LayerChart(layer=list(layers)).properties(width=WIDTH, height=HEIGHT)


def _furthest_cost(found: Breakdown, cutoff: int) -> float:
    """Where the axis ends: beyond the cutoff and beyond the break-even, unless that is out of all proportion."""
    known = found.break_even.cost
    meant = (cost for cost in (1.5 * known.estimate, 1.1 * known.high) if cost <= FURTHEST * cutoff)  # never a NaN
    return max([2.0 * cutoff, *meant])


def _points(found: Breakdown, furthest: float) -> Iterator[dict[str, float]]:
    for step in range(STEPS + 1):
        cost = furthest * step / STEPS
        effect = found.miss_cost.at(cost)
        yield {"cost": cost, "mean": effect.estimate, "low": effect.low, "high": effect.high}


def _y_axis(rows: list[dict[str, float]]) -> alt.Y:
    lowest, highest = min(0.0, *(row["low"] for row in rows)), max(0.0, *(row["high"] for row in rows))
    margin = 0.1 * (highest - lowest)  # at the bottom the name of the cheaper run has room
    signed = "datum.value == 0 ? '0' : format(datum.value, '+~g')"
    axis = alt.Axis(title=None, tickCount=5, labelExpr=signed)
    scale = alt.Scale(domain=[lowest - margin, highest + margin / 2], nice=False)
    return alt.Y("low:Q", axis=axis, scale=scale)


def _cutoff_line(pair: PairComparison, x: alt.X) -> Iterator[alt.Chart]:
    """The cost of having read all there is, where that is known."""
    if pair.cutoff is None:
        return
    base = alt.Chart(values([{"cost": pair.cutoff, "text": f"{pair.cutoff:,}: all read, nothing found"}])).encode(x=x)
    yield base.mark_rule(color=RULE_2, strokeDash=[1, 3], aria=False)
    yield base.mark_text(align="left", dx=6, fontSize=11.5, color=INK_3, aria=False).encode(
        y=fixed(alt.YValue, HEIGHT - 26), text=alt.Text("text:N")
    )


def _break_even(found: Breakdown, furthest: float, x: alt.X) -> Iterator[alt.Chart]:
    """A dotted line up to what it says, or the words alone where it lies off the axis."""
    cost = found.break_even.cost.estimate
    if not (math.isfinite(cost) and cost > 0):
        return
    told = f"break-even: a miss costs {show_number(cost, 1)} ranks"
    if cost > furthest:
        yield heading(f"{told}, off the scale", x=WIDTH, above=8, color=INK, fontSize=12, fontWeight="bold")
        return
    told += _say_how_sure(found)
    at, half = WIDTH * cost / furthest, text_width(told) / 2
    base = alt.Chart(values([{"cost": cost, "mean": 0}])).encode(x=x)
    yield base.mark_rule(color=INK_2, strokeDash=[2, 2], aria=False)
    yield base.mark_point(filled=True, fill=PAPER, stroke=INK_2, strokeWidth=1.6, size=80, aria=False).encode(
        y=alt.Y("mean:Q")
    )
    middle = min(max(at, half), WIDTH - half)
    yield heading(told, x=middle, above=8, align="center", color=INK, fontSize=12, fontWeight="bold")


def _say_how_sure(found: Breakdown) -> str:
    """No number alone: with Fieller's set, or that these queries tell no cost."""
    cost = found.break_even.cost
    if cost.kind == "undetermined":
        return ", undetermined"
    outside = "outside " if cost.kind == "complement" else ""
    return f" ({show_confidence(found.miss_cost.confidence)} {outside}{show_interval(cost.low, cost.high, 1)})"


def _heads(pair: PairComparison) -> Iterator[alt.Chart]:
    b, a = fit(pair.b, NAME_LENGTH), fit(pair.a, NAME_LENGTH)
    strong: dict[str, Any] = {"fontSize": 12, "fontWeight": "bold", "align": "left"}
    yield heading(f"▲ {a} is cheaper", x=0, above=26, color=OTHER_INK, **strong)
    yield heading(f"▼ {b} is cheaper", x=8, above=6 - HEIGHT, color=ONLY_THIS, **strong)
    yield heading("mean cost, B less A, in ranks", x=WIDTH, above=26)

"""How is the order of a board taken along as a picture? Its places, how often each is taken, and its pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.urls import reverse

from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.rank_heatmap import RankRow, draw_grid
from toprung.report.charts.share_steps import STEP_NAMES
from toprung.report.charts.svg.axes import draw_top_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.scales import AxisScale, Tick
from toprung.report.charts.svg.setting import Address, ChartSetting, Subject
from toprung.report.charts.tokens import (
    INK,
    INK_3,
    ONLY_OTHER,
    ONLY_THIS,
    PAPER,
    RAMP,
    RAMP_HIGH_INK,
    RULE,
    TOKENS,
    TOP,
)
from toprung.web.core.access.namer import Identity
from toprung.web.services.shown.order.pair_grid import PairRow
from toprung.web.services.shown.order.places import LONGEST_AXIS, USUAL_TICKS, say_places

ROW, CELL, SQUARE = 22, 52, 24
"""Points: the height of a row, the width of a share, a pair."""
FOREST_WIDTH, NAME_WIDTH = 480, 220
FIRST_WITH_LIGHT_INK = 5
TOP_TINT = TOKENS["top-tint"].light
MOST_IN_PICTURE = 60


def draw_forest(places: Sequence[Mapping[str, Any]], names: Mapping[str, Identity]) -> Figure:
    """The places that each run may have."""
    rows = [each for each in places if each["run"] in names][:MOST_IN_PICTURE]
    last = min(LONGEST_AXIS, max(each["high"] for each in rows))
    x = AxisScale(low=0.5, high=last + 0.5, start=0, end=FOREST_WIDTH)
    drawing = Drawing(width=FOREST_WIDTH, height=ROW * len(rows))
    for number, each in enumerate(rows):
        if each["low"] == 1:
            drawing.rect(0, number * ROW, FOREST_WIDTH, (number + 1) * ROW, fill=TOP_TINT)
    draw_top_axis(drawing, x, [Tick(tick, str(tick)) for tick in USUAL_TICKS if tick <= last], title="place")
    for number, each in enumerate(rows):
        middle, colour = (number + 0.5) * ROW, TOP if each["low"] == 1 else INK
        left, right = x(each["low"] - 0.3), x(min(each["high"] + 0.3, last + 0.5))
        drawing.rect(left, middle - 2.5, right, middle + 2.5, fill=colour)
        drawing.text(say_places(each["low"], each["high"]), FOREST_WIDTH + 8, middle, colour=INK)
        _name_row(drawing, names[each["run"]].name, middle)
    return Figure(
        kind="places",
        title="Which places are possible?",
        finding="The places that each run may have, for all runs at once.",
        caption="Simultaneous 95% rank intervals; shaded: may be best.",
        drawing=drawing,
    )


def draw_shares(first: Sequence[Mapping[str, Any]], names: Mapping[str, Identity]) -> Figure:
    """How often each of the first runs takes each place."""
    rows = [each for each in first if each["run"] in names]
    n_places = len(rows[0]["cells"])
    drawing = Drawing(width=CELL * n_places, height=ROW * len(rows))
    for place in range(n_places):
        drawing.heading(str(place + 1), x=(place + 0.5) * CELL, align="center")
    for number, each in enumerate(rows):
        top = number * ROW
        for place, cell in enumerate(each["cells"]):
            left, step = place * CELL, cell["step"]
            drawing.rect(left + 1, top + 1, left + CELL - 1, top + ROW - 1, fill=RAMP[step])
            ink = RAMP_HIGH_INK if step >= FIRST_WITH_LIGHT_INK else INK if step else INK_3
            drawing.text(cell["text"], left + CELL / 2, top + ROW / 2, align="center", colour=ink)
        _name_row(drawing, names[each["run"]].name, top + ROW / 2)
    steps = (Entry(name, fill=colour) for name, colour in zip(STEP_NAMES, RAMP, strict=True))
    drawing.explain(steps, title="share of samples")
    return Figure(
        kind="shares",
        title="How often each place?",
        finding="How often each of the first runs takes each place, if the queries were drawn again.",
        caption="Share of bootstrap samples: not a confidence interval.",
        drawing=drawing,
    )


def draw_all_places(
    stored: Mapping[str, Any], names: Mapping[str, Identity], *, slug: str = "", width: float | None = None
) -> Figure:
    """How often every run takes every place; ``slug``: the board that names lead to, of a file none."""
    found = [RankRow(**each) for each in stored["drawn"] if each["run"] in names]
    n_ranks = max(len(each.shares) for each in found)
    rows = [replace(each, shares=[*each.shares, *[0.0] * (n_ranks - len(each.shares))]) for each in found]

    def address_of(subject: Subject) -> Address | None:
        return Address(reverse("run", args=[slug, subject.key])) if slug else None

    setting = ChartSetting(name_of=lambda run: names[run].name, address_of=address_of, width=width)
    return Figure(
        kind="all",
        title="All runs and all places",
        finding="How often each run takes each place, if the queries were drawn again.",
        caption=stored["caption"],
        drawing=draw_grid(rows, setting),
    )


def draw_pairs(rows: Sequence[PairRow]) -> Figure:
    """Which of the first runs differ from which."""
    drawing = Drawing(width=SQUARE * len(rows), height=SQUARE * len(rows))
    fills = {"up": ONLY_THIS, "dn": ONLY_OTHER, "eq": RULE}
    for down, row in enumerate(rows):
        drawing.heading(str(down + 1), x=(down + 0.5) * SQUARE, align="center")
        _name_row(drawing, f"{down + 1} {row.identity.name}", (down + 0.5) * SQUARE)
        for across, cell in enumerate(row.cells):
            if cell.run:
                left, top = across * SQUARE, down * SQUARE
                drawing.rect(left + 0.5, top + 0.5, left + SQUARE - 0.5, top + SQUARE - 0.5, fill=fills[cell.colour])
                ink = INK_3 if cell.colour == "eq" else PAPER
                drawing.text(cell.sign, left + SQUARE / 2, top + SQUARE / 2, align="center", colour=ink)
    drawing.explain(
        [
            Entry("the run of the row does better", fill=ONLY_THIS),
            Entry("does worse", fill=ONLY_OTHER),
            Entry("cannot be told apart", fill=RULE),
        ]
    )
    return Figure(
        kind="pairs",
        title="How sure is the order?",
        finding="Which of the first runs differ from which, all compared at once.",
        caption="All pairs are compared at once.",
        drawing=drawing,
    )


def _name_row(drawing: Drawing, name: str, middle: float) -> None:
    drawing.text(name, -10, middle, align="right", colour=INK, limit=NAME_WIDTH)

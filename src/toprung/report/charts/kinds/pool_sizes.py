"""How many answers does each query have to compare? The sizes of the pools (Arabzadeh et al. 2021, figures 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from toprung.analyses.pools.find import PoolReport
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.axes import draw_x_axis, draw_y_axis
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.scales import AxisScale, Tick, nice_end
from toprung.report.charts.svg.setting import HALF, PLAIN, ChartSetting
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import INK_2, MARK, RULE_2
from toprung.words.wording import say_count, say_queries, show_number

WIDTH, HEIGHT = HALF - 60, 240
WIDEST_BAR = 60
LABELS_WIDTH = 48
TO_COMPARE, NO_LABEL, SETTLED = "answers to compare", "one answer that is no label", "the label alone: settled"
COLOURS = {TO_COMPARE: MARK, NO_LABEL: INK_2, SETTLED: RULE_2}


def draw(result: PoolReport, setting: ChartSetting = PLAIN) -> Figure:
    return Figure(
        kind="pool-sizes",
        title="Sizes of the pools",
        finding=_say_sizes(result),
        caption=(
            "How many queries have a pool of that many items: the first answers of the runs, and the label. A pool of "
            "n items makes n(n − 1)/2 pairs; one of the label alone makes none."
        ),
        drawing=_draw_histogram(result, setting),
    )


def _say_sizes(result: PoolReport) -> str:
    settled = f", {result.n_settled:,} of them settled" if result.n_settled else ""
    return (
        f"{say_queries(result.n_queries)}{settled}: a pool holds {show_number(result.mean, 2)} items in the mean, "
        f"{result.median:g} in the median, which makes {say_count(result.n_pairs, 'pair')}."
    )


class PoolBar(NamedTuple):
    """Queries whose pools have so many items, from where their bar begins to where it ends."""

    items: int
    kind: str
    base: int
    top: int


def _draw_histogram(result: PoolReport, setting: ChartSetting) -> Drawing:
    largest, most = result.sizes[-1].items, max(size.n_queries for size in result.sizes)
    drawing = Drawing(width=setting.fit(min(WIDTH, WIDEST_BAR * largest), LABELS_WIDTH), height=HEIGHT, setting=setting)
    x = AxisScale(low=0.5, high=largest + 0.5, start=0, end=drawing.width)
    y = AxisScale(low=0, high=nice_end(most, 5), start=HEIGHT, end=0)
    counts = y.ticks(5) if most > 5 else [Tick(count, str(count)) for count in range(most + 1)]
    draw_y_axis(drawing, y, counts, title="queries", title_up=20)
    draw_x_axis(
        drawing, x, [Tick(items, f"{items:,}") for items in _ticks(largest)], title="items in the pool", title_at="end"
    )
    bars = list(_bars(result))
    for bar in bars:
        facts = {"items": f"{bar.items:,} items", "queries": f"{bar.top - bar.base:,}", "kind": bar.kind}
        left, right = x(bar.items - 0.42), x(bar.items + 0.42)
        drawing.rect(left, y(bar.top), right, y(bar.base), fill=COLOURS[bar.kind], facts=facts)
    if drawing.width / largest >= text_width(f"{most:,}", SMALL) + 3:
        for size in result.sizes:
            drawing.text(f"{size.n_queries:,}", x(size.items), y(size.n_queries) - 9, align="center", colour=INK_2)
    kinds = [kind for kind in COLOURS if any(bar.kind == kind for bar in bars)]
    drawing.explain(Entry(kind, fill=COLOURS[kind]) for kind in kinds if len(kinds) > 1)
    return drawing


def _bars(result: PoolReport) -> Iterator[PoolBar]:
    """One a size; of one item those that are settled stand below those that are not."""
    for size in result.sizes:
        parts = [(TO_COMPARE, size.n_queries)]
        if size.items == 1:
            parts = [(SETTLED, result.n_settled), (NO_LABEL, result.n_unvouched)]
        base = 0
        for kind, n in parts:
            if n:
                yield PoolBar(size.items, kind, base, base + n)
            base += n


def _ticks(largest: int) -> list[int]:
    step = next(step for step in (1, 5, 10, 50, 100, largest) if largest <= 20 * step)
    return [items for items in range(1, largest + 1) if items == 1 or items % step == 0]

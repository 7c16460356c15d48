"""How many answers does each query have to compare? The sizes of the pools (Arabzadeh et al. 2021, figures 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator

import altair as alt

from toprung.analyses.pools.find import PoolReport
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.theme import HALF
from toprung.report.charts.tokens import INK_2, MARK, RULE_2
from toprung.words.wording import say_count, say_queries, show_number

WIDTH, HEIGHT = HALF - 60, 240
WIDEST_BAR = 60
DIGIT_WIDTH = 7.5
TO_COMPARE, NO_LABEL, SETTLED = "answers to compare", "one answer that is no label", "the label alone: settled"
COLOURS = {TO_COMPARE: MARK, NO_LABEL: INK_2, SETTLED: RULE_2}


def draw(result: PoolReport) -> Figure:
    return Figure(
        kind="pool-sizes",
        title="Sizes of the pools",
        finding=_say_sizes(result),
        caption=(
            "How many queries have a pool of that many items: the first answers of the runs, and the label. A pool of "
            "n items makes n(n − 1)/2 pairs; one of the label alone makes none."
        ),
        chart=_histogram(result),
    )


def _say_sizes(result: PoolReport) -> str:
    settled = f", {result.n_settled:,} of them settled" if result.n_settled else ""
    return (
        f"{say_queries(result.n_queries)}{settled}: a pool holds {show_number(result.mean, 2)} items in the mean, "
        f"{result.median:g} in the median, which makes {say_count(result.n_pairs, 'pair')}."
    )


def _histogram(result: PoolReport) -> alt.LayerChart:
    largest, most = result.sizes[-1].items, max(size.n_queries for size in result.sizes)
    width = min(WIDTH, WIDEST_BAR * largest)
    x = alt.X(
        "left:Q",
        scale=alt.Scale(domain=[0.5, largest + 0.5], nice=False, zero=False),
        axis=alt.Axis(title="items in the pool", titleAnchor="end", format="d", values=_ticks(largest)),
    )
    kinds = [kind for kind in COLOURS if any(row["kind"] == kind for row in _bars(result))]
    legend = alt.Undefined if len(kinds) > 1 else None
    scale = alt.Scale(domain=kinds, range=[COLOURS[kind] for kind in kinds])
    y_axis = alt.Axis(
        title="queries", titleAngle=0, titleAlign="left", titleX=0, titleY=-20, titleBaseline="bottom", format=",d",
        **({"tickCount": 5} if most > 5 else {"values": list(range(most + 1))}),
    )  # fmt: skip
    bars = (
        alt.Chart(values(_bars(result)))
        .mark_rect(aria=False)
        .encode(
            x=x,
            x2=alt.X2("right:Q"),
            y=alt.Y("base:Q", axis=y_axis),
            y2=alt.Y2("top:Q"),
            fill=alt.Fill("kind:N", scale=scale, legend=legend),
            tooltip=[
                alt.Tooltip("items:Q", title="items"),
                alt.Tooltip("queries:Q", format=",d"),
                alt.Tooltip("kind:N"),
            ],
        )
    )
    counts = (
        alt.Chart(values(_counts(result)))
        .mark_text(baseline="bottom", dy=-3, color=INK_2, fontSize=11.5, aria=False)
        .encode(x=alt.X("items:Q"), y=alt.Y("queries:Q"), text=alt.Text("shown:N"))
    )
    has_room = width / largest >= DIGIT_WIDTH * len(f"{most:,}")
    layers = (bars, counts) if has_room else (bars,)
    return alt.layer(*layers).resolve_scale(color="independent").properties(width=width, height=HEIGHT)


def _bars(result: PoolReport) -> Iterator[dict[str, object]]:
    """One a size; of one item those that are settled stand below those that are not."""
    for size in result.sizes:
        parts = [(TO_COMPARE, size.n_queries)]
        if size.items == 1:
            parts = [(SETTLED, result.n_settled), (NO_LABEL, result.n_unvouched)]
        base = 0
        for kind, n in parts:
            if n:
                edges = {"left": size.items - 0.42, "right": size.items + 0.42, "base": base, "top": base + n}
                yield {"items": size.items, "queries": n, "kind": kind, **edges}
            base += n


def _counts(result: PoolReport) -> Iterator[dict[str, object]]:
    for size in result.sizes:
        yield {"items": size.items, "queries": size.n_queries, "shown": f"{size.n_queries:,}"}


def _ticks(largest: int) -> list[int]:
    step = next(step for step in (1, 5, 10, 50, 100, largest) if largest <= 20 * step)
    return [items for items in range(1, largest + 1) if items == 1 or items % step == 0]

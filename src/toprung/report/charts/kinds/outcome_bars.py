"""On how many queries does each of two runs do better, and in which way? One bar a pair, wins left and losses right.

Wins grow from the left edge and losses from the right one, so both are read against an edge, and what is rounded away
goes to the middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import altair as alt

from toprung.analyses.compare.find import Comparisons
from toprung.boards.outcomes import Outcomes
from toprung.report.charts.data import fixed, values
from toprung.report.charts.figure import Figure
from toprung.report.charts.side_texts import axis_room, heading
from toprung.report.charts.tokens import (
    BETTER,
    INK,
    INK_2,
    INK_3,
    NEITHER,
    ONLY_OTHER,
    ONLY_THIS,
    OTHER_INK,
    SAME,
    WORSE,
)
from toprung.words.visible import in_one_line
from toprung.words.wording import fit, say_count, say_queries, show_share

BAR_WIDTH, BIG_BAR_WIDTH = 720, 1140
BAR_HEIGHT, BIG_BAR_HEIGHT, ROW_HEIGHT = 14, 42, 24
NAMES_OFFSET = 50
"""Points from the bars to the names, with the first of the two shares between them."""
GAP = 1.5
"""Points between two parts of a bar."""
NAME_LENGTH = 22
MOST_BARS = 120

COLOURS = (ONLY_THIS, BETTER, SAME, NEITHER, WORSE, ONLY_OTHER)
"""In the order of the bar, which is fixed."""


class Bar(NamedTuple):
    """One pair, of which there are ranks."""

    a: str
    b: str
    measure: str
    outcomes: Outcomes

    @property
    def counts(self) -> tuple[int, ...]:
        found = self.outcomes
        return found.only_b, found.b_higher, found.same, found.neither, found.a_higher, found.only_a

    @property
    def wins(self) -> float:
        return self.outcomes.share(self.outcomes.only_b + self.outcomes.b_higher)

    @property
    def losses(self) -> float:
        return self.outcomes.share(self.outcomes.only_a + self.outcomes.a_higher)


def draw(result: Comparisons) -> Figure | None:
    """The outcomes of every pair; None where there are only scores, which do not tell them."""
    bars = [Bar(each.a, each.b, each.measure, each.breakdown.outcomes) for each in result.pairs if each.breakdown]
    if not bars:
        return None
    return Figure(
        kind="outcomes",
        title="Query by query",
        finding=_say_finding(bars),
        caption=_say_how_to_read(bars),
        chart=_big_bar(bars[0]) if len(bars) == 1 else _rows_of_bars(bars[:MOST_BARS]),
    )


def _common_a(bars: Sequence[Bar]) -> str | None:
    """The run that all others are compared with, if there is one."""
    return bars[0].a if len({bar.a for bar in bars}) == 1 else None


def _say_finding(bars: Sequence[Bar]) -> str:
    if len(bars) == 1:
        (bar,) = bars
        return (
            f"Of {say_queries(bar.outcomes.n)}, {bar.b} does better on {show_share(bar.wins)} and {bar.a} on "
            f"{show_share(bar.losses)}; on the others they do the same."
        )
    most, least = max(bars, key=lambda bar: bar.wins), min(bars, key=lambda bar: bar.wins)
    a = _common_a(bars)
    if a is None:
        pairs = say_count(len(bars), "pair")
        return f"In {pairs} B does better on {show_share(least.wins)} to {show_share(most.wins)} of the queries."
    return (
        f"Against {a}, the share of queries on which a run does better goes from {show_share(least.wins)} ({least.b}) "
        f"to {show_share(most.wins)} ({most.b})."
    )


def _say_how_to_read(bars: Sequence[Bar]) -> str:
    a = _common_a(bars) or "A, the other run,"
    b = bars[0].b if len(bars) == 1 else "the run of the row"
    left_out = f" Shown are the first {MOST_BARS} of {len(bars):,} pairs." if len(bars) > MOST_BARS else ""
    return (
        f"Blue, from the left: queries on which {b} does better; orange, from the right: those on which {a} does. "
        "Strong: only that run found the answer; light: both found it, that run higher. Shares are of all queries and "
        f"say nothing of chance: the verdict does.{left_out}"
    )


def _segments(bar: Bar, width: float) -> Iterator[tuple[float, float]]:
    """Where each part of a bar starts and ends, in percent, from shares rounded to one decimal."""
    only_b, b_higher, same, _, a_higher, only_a = (round(100 * bar.outcomes.share(count), 1) for count in bar.counts)
    left, right = only_b + b_higher, 100 - only_a - a_higher
    middle = min(left + same, right) if bar.outcomes.neither else right
    edges = (0, only_b, left, middle, right, right + a_higher, 100)
    gap = 100 * GAP / width
    for start, end in pairwise(edges):
        yield start, end - gap if end < 100 and end - start > 2 * gap else end


def _segment_rows(bar: Bar, name: str, words: Sequence[str], width: float) -> Iterator[dict[str, object]]:
    for part, count, (start, end) in zip(words, bar.counts, _segments(bar, width), strict=True):
        if count:
            share = show_share(bar.outcomes.share(count))
            yield {"pair": name, "part": part, "start": start, "end": end, "share": share, "queries": f"{count:,}"}


def _parts(
    rows: list[dict[str, object]], words: Sequence[str], *, height: int, legend: alt.Legend | None = None
) -> alt.Chart:
    """The bars themselves, without their places down the page."""
    colours = alt.Scale(domain=list(words), range=list(COLOURS))
    return (
        alt.Chart(values(rows))
        .mark_bar(height=height, aria=False)
        .encode(
            x=alt.X("start:Q", scale=alt.Scale(domain=[0, 100], nice=False), axis=None),
            x2=alt.X2("end:Q"),
            color=alt.Color("part:N", scale=colours, sort=list(words), legend=legend),
            tooltip=[alt.Tooltip("pair:N"), alt.Tooltip("part:N"), alt.Tooltip("share:N"), alt.Tooltip("queries:N")],
        )
    )


def _big_bar(bar: Bar) -> alt.LayerChart:
    """One bar with its six shares in words below."""
    a, b = (fit(in_one_line(run), NAME_LENGTH) for run in (bar.a, bar.b))
    lines = (
        (f"only {b}", "found it"),
        ("both found it,", f"{b} higher"),
        ("both found it,", "same rank"),
        ("neither", "found it"),
        ("both found it,", f"{a} higher"),
        (f"only {a}", "found it"),
    )
    words = [" ".join(pair) for pair in lines]
    parts = _parts(list(_segment_rows(bar, f"{b} and {a}", words, BIG_BAR_WIDTH)), words, height=BIG_BAR_HEIGHT)
    at_top: dict[str, Any] = {"align": "left", "baseline": "top", "aria": False}
    keys = alt.Chart(values(_key_rows(bar, lines)))
    x = alt.X("x:Q", scale=None, axis=None)
    below = BIG_BAR_HEIGHT + 14
    layers = (
        parts.encode(y=fixed(alt.YValue, BIG_BAR_HEIGHT / 2)),
        _total(f"◀ {b} does better: {show_share(bar.wins)}", x=0, align="left", color=ONLY_THIS),
        _total(f"{a} does better: {show_share(bar.losses)} ▶", x=BIG_BAR_WIDTH, align="right", color=OTHER_INK),
        keys.mark_square(size=110, opacity=1, aria=False).encode(
            x=x,
            y=fixed(alt.YValue, below + 7),
            color=alt.Color("part:N", legend=None),
            xOffset=fixed(alt.XOffsetValue, 6),
        ),
        keys.mark_text(dx=18, fontSize=15, fontWeight="bold", color=INK, **at_top).encode(
            x=x, y=fixed(alt.YValue, below), text=alt.Text("share:N")
        ),
        keys.mark_text(dx=70, fontSize=11.5, color=INK_3, **at_top).encode(
            x=x, y=fixed(alt.YValue, below + 3), text=alt.Text("queries:N")
        ),
        *(
            keys.mark_text(dx=18, color=INK_2, **at_top).encode(
                x=x, y=fixed(alt.YValue, below + down), text=alt.Text(line)
            )
            for down, line in ((21, "first:N"), (36, "second:N"))
        ),
    )
    return (
        alt.LayerChart(layer=list(layers))
        .resolve_scale(x="independent")
        .properties(width=BIG_BAR_WIDTH, height=BIG_BAR_HEIGHT)
    )


def _key_rows(bar: Bar, lines: Sequence[tuple[str, str]]) -> Iterator[dict[str, object]]:
    for column, ((first, second), count) in enumerate(zip(lines, bar.counts, strict=True)):
        yield {
            "x": column * BIG_BAR_WIDTH / len(lines),
            "part": f"{first} {second}",
            "first": first,
            "second": second,
            "share": show_share(bar.outcomes.share(count)),
            "queries": say_queries(count),
        }


def _total(text: str, *, x: float, align: str, color: str) -> alt.Chart:
    """What a side adds up to, above its end of the bar."""
    return heading(text, x=x, above=8, align=align, color=color, fontSize=12, fontWeight="bold")


def _row_names(bars: Sequence[Bar]) -> list[str]:
    """What sets the rows apart: the run, the other one where that differs, the measure where that does."""
    has_common_a = _common_a(bars) is not None
    has_measures = len({bar.measure for bar in bars}) > 1
    return [
        f"{bar.b}{'' if has_common_a else f' against {bar.a}'}{f', {bar.measure}' if has_measures else ''}"
        for bar in bars
    ]


def _rows_of_bars(bars: Sequence[Bar]) -> alt.LayerChart:
    a = _common_a(bars)
    words = (
        "only this run found it",
        "both, this one higher",
        "both, same rank",
        "neither found it",
        "both, the other higher",
        "only the other found it",
    )
    names = _row_names(bars)
    y = alt.Y("pair:N", sort=names, axis=alt.Axis(title=None, offset=NAMES_OFFSET, domain=False))
    rows = [row for bar, name in zip(bars, names, strict=True) for row in _segment_rows(bar, name, words, BAR_WIDTH)]
    totals = alt.Chart(
        values(
            {"pair": name, "wins": show_share(bar.wins), "losses": show_share(bar.losses)}
            for bar, name in zip(bars, names, strict=True)
        )
    )
    other = fit(a, NAME_LENGTH) if a else "the other"
    layers = (
        _parts(rows, words, height=BAR_HEIGHT, legend=alt.Legend(columns=3)).encode(y=y),
        totals.mark_text(align="right", color=ONLY_THIS, aria=False).encode(
            x=fixed(alt.XValue, -8), y=y, text=alt.Text("wins:N")
        ),
        totals.mark_text(align="left", color=OTHER_INK, aria=False).encode(
            x=fixed(alt.XValue, BAR_WIDTH + 8), y=y, text=alt.Text("losses:N")
        ),
        _total("◀ this run does better", x=0, align="left", color=ONLY_THIS),
        _total(f"{other} does better ▶", x=BAR_WIDTH, align="right", color=OTHER_INK),
        axis_room(names, offset=NAMES_OFFSET),
    )
    return alt.LayerChart(layer=list(layers)).properties(width=BAR_WIDTH, height=ROW_HEIGHT * len(bars))

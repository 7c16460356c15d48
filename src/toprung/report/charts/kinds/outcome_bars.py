"""On how many queries does each of two runs do better, and in which way? One bar a pair, wins left and losses right.

Wins grow from the left edge and losses from the right one, so both are read against an edge, and what is rounded away
goes to the middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from toprung.analyses.compare.find import Comparisons
from toprung.boards.outcomes import Outcomes
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import (
    BETTER,
    INK,
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
NAMES_OFFSET = 58
"""Points from the bars to the names, with the first of the two shares between them."""
GAP = 1.5
"""Points between two parts of a bar."""
NARROW_ROW = 40
"""Of a small screen: the name of a row stands over its bar."""
KEY_COLUMNS, NARROW_KEY_COLUMNS, KEY_HEIGHT = 6, 2, 64
NAME_LENGTH = 22
NAME_LIMIT = 420
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


def draw(result: Comparisons, setting: ChartSetting = PLAIN) -> Figure | None:
    """The outcomes of every pair; None where there are only scores, which do not tell them."""
    bars = [Bar(each.a, each.b, each.measure, each.breakdown.outcomes) for each in result.pairs if each.breakdown]
    if not bars:
        return None
    return Figure(
        kind="outcomes",
        title="Query by query",
        finding=_say_finding(bars),
        caption=_say_how_to_read(bars),
        drawing=_draw_big_bar(bars[0], setting) if len(bars) == 1 else _draw_rows(bars[:MOST_BARS], setting),
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


def _draw_parts(drawing: Drawing, bar: Bar, name: str, words: Sequence[str], *, top: float, height: float) -> None:
    """One bar, from edge to edge of the plot."""
    width = drawing.width
    for part, count, colour, (start, end) in zip(words, bar.counts, COLOURS, _segments(bar, width), strict=True):
        if count:
            share = show_share(bar.outcomes.share(count))
            facts = {"pair": name, "part": part, "share": share, "queries": f"{count:,}"}
            left, right = width * start / 100, width * end / 100
            of = Subject("pair", bar.b, bar.a)
            drawing.rect(left, top, right, top + height, fill=colour, facts=facts, of=of)


def _draw_big_bar(bar: Bar, setting: ChartSetting) -> Drawing:
    """One bar with its six shares in words below."""
    a, b = (fit(in_one_line(setting.name_of(run)), NAME_LENGTH) for run in (bar.a, bar.b))
    lines = (
        (f"only {b}", "found it"),
        ("both found it,", f"{b} higher"),
        ("both found it,", "same rank"),
        ("neither", "found it"),
        ("both found it,", f"{a} higher"),
        (f"only {a}", "found it"),
    )
    columns = NARROW_KEY_COLUMNS if setting.is_narrow else KEY_COLUMNS
    rows = len(lines) // columns
    drawing = Drawing(
        width=setting.fit(BIG_BAR_WIDTH), height=BIG_BAR_HEIGHT + 14 + KEY_HEIGHT * rows - 14, setting=setting
    )
    words = [" ".join(pair) for pair in lines]
    _draw_parts(drawing, bar, f"{b} and {a}", words, top=0, height=BIG_BAR_HEIGHT)
    _draw_totals(drawing, f"{b} does better: {show_share(bar.wins)}", f"{a} does better: {show_share(bar.losses)}")
    for place, (pair, colour, count) in enumerate(zip(lines, COLOURS, bar.counts, strict=True)):
        # On a small screen the wins stand in the left column and the losses in the right one.
        row, column = ((place, 0) if place < rows else (place - rows, 1)) if columns == 2 else (0, place)
        left, top = column * drawing.width / columns, BIG_BAR_HEIGHT + 14 + KEY_HEIGHT * row
        _draw_key(
            drawing, pair, colour, bar.outcomes.share(count), count, left=left, top=top, width=drawing.width / columns
        )
    return drawing


def _draw_key(
    drawing: Drawing,
    lines: tuple[str, str],
    colour: str,
    share: float,
    count: int,
    *,
    left: float,
    top: float,
    width: float,
) -> None:
    """What a part is: its colour, its share, its number of queries, and two lines of words."""
    drawing.point(left + 6, top + 8, shape="square", size=110, fill=colour)
    shown = show_share(share)
    drawing.text(shown, left + 18, top + 8, size=15, bold=True, colour=INK)
    drawing.text(say_queries(count), left + 26 + text_width(shown, 15, bold=True), top + 9, colour=INK_3)
    for number, line in enumerate(lines):
        drawing.text(line, left + 18, top + 27 + 15 * number, size=12, limit=width - 24)


def _draw_totals(drawing: Drawing, left: str, right: str) -> None:
    """What each side adds up to, above its end of the bar; in two lines where one is too short for both."""
    texts = f"◄ {left}", f"{right} ►"
    has_room = sum(text_width(text, 12, bold=True) for text in texts) + 12 <= drawing.width
    drawing.text(texts[0], 0, -14 if has_room else -32, size=12, bold=True, colour=ONLY_THIS)
    drawing.text(texts[1], drawing.width, -14, align="right", size=12, bold=True, colour=OTHER_INK)


def _row_names(bars: Sequence[Bar], setting: ChartSetting) -> list[str]:
    """What sets the rows apart: the run, the other one where that differs, the measure where that does."""
    has_common_a = _common_a(bars) is not None
    has_measures = len({bar.measure for bar in bars}) > 1
    name = setting.name_of
    return [
        f"{name(bar.b)}{'' if has_common_a else f' against {name(bar.a)}'}{f', {bar.measure}' if has_measures else ''}"
        for bar in bars
    ]


def _draw_rows(bars: Sequence[Bar], setting: ChartSetting) -> Drawing:
    a = _common_a(bars)
    words = (
        "only this run found it",
        "both, this one higher",
        "both, same rank",
        "neither found it",
        "both, the other higher",
        "only the other found it",
    )
    row_height = NARROW_ROW if setting.is_narrow else ROW_HEIGHT
    width = setting.fit(BAR_WIDTH)
    drawing = Drawing(width=width, height=row_height * len(bars), setting=setting)
    for number, (bar, name) in enumerate(zip(bars, _row_names(bars, setting), strict=True)):
        top = row_height * (number + 1) - BAR_HEIGHT - (ROW_HEIGHT - BAR_HEIGHT) / 2
        _draw_parts(drawing, bar, name, words, top=top, height=BAR_HEIGHT)
        _draw_row_texts(drawing, bar, name, top + BAR_HEIGHT / 2)
    other = fit(setting.name_of(a), NAME_LENGTH) if a else "the other"
    _draw_totals(drawing, "this run does better", f"{other} does better")
    drawing.explain(Entry(word, fill=colour) for word, colour in zip(words, COLOURS, strict=True))
    return drawing


def _draw_row_texts(drawing: Drawing, bar: Bar, name: str, middle: float) -> None:
    """The name and the two shares: beside the bar, or over it on a small screen."""
    wins, losses, of = show_share(bar.wins), show_share(bar.losses), Subject("run", bar.b)
    if drawing.setting.is_narrow:
        over = middle - BAR_HEIGHT - 4
        shares = f"{wins} against {losses}"
        limit = drawing.width - text_width(shares, SMALL) - 12
        drawing.text(name, 0, over, limit=limit, of=of)
        drawing.text(shares, drawing.width, over, align="right", colour=INK_3)
        return
    drawing.text(name, -NAMES_OFFSET, middle, align="right", colour=INK_3, limit=NAME_LIMIT, of=of)
    drawing.text(wins, -8, middle, align="right", size=12, colour=ONLY_THIS)
    drawing.text(losses, drawing.width + 8, middle, align="left", size=12, colour=OTHER_INK)

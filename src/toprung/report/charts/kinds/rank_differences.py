"""How far apart do two runs put the answer, where both find it? A histogram whose bins widen outwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from toprung.analyses.compare.find import Comparisons
from toprung.analyses.compare.pair import PairComparison
from toprung.boards.rank_differences import RankDifferences
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.setting import HALF, PLAIN, ChartSetting
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import BETTER, INK_2, INK_3, ONLY_THIS, OTHER_INK, RULE_2, SAME, WORSE
from toprung.words.wording import fit, say_queries

HEIGHT = 200
NAME_LENGTH = 16
WIDEST_BAR = 60


def draw(result: Comparisons, setting: ChartSetting = PLAIN) -> Figure | None:
    """Of the first pair; None where there are no ranks, or no query that both answer."""
    pair = result.pairs[0]
    found = pair.breakdown.rank_differences if pair.breakdown else None
    if found is None or not (found.same or found.bins):
        return None
    return Figure(
        kind="rank-differences",
        title="How far apart, where both answer",
        finding=_say_finding(pair, found),
        caption=(
            f"Queries that both runs answer, by the number of ranks between the two answers: {pair.b} higher at the "
            f"left, {pair.a} higher at the right. The bins widen outwards. A few queries at the far end can carry a "
            "mean."
        ),
        drawing=_draw_histogram(pair, found, setting),
    )


def _say_finding(pair: PairComparison, found: RankDifferences) -> str:
    told = (
        f"Of {say_queries(found.n)} that both answer, {pair.b} is higher on {found.b_higher:,}, {pair.a} on "
        f"{found.a_higher:,}, and on {found.same:,} the rank is the same"
    )
    if not found.bins:
        return f"{told}."
    far = found.bins[-1]
    apart = f"{far.low} ranks or more" if far.is_open else f"{far.words} {'rank' if far.words == '1' else 'ranks'}"
    return f"{told}; by {apart} {pair.b} leads on {far.b_higher:,}, {pair.a} on {far.a_higher:,}."


class _Bar(NamedTuple):
    """A bin of one side, known by its words."""

    words: str
    n: int
    colour: str
    said: str


def _draw_histogram(pair: PairComparison, found: RankDifferences, setting: ChartSetting) -> Drawing:
    bars = list(_bars(pair, found, setting))
    drawing = Drawing(width=setting.fit(HALF), height=HEIGHT, setting=setting)
    step = drawing.width / len(bars)
    highest = max(bar.n for bar in bars)
    free_from = 0.0
    for place, bar in enumerate(bars):
        middle, half = step * (place + 0.5), min(WIDEST_BAR, 0.92 * step) / 2
        top = HEIGHT - (HEIGHT - 20) * bar.n / highest
        facts = {"bin": bar.said, "queries": f"{bar.n:,}"}
        drawing.rect(middle - half, top, middle + half, HEIGHT, fill=bar.colour, facts=facts)
        drawing.text(f"{bar.n:,}", middle, top - 10, align="center", colour=INK_2)
        label = text_width(bar.words, SMALL) / 2
        if middle - label >= free_from:
            free_from = middle + label + 4
            drawing.text(bar.words, middle, HEIGHT + 12, align="center", colour=INK_3)
    drawing.rule((0, HEIGHT), (drawing.width, HEIGHT), stroke=RULE_2)
    drawing.text("ranks between the two answers", drawing.width / 2, HEIGHT + 28, align="center", colour=INK_3)
    _draw_heads(drawing, pair, found)
    return drawing


def _bars(pair: PairComparison, found: RankDifferences, setting: ChartSetting) -> Iterator[_Bar]:
    """From the far wins of B at the left to the far wins of A at the right."""
    a, b = setting.name_of(pair.a), setting.name_of(pair.b)
    for each in reversed(found.bins):
        yield _Bar(each.words, each.b_higher, BETTER, f"{b} higher by {each.words}")
    yield _Bar("0", found.same, SAME, "the same rank")
    for each in found.bins:
        yield _Bar(each.words, each.a_higher, WORSE, f"{a} higher by {each.words}")


def _draw_heads(drawing: Drawing, pair: PairComparison, found: RankDifferences) -> None:
    """Whose side is whose; in two lines where one is too short for both."""
    b, a = (fit(drawing.setting.name_of(run), NAME_LENGTH) for run in (pair.b, pair.a))
    left, right = f"{b} higher: {say_queries(found.b_higher)}", f"{a} higher: {say_queries(found.a_higher)}"
    has_room = text_width(left, bold=True) + text_width(right, bold=True) + 12 <= drawing.width
    drawing.text(left, 0, -28 if has_room else -44, size=12, bold=True, colour=ONLY_THIS)
    drawing.text(right, drawing.width, -28, align="right", size=12, bold=True, colour=OTHER_INK)

"""How far apart do two runs put the answer, where both find it? A histogram whose bins widen outwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt

from toprung.analyses.compare.find import Comparisons
from toprung.analyses.compare.pair import PairComparison
from toprung.boards.rank_differences import RankDifferences
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.side_texts import heading
from toprung.report.charts.theme import HALF
from toprung.report.charts.tokens import BETTER, INK_2, ONLY_THIS, OTHER_INK, SAME, WORSE
from toprung.words.wording import fit, say_queries

HEIGHT = 200
NAME_LENGTH = 16
WIDEST_BAR = 60


def draw(result: Comparisons) -> Figure | None:
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
        chart=_histogram(pair, found),
    )


def _say_finding(pair: PairComparison, found: RankDifferences) -> str:
    total = found.same + found.b_higher + found.a_higher
    told = (
        f"Of {say_queries(total)} that both answer, {pair.b} is higher on {found.b_higher:,}, {pair.a} on "
        f"{found.a_higher:,}, and on {found.same:,} the rank is the same"
    )
    if not found.bins:
        return f"{told}."
    far = found.bins[-1]
    apart = f"{far.low} ranks or more" if far.is_open else f"{far.words} {'rank' if far.words == '1' else 'ranks'}"
    return f"{told}; by {apart} {pair.b} leads on {far.b_higher:,}, {pair.a} on {far.a_higher:,}."


def _histogram(pair: PairComparison, found: RankDifferences) -> alt.LayerChart:
    rows = list(_bars(pair, found))
    axis = alt.Axis(
        title="ranks between the two answers",
        titleAnchor="middle",
        labelAngle=0,
        labelExpr="split(datum.label, '|')[1]",
        ticks=False,
    )
    base = alt.Chart(values(rows)).encode(
        x=alt.X("bin:N", sort=[row["bin"] for row in rows], axis=axis),
        y=alt.Y("queries:Q", axis=None, scale=alt.Scale(nice=False)),
    )
    bars = base.mark_bar(size=min(WIDEST_BAR, 0.92 * HALF / len(rows)), aria=False).encode(
        color=alt.Color("color:N", scale=None), tooltip=[alt.Tooltip("said:N"), alt.Tooltip("shown:N", title="queries")]
    )
    counts = base.mark_text(baseline="bottom", dy=-4, fontSize=11.5, color=INK_2, aria=False).encode(
        text=alt.Text("shown:N")
    )
    b, a = fit(pair.b, NAME_LENGTH), fit(pair.a, NAME_LENGTH)
    heads = (
        _head(f"{b} higher: {say_queries(found.b_higher)}", x=0, align="left", color=ONLY_THIS),
        _head(f"{a} higher: {say_queries(found.a_higher)}", x=HALF, align="right", color=OTHER_INK),
    )
    return alt.LayerChart(layer=[bars, counts, *heads]).properties(width=HALF, height=HEIGHT)


def _bars(pair: PairComparison, found: RankDifferences) -> Iterator[dict[str, Any]]:
    """From the far wins of B at the left to the far wins of A at the right."""
    for each in reversed(found.bins):
        yield _bar("B", each.words, each.b_higher, BETTER, f"{pair.b} higher by {each.words}")
    yield _bar("", "0", found.same, SAME, "the same rank")
    for each in found.bins:
        yield _bar("A", each.words, each.a_higher, WORSE, f"{pair.a} higher by {each.words}")


def _bar(side: str, words: str, count: int, color: str, said: str) -> dict[str, Any]:
    """A bin is known by its side and its words, of which the axis shows the words."""
    return {"bin": f"{side}|{words}", "queries": count, "shown": f"{count:,}", "color": color, "said": said}


def _head(text: str, *, x: float, align: str, color: str) -> alt.Chart:
    return heading(text, x=x, above=22, align=align, color=color, fontSize=12, fontWeight="bold")

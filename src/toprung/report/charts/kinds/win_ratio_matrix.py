"""Which run's first answer do people prefer? Win ratios of all pairs of runs (Arabzadeh et al. 2021, table 4).

Blue where the run of the column wins more often, orange where that of the row does; strong where it is beyond chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import altair as alt

from toprung.analyses.win_ratio.result import WinRatio, WinRatios
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.side_texts import across, column, down, edge_column, heading, headings
from toprung.report.charts.spans import spans_of
from toprung.report.charts.tokens import BETTER, INK, ONLY_OTHER, ONLY_THIS, RAMP, RAMP_HIGH_INK, SAME, WORSE
from toprung.stats.tests.corrections import CORRECTION_NAMES
from toprung.words.wording import say_count

WINS, WINS_PERHAPS, EVEN, LOSES_PERHAPS, LOSES, OPEN = (
    "column wins, beyond chance",
    "column wins more often, cannot be told apart",
    "each wins as often",
    "row wins more often, cannot be told apart",
    "row wins, beyond chance",
    "no pair is decided",
)
COLOURS = {
    WINS: ONLY_THIS,
    WINS_PERHAPS: BETTER,
    EVEN: SAME,
    LOSES_PERHAPS: WORSE,
    LOSES: ONLY_OTHER,
    OPEN: RAMP[0],
}
MOST_WITH_DECIMALS, MOST_WITH_FIGURES = 12, 26
WIDEST_GRID = 720
LONGEST_HEAD = 5
"""Characters of a name that fit over a column; if any is longer, columns are numbered."""
NAME_LIMIT = 260
SEAM = 1


@dataclass(frozen=True, kw_only=True)
class _WinRatioLayout:
    """The runs, those that win against most first, and the size of a cell in points."""

    result: WinRatios
    runs: tuple[str, ...]
    wide: int
    high: int
    decimals: int | None
    """Of the figures in the cells; None where there is no room for any."""

    @classmethod
    def of(cls, result: WinRatios) -> _WinRatioLayout:
        runs = tuple(sorted(result.runs, key=lambda run: -result.won[run]))
        n = len(runs)
        if n <= MOST_WITH_DECIMALS:
            return cls(result=result, runs=runs, wide=48, high=28, decimals=1)
        if n <= MOST_WITH_FIGURES:
            return cls(result=result, runs=runs, wide=28, high=22, decimals=0)
        return cls(result=result, runs=runs, wide=max(7, WIDEST_GRID // n), high=15, decimals=None)

    def look(self, pair: WinRatio) -> str:
        if not pair.n:
            return OPEN
        if pair.wins == pair.losses:
            return EVEN
        is_sure = self.result.is_significant(pair)
        if pair.wins > pair.losses:
            return WINS if is_sure else WINS_PERHAPS
        return LOSES if is_sure else LOSES_PERHAPS

    def middle(self, row: int) -> float:
        return self.high * (row + 0.5)


def draw(result: WinRatios) -> Figure:
    grid = _WinRatioLayout.of(result)
    n = [pair.n for pair in result.pairs]
    queries = f"{min(n):,}" if min(n) == max(n) else f"{min(n):,} to {max(n):,}"
    figures = "In percent, how" if grid.decimals is not None else "How"
    return Figure(
        kind="win-ratios",
        title="Whose first answer is preferred",
        finding=result.sentence,
        caption=(
            f"{figures} often the first answer of the run in the column is preferred to that of the run in the row, "
            f"over the {queries} queries of a pair that are decided; the run with most wins first. Beyond chance: "
            f"exact binomial test {CORRECTION_NAMES[result.correction]} over {say_count(len(result.pairs), 'pair')}, "
            f"at {result.alpha:g}."
        ),
        chart=_matrix(grid),
    )


def _matrix(grid: _WinRatioLayout) -> alt.LayerChart:
    n = len(grid.runs)
    width, height = grid.wide * n, grid.high * n
    is_numbered = any(len(run) > LONGEST_HEAD for run in grid.runs) or grid.decimals != 1
    names = ((f"{row + 1}  {run}" if is_numbered else run, grid.middle(row)) for row, run in enumerate(grid.runs))
    won = ((f"{grid.result.won[run]:,}", grid.middle(row)) for row, run in enumerate(grid.runs))
    layers = (
        *_cells(grid, width),
        *([] if grid.decimals is None else [_figures(grid)]),
        headings(_heads(grid, is_numbered=is_numbered), align="center"),
        *edge_column(names, x=-8, color=INK, limit=NAME_LIMIT),
        heading("wins", "against", x=width + 52),
        column(won, x=width + 52),
    )
    return alt.layer(*layers).resolve_scale(x="independent", y="independent").properties(width=width, height=height)


def _heads(grid: _WinRatioLayout, *, is_numbered: bool) -> Iterator[tuple[str, float]]:
    step = 1 if grid.wide >= 20 else 5
    for place, run in enumerate(grid.runs):
        if place == 0 or (place + 1) % step == 0:
            yield str(place + 1) if is_numbered else run, grid.wide * (place + 0.5)


def _cells(grid: _WinRatioLayout, width: int) -> Iterator[alt.Chart]:
    """Every cell a mark that can be pointed at; where they are too many for figures, all of one colour are one line."""
    rows = list(_spans(grid))
    looks = [look for look in COLOURS if any(row["look"] == look for row in rows)]
    scale = alt.Scale(domain=looks, range=[COLOURS[look] for look in looks])
    legend = alt.Legend(columns=1, symbolType="square", labelLimit=360)
    x = alt.Scale(domain=[0, width], nice=False)
    is_dense = grid.decimals is None
    # Of many cells the legend needs one of each colour.
    marks = [next(row for row in rows if row["look"] == look) for look in looks] if is_dense else rows
    yield (
        alt.Chart(values(marks))
        .mark_rect(aria=False)
        .encode(
            x=alt.X("left:Q", scale=x, axis=None),
            x2=alt.X2("right:Q"),
            y=down("above"),
            y2=alt.Y2("below:Q"),
            fill=alt.Fill("look:N", scale=scale, legend=legend),
            **({} if is_dense else {"tooltip": ["pair:N", "wins:N"]}),
        )
    )
    for look in looks if is_dense else ():
        line = alt.Chart(values(_strokes(row for row in rows if row["look"] == look)))
        yield line.mark_line(color=COLOURS[look], strokeWidth=grid.high - SEAM, strokeCap="butt", aria=False).encode(
            x=alt.X("x:Q", scale=x, axis=None), y=down("y"), order=alt.Order("place:Q")
        )


def _spans(grid: _WinRatioLayout) -> Iterator[dict[str, Any]]:
    """Every cell; where there are too many for figures, neighbours that look the same together."""
    are_apart = grid.decimals is not None
    for row, other in enumerate(grid.runs):
        pairs = [None if run == other else grid.result[run, other] for run in grid.runs]
        looks = [
            None if pair is None else (grid.look(pair), place if are_apart else 0) for place, pair in enumerate(pairs)
        ]
        for start, end, look in spans_of(looks):
            pair = pairs[start]
            if look is None or pair is None:
                continue
            edges = {"left": grid.wide * start, "right": grid.wide * end - (SEAM if are_apart else 0)}
            told = {"pair": f"{pair.run} against {other}", "wins": f"{pair.wins:,} of {pair.n:,}"} if are_apart else {}
            yield {"look": look[0], **edges, "above": grid.high * row, "below": grid.high * (row + 1) - SEAM, **told}


def _strokes(spans: Iterable[dict[str, Any]]) -> Iterator[dict[str, float | None]]:
    """Points of one line that goes along each span and is broken between them."""
    for place, span in enumerate(spans):
        y = (span["above"] + span["below"]) / 2
        for step, x in enumerate((span["left"], span["right"], None)):
            yield {"x": x, "y": y, "place": 3 * place + step}


def _figures(grid: _WinRatioLayout) -> alt.Chart:
    """The ratios in percent."""
    rows = [
        {
            "x": grid.wide * (place + 0.5),
            "down": grid.middle(row),
            "text": f"{100 * pair.ratio:.{grid.decimals}f}" if pair.n else "–",
            "colour": RAMP_HIGH_INK if grid.look(pair) in (WINS, LOSES) else INK,
        }
        for row, other in enumerate(grid.runs)
        for place, run in enumerate(grid.runs)
        if run != other
        for pair in [grid.result[run, other]]
    ]
    return (
        alt.Chart(values(rows))
        .mark_text(baseline="middle", fontSize=11.5, aria=False)
        .encode(
            x=across("x"),
            y=down("down"),
            text=alt.Text("text:N"),
            color=alt.Color("colour:N", scale=None, legend=None),
        )
    )

"""Which run's first answer do people prefer? Win ratios of all pairs of runs (Arabzadeh et al. 2021, table 4).

Blue where the run of the column wins more often, orange where that of the row does; strong where it is beyond chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from toprung.analyses.win_ratio.result import WinRatio, WinRatios
from toprung.report.charts.figure import Figure
from toprung.report.charts.spans import spans_of
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import BETTER, INK, INK_3, ONLY_OTHER, ONLY_THIS, RAMP, RAMP_HIGH_INK, SAME, WORSE
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
WITH_DECIMALS, WITH_FIGURES = 48, 28
"""The width of a cell that holds such figures."""
WIDEST_GRID = 720
NAME_LIMIT = 260
NARROW_NAME, NARROW_WINS = 18, 64
"""Of a small screen: the line of a name over its cells, and what the wins take of it."""
SEAM = 1


@dataclass(frozen=True, kw_only=True)
class _WinRatioLayout:
    """The runs, those that win against most first, and the size of a cell in points."""

    result: WinRatios
    runs: tuple[str, ...]
    wide: float
    high: int
    decimals: int | None
    """Of the figures in the cells; None where there is no room for any."""
    above: int
    """What a name takes over its cells; nothing where it stands beside them."""

    @classmethod
    def of(cls, result: WinRatios, setting: ChartSetting) -> _WinRatioLayout:
        runs = tuple(sorted(result.runs, key=lambda run: -result.won[run]))
        n, above = len(runs), NARROW_NAME if setting.is_narrow else 0
        room = setting.fit(n * WIDEST_GRID) / n
        wide, high, decimals = min(room, max(7, WIDEST_GRID // n)), 15, None
        if n <= MOST_WITH_DECIMALS and room >= WITH_DECIMALS:
            wide, high, decimals = WITH_DECIMALS, 28, 1
        elif n <= MOST_WITH_FIGURES and room >= WITH_FIGURES:
            wide, high, decimals = WITH_FIGURES, 22, 0
        return cls(result=result, runs=runs, wide=wide, high=high, decimals=decimals, above=above)

    def look(self, pair: WinRatio) -> str:
        if not pair.n:
            return OPEN
        if pair.wins == pair.losses:
            return EVEN
        is_sure = self.result.is_significant(pair)
        if pair.wins > pair.losses:
            return WINS if is_sure else WINS_PERHAPS
        return LOSES if is_sure else LOSES_PERHAPS

    @property
    def height(self) -> float:
        return self.top(len(self.runs)) - self.above

    def top(self, row: int) -> float:
        """Of its cells."""
        return (self.high + self.above) * row + self.above

    def middle(self, row: int) -> float:
        return self.top(row) + self.high / 2


def draw(result: WinRatios, setting: ChartSetting = PLAIN) -> Figure:
    grid = _WinRatioLayout.of(result, setting)
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
        drawing=_draw_matrix(grid, setting),
    )


class Span(NamedTuple):
    """A cell, or neighbours that look the same."""

    look: str
    row: int
    start: int
    end: int
    pair: WinRatio


def _draw_matrix(grid: _WinRatioLayout, setting: ChartSetting) -> Drawing:
    n = len(grid.runs)
    width = setting.fit(WIDEST_GRID) if setting.is_narrow else grid.wide * n
    drawing = Drawing(width=width, height=grid.height, setting=setting)
    spans = list(_spans(grid))
    if grid.decimals is None:
        _draw_strokes(drawing, grid, spans)
    else:
        _draw_cells(drawing, grid, spans)
    _draw_texts(drawing, grid)
    drawing.explain(Entry(look, fill=COLOURS[look]) for look in COLOURS if any(span.look == look for span in spans))
    return drawing


def _draw_texts(drawing: Drawing, grid: _WinRatioLayout) -> None:
    """Over columns their names, or numbers where these have no room; beside or over the rows names and wins."""
    names = [drawing.setting.name_of(run) for run in grid.runs]
    is_numbered = any(text_width(name, 11.5) > grid.wide - 6 for name in names) or grid.decimals != 1
    step = 1 if grid.wide >= 20 else 5
    for place, name in enumerate(names):
        if place == 0 or (place + 1) % step == 0:
            text = str(place + 1) if is_numbered else name
            drawing.text(text, grid.wide * (place + 0.5), -12, align="center", colour=INK_3)
    shown = [f"{row + 1}  {name}" if is_numbered else name for row, name in enumerate(names)]
    if drawing.setting.is_narrow:
        _draw_names_over(drawing, grid, shown)
    else:
        _draw_names_beside(drawing, grid, shown)


def _draw_names_over(drawing: Drawing, grid: _WinRatioLayout, names: list[str]) -> None:
    """On a small screen: in lines of their own, for beside the cells they would be cut."""
    limit = drawing.width - NARROW_WINS
    for row, (run, name) in enumerate(zip(grid.runs, names, strict=True)):
        middle = grid.top(row) - NARROW_NAME / 2
        drawing.text(name, 0, middle, colour=INK, limit=limit, of=Subject("run", run))
        drawing.text(say_count(grid.result.won[run], "win"), drawing.width, middle, align="right")


def _draw_names_beside(drawing: Drawing, grid: _WinRatioLayout, names: list[str]) -> None:
    wins_at = drawing.width + 56
    for row, (run, name) in enumerate(zip(grid.runs, names, strict=True)):
        of = Subject("run", run)
        drawing.text(name, -8, grid.middle(row), align="right", colour=INK, limit=NAME_LIMIT, of=of)
        drawing.text(f"{grid.result.won[run]:,}", wins_at, grid.middle(row), align="right")
    drawing.heading("wins", "against", x=wins_at)


def _draw_cells(drawing: Drawing, grid: _WinRatioLayout, spans: list[Span]) -> None:
    """Each a mark that can be pointed at, with its ratio in percent."""
    name = drawing.setting.name_of
    for span in spans:
        pair, other = span.pair, grid.runs[span.row]
        facts = {"pair": f"{name(pair.run)} against {name(other)}", "wins": f"{pair.wins:,} of {pair.n:,}"}
        left, right = grid.wide * span.start, grid.wide * span.end - SEAM
        top, bottom = grid.top(span.row), grid.top(span.row) + grid.high - SEAM
        of = Subject("pair", pair.run, other)
        drawing.rect(left, top, right, bottom, fill=COLOURS[span.look], facts=facts, of=of)
    for span in spans:
        text = f"{100 * span.pair.ratio:.{grid.decimals}f}" if span.pair.n else "–"
        colour = RAMP_HIGH_INK if span.look in (WINS, LOSES) else INK
        drawing.text(text, grid.wide * (span.start + 0.5), grid.middle(span.row), align="center", colour=colour)


def _draw_strokes(drawing: Drawing, grid: _WinRatioLayout, spans: list[Span]) -> None:
    """Too many for figures: all of one colour as one mark."""
    for look, colour in COLOURS.items():
        alike = [span for span in spans if span.look == look]
        pieces = [(grid.wide * span.start, grid.wide * span.end, grid.middle(span.row) - SEAM / 2) for span in alike]
        if pieces:
            drawing.strokes(pieces, stroke=colour, width=grid.high - SEAM)


def _spans(grid: _WinRatioLayout) -> Iterator[Span]:
    """Every cell; where there are too many for figures, neighbours that look the same together."""
    are_apart = grid.decimals is not None
    for row, other in enumerate(grid.runs):
        pairs = [None if run == other else grid.result[run, other] for run in grid.runs]
        looks = [
            None if pair is None else (grid.look(pair), place if are_apart else 0) for place, pair in enumerate(pairs)
        ]
        for start, end, look in spans_of(looks):
            pair = pairs[start]
            if look is not None and pair is not None:
                yield Span(look[0], row, start, end, pair)

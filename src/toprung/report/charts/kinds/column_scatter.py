"""Do two score columns of a published leaderboard give one order? Each entry by both."""

from __future__ import annotations

import math
from collections.abc import Sequence

from toprung.analyses.holdout.published import ScoredEntry, ScoreHoldout
from toprung.report.charts.figure import Figure
from toprung.report.charts.scatter import NOTE_DOWN, Dot, MarkStyle, Name, Note, Point, Scatter
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.tokens import INK_2, MARK
from toprung.words.wording import show_number

FIRST, OTHER = "first in one of the two", "other entry"
# From scores alone nothing can be tested, so nothing is in the colour of the top rung.
STYLES = {FIRST: MarkStyle(colour=INK_2, size=70), OTHER: MarkStyle(colour=MARK, size=32)}
MOST_NAMED = 8


def draw(result: ScoreHoldout, setting: ChartSetting = PLAIN) -> Figure:
    return Figure(
        kind="private-scores",
        title=f"{result.public_column} against {result.private_column}",
        finding=result.sentence,
        caption=(
            "A mark for each entry. In one order of both columns the marks would rise from left to right without a "
            "step back. Named are those first in a column, and those that move most."
        ),
        drawing=_draw_entries(result, setting),
    )


def _draw_entries(result: ScoreHoldout, setting: ChartSetting) -> Drawing:
    scores = [(each.public, each.private) for each in result.entries]
    plot = Scatter.around(
        [x for x, _ in scores],
        [y for _, y in scores],
        x_title=result.public_column,
        y_title=result.private_column,
        setting=setting,
    )
    drawing = plot.draw_axes()
    dots = [
        Dot(run=each.name, x=each.public, y=each.private, kind=FIRST if _is_first(each) else OTHER)
        for each in result.entries
    ]
    plot.draw_marks(drawing, dots, STYLES)
    notes = _notes(result, plot, scores)
    for note in notes:
        plot.draw_note(drawing, note)
    names = [Name(text=setting.name_of(each.name), x=each.public, y=each.private) for each in _named(result)]
    plot.draw_names(drawing, names, scores, notes=notes)
    return drawing


def _notes(result: ScoreHoldout, plot: Scatter, marks: Sequence[Point]) -> list[Note]:
    if math.isnan(result.tau):
        return []
    tau = f"Kendall's τ = {show_number(result.tau, 2)}"
    return [plot.place_note((Note(text=tau, down=down) for down in (NOTE_DOWN, plot.height - NOTE_DOWN)), marks)]


def _is_first(entry: ScoredEntry) -> bool:
    return entry.public_rank == 1 or entry.private_rank == 1


def _named(result: ScoreHoldout) -> list[ScoredEntry]:
    """The first of either column, then the others by how far they move."""
    first = [each for each in result.entries if _is_first(each)]
    others = sorted(
        (each for each in result.entries if each.rank_change and not _is_first(each)),
        key=lambda each: (-abs(each.rank_change), each.public_rank),
    )
    return (first + others)[:MOST_NAMED]

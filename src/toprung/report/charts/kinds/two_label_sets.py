"""What do better labels do to the order of runs? Scores under two label sets (Arabzadeh et al. 2021, figure 6)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from toprung.analyses.relabel.tables import Relabelled, RelabelledRun
from toprung.report.charts.figure import Figure
from toprung.report.charts.scatter import NOTE_DOWN, Dot, MarkStyle, Name, Note, Point, Scatter
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.label_placement import LABEL_HEIGHT, Box
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.tokens import CONTROL, INK_2, INK_3, MARK, RULE_2
from toprung.words.wording import fit, say_queries, show_number

FIRST, OTHER = "first under one of the two", "other run"
STYLES = {FIRST: MarkStyle(colour=INK_2, size=70), OTHER: MarkStyle(colour=MARK, size=36)}
MOST_WITH_INTERVALS = 16
MOST_ALL_NAMED, MOST_NAMED = 12, 9
NAME_LENGTH = 23


def draw(result: Relabelled, setting: ChartSetting = PLAIN) -> Figure:
    intervals = " Hairlines: 95% intervals under the new labels, one run at a time." if _shows_intervals(result) else ""
    named = "" if len(result.rows) <= MOST_ALL_NAMED else " Named are those first on either side, and who moves most."
    return Figure(
        kind="label-sets",
        title="Scores under two label sets",
        finding=result.sentence,
        caption=(
            "A mark for each run: if both label sets gave one order, marks would rise from left to right without a "
            "step back. Behind a name: by how many places it climbs or falls under the new labels."
            f"{named}{intervals} Dashed: the ranking that is perfect by the original labels, under the new ones."
        ),
        drawing=_draw_runs(result, setting),
    )


def _shows_intervals(result: Relabelled) -> bool:
    return len(result.rows) <= MOST_WITH_INTERVALS


def _draw_runs(result: Relabelled, setting: ChartSetting) -> Drawing:
    scores = [(row.before.estimate, row.after.estimate) for row in result.rows]
    intervals = [_interval(row) for row in result.rows] if _shows_intervals(result) else []
    plot = Scatter.around(
        [x for x, _ in scores],
        [*(y for _, y in scores), *(y for ends in intervals for _, y in ends), result.perfect_after],
        x_title=f"{result.measure} under the original labels, {say_queries(result.n_queries)}",
        y_title=f"{result.measure} under the new labels",
        setting=setting,
        decimals=result.score_decimals,
    )
    level = (plot.left, result.perfect_after), (plot.right, result.perfect_after)
    notes = list(_notes(result, plot, scores, level))
    drawing = plot.draw_axes()
    for start, end in intervals:
        drawing.rule(plot.to_points(*start), plot.to_points(*end), stroke=RULE_2)
    drawing.rule(plot.to_points(*level[0]), plot.to_points(*level[1]), stroke=CONTROL, dash="4 3")
    for note in notes:
        plot.draw_note(drawing, note)
    dots = [
        Dot(run=row.run, x=x, y=y, kind=FIRST if _is_first(row) else OTHER)
        for row, (x, y) in zip(result.rows, scores, strict=True)
    ]
    plot.draw_marks(drawing, dots, STYLES)
    # Names keep clear of line and notes; over the pale intervals they can be read.
    plot.draw_names(drawing, list(_names(result, setting)), scores, [level], notes)
    return drawing


def _notes(result: Relabelled, plot: Scatter, marks: Sequence[Point], level: tuple[Point, Point]) -> Iterator[Note]:
    """What the dashed line is, above or below it; then τ, at the top or wherever that covers nothing."""
    start, end = (plot.to_points(*point) for point in level)
    words = f"perfect by the original labels: {show_number(result.perfect_after, result.score_decimals)}"
    beside_line = (Note(text=words, down=start[1] + by, colour=INK_3) for by in (-9, 10))
    perfect = plot.place_note(beside_line, marks)
    yield perfect
    if tau := _say_tau(result):
        downs = (NOTE_DOWN, plot.height - NOTE_DOWN, *range(NOTE_DOWN, int(plot.height), LABEL_HEIGHT))
        places = (Note(text=tau, down=down) for down in downs)
        yield plot.place_note(places, marks, [perfect.box, Box.between(start, end)])


def _say_tau(result: Relabelled) -> str:
    if math.isnan(result.tau):
        return ""
    top = (
        "" if math.isnan(result.tau_top) else f", {show_number(result.tau_top, 2)} among the first {result.top} before"
    )
    return f"Kendall's τ = {show_number(result.tau, 2)}{top}"


def _interval(row: RelabelledRun) -> tuple[Point, Point]:
    """From end to end under the new labels; of one query there is no more than the score."""
    x, after = row.before.estimate, row.after
    low, high = (after.estimate, after.estimate) if math.isnan(after.low) else (after.low, after.high)
    return (x, low), (x, high)


def _is_first(row: RelabelledRun) -> bool:
    return row.place_before == 1 or row.place_after == 1


def _names(result: Relabelled, setting: ChartSetting) -> Iterator[Name]:
    """All of few runs; of many those first on either side, then by how far they move."""
    by_move = sorted(result.rows, key=lambda row: (not _is_first(row), -abs(row.move), row.place_after))
    named = by_move if len(by_move) <= MOST_ALL_NAMED else by_move[:MOST_NAMED]
    for row in named:
        move = f" {show_number(row.move, 0, signed=True)}" if row.move else ""
        yield Name(
            text=f"{fit(setting.name_of(row.run), NAME_LENGTH)}{move}", x=row.before.estimate, y=row.after.estimate
        )

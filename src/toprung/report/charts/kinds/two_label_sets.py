"""What do better labels do to the order of runs? Scores under two label sets (Arabzadeh et al. 2021, figure 6)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import altair as alt

from toprung.analyses.relabel.tables import Relabelled, RelabelledRun
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import LABEL_HEIGHT, Box
from toprung.report.charts.scatter import NOTE_DOWN, MarkStyle, Name, Note, Point, Scatter
from toprung.report.charts.tokens import CONTROL, INK_2, INK_3, MARK, RULE_2
from toprung.words.wording import fit, say_queries, show_number

FIRST, OTHER = "first under one of the two", "other run"
STYLES = {FIRST: MarkStyle(colour=INK_2, size=70), OTHER: MarkStyle(colour=MARK, size=36)}
MOST_WITH_INTERVALS = 16
MOST_ALL_NAMED, MOST_NAMED = 12, 9
NAME_LENGTH = 23


def draw(result: Relabelled) -> Figure:
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
        chart=_chart(result),
    )


def _shows_intervals(result: Relabelled) -> bool:
    return len(result.rows) <= MOST_WITH_INTERVALS


def _chart(result: Relabelled) -> alt.LayerChart:
    scores = [(row.before.estimate, row.after.estimate) for row in result.rows]
    intervals = [_interval(row) for row in result.rows] if _shows_intervals(result) else []
    plot = Scatter.around(
        [x for x, _ in scores],
        [*(y for _, y in scores), *(y for ends in intervals for _, y in ends), result.perfect_after],
        x_title=f"{result.measure} under the original labels, {say_queries(result.n_queries)}",
        y_title=f"{result.measure} under the new labels",
    )
    level = (plot.left, result.perfect_after), (plot.right, result.perfect_after)
    notes = list(_notes(result, plot, scores, level))
    rows = [
        {"run": row.run, "x": x, "y": y, "kind": FIRST if _is_first(row) else OTHER}
        for row, (x, y) in zip(result.rows, scores, strict=True)
    ]
    layers = (
        *([_hairlines(plot, intervals)] if intervals else []),
        _level(plot, result.perfect_after),
        *(plot.note(note) for note in notes),
        plot.marks(rows, STYLES),
        # Names keep clear of line and notes; over the pale intervals they can be read.
        *plot.names(list(_names(result)), scores, [level], notes),
    )
    return alt.layer(*layers).resolve_scale(color="independent").properties(width=plot.width, height=plot.height)


def _notes(result: Relabelled, plot: Scatter, marks: Sequence[Point], level: tuple[Point, Point]) -> Iterator[Note]:
    """What the dashed line is, above or below it; then τ, at the top or wherever that covers nothing."""
    start, end = (plot.to_points(*point) for point in level)
    words = f"perfect by the original labels: {show_number(result.perfect_after, 4)}"
    beside_line = (Note(text=words, down=start[1] + by, colour=INK_3) for by in (-9, 10))
    perfect = plot.place_note(beside_line, marks)
    yield perfect
    if tau := _say_tau(result):
        downs = (NOTE_DOWN, plot.height - NOTE_DOWN, *range(NOTE_DOWN, plot.height, LABEL_HEIGHT))
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


def _hairlines(plot: Scatter, intervals: list[tuple[Point, Point]]) -> alt.Chart:
    rows = ({"x": x, "y": low, "y2": high} for (x, low), (_, high) in intervals)
    rule = alt.Chart(values(rows)).mark_rule(color=RULE_2, aria=False)
    return rule.encode(x=plot.x, y=plot.y, y2=alt.Y2("y2:Q"))


def _level(plot: Scatter, score: float) -> alt.Chart:
    rule = alt.Chart(values([{"y": score}])).mark_rule(color=CONTROL, strokeDash=[4, 3], aria=False)
    return rule.encode(y=plot.y)


def _names(result: Relabelled) -> Iterator[Name]:
    """All of few runs; of many those first on either side, then by how far they move."""
    by_move = sorted(result.rows, key=lambda row: (not _is_first(row), -abs(row.move), row.place_after))
    named = by_move if len(by_move) <= MOST_ALL_NAMED else by_move[:MOST_NAMED]
    for row in named:
        move = f" {show_number(row.move, 0, signed=True)}" if row.move else ""
        yield Name(text=f"{fit(row.run, NAME_LENGTH)}{move}", x=row.before.estimate, y=row.after.estimate)

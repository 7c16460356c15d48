"""Who led a published leaderboard over time? Every entry, and the staircase of the highest score; no top rung.

From scores alone nothing can be tested, so nothing here is in the colour of the top rung.
"""

from __future__ import annotations

from toprung.analyses.timeline.published import ScoreTimeline
from toprung.data.submissions import DatedEntry
from toprung.report.charts.figure import Figure
from toprung.report.charts.over_time import NAME_LENGTH, EndLabel, OverTime, TimeLabel
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.label_placement import Box
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.marks import radius
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.tokens import INK_2, INK_3, MARK
from toprung.words.wording import fit

LEADER, OTHER = "highest score so far", "other entry"
SIZES = {LEADER: 90, OTHER: 40}
COLOURS = {LEADER: INK_2, OTHER: MARK}
REACHES = {kind: radius("circle", size) for kind, size in SIZES.items()}


def draw(result: ScoreTimeline, setting: ChartSetting = PLAIN) -> Figure:
    """Every entry by date and score, those that had the highest joined."""
    return Figure(
        kind="score-timeline",
        title="The highest score over time",
        finding=result.sentence,
        caption=(
            "Dotted line: the highest score so far. A step says that a score was higher, not that the difference is "
            "beyond chance: that needs the ranks of every query."
        ),
        drawing=_draw_entries(result, setting),
    )


def _draw_entries(result: ScoreTimeline, setting: ChartSetting) -> Drawing:
    entries = result.entries
    axes = OverTime(
        first=entries[0].date,
        last=entries[-1].date,
        lowest=min(each.score for each in entries),
        highest=max(each.score for each in entries),
        measure=result.leaderboard.score_column,
        setting=setting,
    )
    led = [(each.date, each.score) for each in result.leaders]
    last = result.leaders[-1]
    end = f"{fit(last.label, NAME_LENGTH)} at {result.show_score(last.score)}"
    drawing = axes.draw_axes()
    axes.draw_stairs(drawing, led, stroke=INK_3, width=1.5, dash="2 3")
    _draw_marks(drawing, result, axes)
    _draw_names(drawing, result, axes, axes.stair_boxes(led))
    axes.draw_end_labels(drawing, [EndLabel(last.score, end, INK_2, bold=True)])
    return drawing


def _draw_marks(drawing: Drawing, result: ScoreTimeline, axes: OverTime) -> None:
    leaders = set(result.leaders)
    for each in sorted(result.entries, key=lambda each: each in leaders):  # the leaders are drawn last, on top
        kind = LEADER if each in leaders else OTHER
        x, y = axes.place(each.date, each.score)
        drawing.point(x, y, size=SIZES[kind], fill=COLOURS[kind], facts=_facts(result, each, kind))
    kinds = (LEADER, OTHER) if len(leaders) < len(result.entries) else (LEADER,)
    drawing.explain(Entry(kind, fill=COLOURS[kind], shape="circle", size=SIZES[kind]) for kind in kinds)


def _facts(result: ScoreTimeline, each: DatedEntry, kind: str) -> dict[str, object]:
    return {
        "entry": each.label,
        "team": each.team,
        "when": f"{each.date:%Y-%m-%d}",
        result.leaderboard.score_column: result.show_score(each.score),
        "kind": kind,
    }


def _draw_names(drawing: Drawing, result: ScoreTimeline, axes: OverTime, lines: list[Box]) -> None:
    """Who took the lead, the latest first; where there is no room the earlier ones go without."""
    leaders = set(result.leaders)
    wanted = [
        TimeLabel(fit(each.label, NAME_LENGTH), each.date, each.score, REACHES[LEADER], INK_2)
        for each in reversed(result.leaders)
    ]
    marks = [
        Box.around(*axes.place(each.date, each.score), REACHES[LEADER if each in leaders else OTHER])
        for each in result.entries
    ]
    axes.draw_labels(drawing, wanted, [*lines, *marks])

"""Who led a published leaderboard over time? Every entry, and the staircase of the highest score; no top rung.

From scores alone nothing can be tested, so nothing here is in the colour of the top rung.
"""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt

from toprung.analyses.timeline.published import ScoreTimeline
from toprung.data.submissions import DatedEntry
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.label_placement import Box
from toprung.report.charts.over_time import HEIGHT, NAME_LENGTH, WIDTH, OverTime
from toprung.report.charts.tokens import INK_2, INK_3, MARK
from toprung.words.wording import fit

LEADER, OTHER = "highest score so far", "other entry"
SIZES = {LEADER: 90, OTHER: 40}
COLOURS = {LEADER: INK_2, OTHER: MARK}
REACHES = {kind: size**0.5 / 2 for kind, size in SIZES.items()}


def draw(result: ScoreTimeline) -> Figure:
    """Every entry by date and score, those that had the highest joined."""
    return Figure(
        kind="score-timeline",
        title="The highest score over time",
        finding=result.sentence,
        caption=(
            "Dotted line: the highest score so far. A step says that a score was higher, not that the difference is "
            "beyond chance: that needs the ranks of every query."
        ),
        chart=_chart(result),
    )


def _chart(result: ScoreTimeline) -> alt.LayerChart:
    entries = result.entries
    axes = OverTime(
        first=entries[0].date,
        last=entries[-1].date,
        lowest=min(each.score for each in entries),
        highest=max(each.score for each in entries),
        measure=result.leaderboard.score_column,
    )
    led = [(each.date, each.score) for each in result.leaders]
    last = result.leaders[-1]
    end = f"{fit(last.label, NAME_LENGTH)} at {result.show_score(last.score)}"
    layers = (
        axes.staircase(led, color=INK_3, strokeWidth=1.5, strokeDash=[2, 3]),
        _marks(result, axes),
        _names(result, axes, axes.stair_boxes(led)),
        *axes.end_labels([(last.score, end, INK_2, "bold")]),
    )
    return alt.LayerChart(layer=list(layers)).properties(width=WIDTH, height=HEIGHT)


def _marks(result: ScoreTimeline, axes: OverTime) -> alt.Chart:
    leaders = set(result.leaders)
    rows = sorted(result.entries, key=lambda each: each in leaders)  # the leaders are drawn last, on top
    kinds = [LEADER, OTHER] if len(leaders) < len(rows) else [LEADER]
    return (
        alt.Chart(values(_mark_row(result, each, is_leader=each in leaders) for each in rows))
        .mark_point(filled=True, aria=False)
        .encode(
            x=axes.x,
            y=axes.y,
            fill=alt.Fill("kind:N", scale=_scale(kinds, COLOURS)),
            size=alt.Size("kind:N", scale=_scale(kinds, SIZES)),
            tooltip=[
                alt.Tooltip("entry:N"),
                alt.Tooltip("team:N"),
                alt.Tooltip("when:N"),
                alt.Tooltip("shown:N", title=axes.measure),
            ],
        )
    )


def _scale(kinds: list[str], looks: Mapping[str, str | int]) -> alt.Scale:
    return alt.Scale(type="ordinal", domain=kinds, range=[looks[kind] for kind in kinds])


def _mark_row(result: ScoreTimeline, each: DatedEntry, *, is_leader: bool) -> dict[str, object]:
    return {
        "moment": each.date,
        "score": each.score,
        "kind": LEADER if is_leader else OTHER,
        "entry": each.label,
        "team": each.team,
        "when": f"{each.date:%Y-%m-%d}",
        "shown": result.show_score(each.score),
    }


def _names(result: ScoreTimeline, axes: OverTime, lines: list[Box]) -> alt.Chart:
    """Who took the lead, the latest first; where there is no room the earlier ones go without."""
    leaders = set(result.leaders)
    wanted = [
        {
            "moment": each.date,
            "score": each.score,
            "name": fit(each.label, NAME_LENGTH),
            "reach": REACHES[LEADER],
            "color": INK_2,
            "weight": "normal",
        }
        for each in reversed(result.leaders)
    ]
    marks = [
        Box.around(axes.to_x(each.date), axes.to_y(each.score), REACHES[LEADER if each in leaders else OTHER])
        for each in result.entries
    ]
    return axes.labels(wanted, [*lines, *marks])

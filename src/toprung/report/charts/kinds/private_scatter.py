"""Does a run do as well on private queries as its public score leads one to expect? Public against private scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

from toprung.analyses.holdout.find import Holdout
from toprung.analyses.holdout.sets import HeldOutRun, PrivateSet
from toprung.report.charts.figure import Figure
from toprung.report.charts.scatter import Dot, MarkStyle, Name, Point, Scatter
from toprung.report.charts.svg.clipping import clip_area, clip_line
from toprung.report.charts.svg.drawing import Drawing, in_rows
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.tokens import ALERT, CONTROL, INK_3, MARK, TOP
from toprung.stats.models.divergence import LEVEL, POWER
from toprung.words.wording import say_queries, show_confidence

FLAGGED, FIRST, OTHER = "gains less in private, beyond chance", "first in public", "other run"
STYLES = {
    FLAGGED: MarkStyle(colour=ALERT, shape="triangle-up", size=80),
    FIRST: MarkStyle(colour=TOP, size=70),
    OTHER: MarkStyle(colour=MARK, size=32),
}
MOST_NAMED = 10
PANELS_IN_A_ROW = 2


def draw(result: Holdout, setting: ChartSetting = PLAIN) -> Figure:
    """One panel for each private set."""
    panels = [_draw_panel(result, each, setting) for each in result.sets]
    return Figure(
        kind="private",
        title="Public and private scores",
        finding=result.sentence,
        caption=" ".join(_say_how_to_read(result)),
        drawing=panels[0] if len(panels) == 1 else in_rows(panels, columns=1 if setting.is_narrow else PANELS_IN_A_ROW),
    )


def _say_how_to_read(result: Holdout) -> Iterator[str]:
    reference = f"the {result.reference}" if result.chosen_by == "mean" else result.reference
    yield f"On the dashed line a run gains as much over {reference} in private as in public."
    if any(0 < each.smallest_seen < math.inf for each in result.sets):
        yield f"Grey: so near to it that the queries would not show a difference (with power {POWER:g})."
    flagged = [row.run for each in result.sets for row in each.runs if row.diverges]
    if flagged:
        yield (
            f"Triangle: it gains less in private, one-sided at {LEVEL:g} after Holm's correction, with the "
            f"{show_confidence(result.confidence)} interval of its distance from the line: a reason to ask, not a "
            "finding."
        )
    if len(flagged) > MOST_NAMED:
        yield f"Not all of the {len(flagged)} flagged are named."


def _draw_panel(result: Holdout, each: PrivateSet, setting: ChartSetting) -> Drawing:
    scores = [(row.public.estimate, row.private.estimate) for row in each.runs]
    intervals = _intervals(each, higher_is_better=result.higher_is_better)
    where = "private" if len(result.sets) == 1 else f"{each.name}:"
    plot = Scatter.around(
        [x for x, _ in scores],
        [*(y for _, y in scores), *(y for interval in intervals for _, y in interval)],
        x_title=f"public {result.measure}, {say_queries(result.n_public)}",
        y_title=f"{where} {result.measure}, {say_queries(each.n_queries)}",
        setting=setting,
    )
    expected = partial(each.private_score, higher_is_better=result.higher_is_better)
    line = (plot.left, expected(plot.left)), (plot.right, expected(plot.right))
    unseen = each.smallest_seen if math.isfinite(each.smallest_seen) else 0.0
    drawing = plot.draw_axes()
    if unseen:
        _draw_band(drawing, plot, [*line, *((x, expected(x, unseen)) for x, _ in reversed(line))])
    _draw_line(drawing, plot, line)
    for start, end in intervals:
        drawing.rule(plot.to_points(*start), plot.to_points(*end), stroke=ALERT, width=1.5)
    dots = [Dot(run=row.run, x=x, y=y, kind=_kind_of(row)) for row, (x, y) in zip(each.runs, scores, strict=True)]
    plot.draw_marks(drawing, dots, STYLES)
    plot.draw_names(drawing, _names(each, setting), scores, [line, *intervals])
    return drawing


def _intervals(each: PrivateSet, *, higher_is_better: bool) -> list[tuple[Point, Point]]:
    """For each flagged run where its private score lies, if its divergence is at the ends of its interval."""
    expected = partial(each.private_score, higher_is_better=higher_is_better)
    return [
        (
            (row.public.estimate, expected(row.public.estimate, test.high)),
            (row.public.estimate, expected(row.public.estimate, test.low)),
        )
        for row in each.runs
        if row.diverges and (test := row.divergence) is not None
    ]


def _draw_line(drawing: Drawing, plot: Scatter, ends: tuple[Point, Point]) -> None:
    """Of equal gains: a run on it does as well in private as is expected."""
    if shown := clip_line([plot.to_points(*end) for end in ends], top=0, bottom=plot.height):
        drawing.line(shown, stroke=CONTROL, width=1, dash="4 3")


def _draw_band(drawing: Drawing, plot: Scatter, corners: Sequence[Point]) -> None:
    """On the worse side of the line: the falls that the queries are too few to show."""
    if shown := clip_area([plot.to_points(*corner) for corner in corners], top=0, bottom=plot.height):
        drawing.area(shown)


def _kind_of(row: HeldOutRun) -> str:
    return FLAGGED if row.diverges else FIRST if row.public_rank == 1 else OTHER


def _names(each: PrivateSet, setting: ChartSetting) -> list[Name]:
    """Of the flagged, those that diverge most first; of the first in public; of the reference; of few runs of all."""
    flagged = sorted(
        (row for row in each.runs if row.diverges),
        key=lambda row: -row.divergence.estimate if row.divergence else 0.0,
    )
    first = [row for row in each.runs if row.public_rank == 1 and not row.diverges]
    references = [row for row in each.runs if row.divergence is None and row not in first]
    others = [row for row in each.runs if row not in (*flagged, *first, *references)]
    named = [(row, "", ALERT) for row in flagged[:MOST_NAMED]]
    named += [(row, "", TOP) for row in first[:MOST_NAMED]]
    named += [(row, " (reference)", INK_3) for row in references[:MOST_NAMED]]
    named += [(row, "", INK_3) for row in others if len(each.runs) <= MOST_NAMED]
    return [
        Name(text=f"{setting.name_of(row.run)}{role}", x=row.public.estimate, y=row.private.estimate, colour=colour)
        for row, role, colour in named
    ]

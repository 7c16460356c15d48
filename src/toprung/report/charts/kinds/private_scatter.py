"""Does a run do as well on private queries as its public score leads one to expect? Public against private scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

import altair as alt

from toprung.analyses.holdout.find import Holdout
from toprung.analyses.holdout.sets import HeldOutRun, PrivateSet
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.scatter import MarkStyle, Name, Point, Scatter
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


def draw(result: Holdout) -> Figure:
    """One panel for each private set."""
    panels = [_panel(result, each) for each in result.sets]
    return Figure(
        kind="private",
        title="Public and private scores",
        finding=result.sentence,
        caption=" ".join(_say_how_to_read(result)),
        chart=panels[0] if len(panels) == 1 else _in_rows(panels),
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


def _in_rows(panels: Sequence[alt.LayerChart]) -> alt.VConcatChart:
    starts = range(0, len(panels), PANELS_IN_A_ROW)
    return alt.vconcat(*(alt.hconcat(*panels[start : start + PANELS_IN_A_ROW]) for start in starts))


def _panel(result: Holdout, each: PrivateSet) -> alt.LayerChart:
    scores = [(row.public.estimate, row.private.estimate) for row in each.runs]
    intervals = _intervals(each, higher_is_better=result.higher_is_better)
    ends = [y for interval in intervals for _, y in interval]
    where = "private" if len(result.sets) == 1 else f"{each.name}:"
    plot = Scatter.around(
        [x for x, _ in scores],
        [*(y for _, y in scores), *ends],
        x_title=f"public {result.measure}, {say_queries(result.n_public)}",
        y_title=f"{where} {result.measure}, {say_queries(each.n_queries)}",
    )
    expected = partial(each.private_score, higher_is_better=result.higher_is_better)
    line = (plot.left, expected(plot.left)), (plot.right, expected(plot.right))
    unseen = each.smallest_seen if math.isfinite(each.smallest_seen) else 0.0
    layers = (
        *([_band(plot, [(x, y, expected(x, unseen)) for x, y in line])] if unseen else []),
        _line(plot, line),
        _interval_rules(plot, intervals),
        plot.marks(
            [
                {"run": row.run, "x": x, "y": y, "kind": _kind_of(row)}
                for row, (x, y) in zip(each.runs, scores, strict=True)
            ],
            STYLES,
        ),
        *plot.names(_names(each), scores, [line, *intervals]),
    )
    return alt.layer(*layers).resolve_scale(color="independent").properties(width=plot.width, height=plot.height)


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


def _interval_rules(plot: Scatter, intervals: Sequence[tuple[Point, Point]]) -> alt.Chart:
    rows = ({"x": x, "y": low, "y2": high} for (x, low), (_, high) in intervals)
    rule = alt.Chart(values(rows)).mark_rule(color=ALERT, strokeWidth=1.5, aria=False)
    return rule.encode(x=plot.x, y=plot.y, y2=alt.Y2("y2:Q"))


def _line(plot: Scatter, ends: tuple[Point, Point]) -> alt.Chart:
    """Of equal gains: a run on it does as well in private as is expected."""
    line = alt.Chart(values({"x": x, "y": y} for x, y in ends))
    return line.mark_line(color=CONTROL, strokeWidth=1, strokeDash=[4, 3], clip=True, aria=False).encode(
        x=plot.x, y=plot.y
    )


def _band(plot: Scatter, ends: Sequence[tuple[float, float, float]]) -> alt.Chart:
    """On the worse side of the line: the falls that the queries are too few to show."""
    band = alt.Chart(values({"x": x, "y": y, "y2": y2} for x, y, y2 in ends))
    return band.mark_area(clip=True, aria=False).encode(x=plot.x, y=plot.y, y2=alt.Y2("y2:Q"))


def _kind_of(row: HeldOutRun) -> str:
    return FLAGGED if row.diverges else FIRST if row.public_rank == 1 else OTHER


def _names(each: PrivateSet) -> list[Name]:
    """Of the flagged, those that diverge most first; of the first in public; of the reference; of few runs of all."""
    flagged = sorted(
        (row for row in each.runs if row.diverges),
        key=lambda row: -row.divergence.estimate if row.divergence else 0.0,
    )
    first = [row for row in each.runs if row.public_rank == 1 and not row.diverges]
    references = [row for row in each.runs if row.divergence is None and row not in first]
    others = [row for row in each.runs if row not in (*flagged, *first, *references)]
    named = [(row, row.run, ALERT) for row in flagged[:MOST_NAMED]]
    named += [(row, row.run, TOP) for row in first[:MOST_NAMED]]
    named += [(row, f"{row.run} (reference)", INK_3) for row in references]
    named += [(row, row.run, INK_3) for row in others if len(each.runs) <= MOST_NAMED]
    return [
        Name(text=text, x=row.public.estimate, y=row.private.estimate, colour=colour) for row, text, colour in named
    ]

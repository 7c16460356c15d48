"""Are a run's answers better than the labels? All judged queries in four parts (Arabzadeh et al. 2021, figure 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import altair as alt

from toprung.labels.votes.audit_report import Audit, AuditPart, CategoryCount
from toprung.report.charts.data import values
from toprung.report.charts.figure import Figure
from toprung.report.charts.side_texts import column, down, edge_column
from toprung.report.charts.tokens import INK, INK_2, MARK, ONLY_OTHER, ONLY_THIS, RULE_2
from toprung.stats.intervals.proportions import Share
from toprung.words.wording import say_p, say_queries, show_share

WIDTH = 380
WORDS, ROW, BAR, GAP = 46, 28, 16, 20
"""Points: the words over a group, a row, its bar, and the space between the groups."""
LEFT = -220
"""Where the words of the groups begin."""
COLOURS = {(False, False): ONLY_THIS, (False, True): ONLY_OTHER, (True, True): MARK, (True, False): RULE_2}
"""By whether run and label agree, and whether the label is preferred."""
NAMES = {
    (False, False): "the run's first item preferred",
    (False, True): "the label preferred",
    (True, True): "that item preferred",
    (True, False): "the run's second item preferred",
}


@dataclass(frozen=True, kw_only=True)
class _ShareRow:
    part: AuditPart
    middle: float

    @property
    def key(self) -> tuple[bool, bool]:
        return self.part.is_agreed, self.part.prefers_label


def draw(result: Audit) -> Figure | None:
    """None before anything is decided."""
    if not result.n_decided:
        return None
    return Figure(
        kind="audit",
        title=f"{result.run} against the labels",
        finding=result.sentence,
        caption=(
            f"The {say_queries(result.n_decided)} with a decided pair, in four parts. Bar: its share of them; line: "
            "the 95% interval of that share. Where run and label agree, the part that prefers the second item tells, "
            "roughly, how often one judgment is wrong."
        ),
        chart=_chart(result),
    )


def _chart(result: Audit) -> alt.LayerChart:
    tops = {False: 0.0, True: WORDS + 2 * ROW + GAP}
    rows = [
        _ShareRow(part=part, middle=tops[part.is_agreed] + WORDS + ROW * (place % 2 + 0.5))
        for place, part in enumerate(result.parts)
    ]
    furthest = max(row.part.share.high for row in rows)
    layers = (
        *_marks(rows, n_decided=result.n_decided, furthest=furthest),
        column(((NAMES[row.key], row.middle) for row in rows), x=-10),
        *edge_column(((_show(row.part.share), row.middle) for row in rows), x=WIDTH + 16, align="left", color=INK),
        *_words(
            f"Run and label differ: {say_queries(result.differing.n_decided)}", tops[False], _say_differing(result)
        ),
        *_words(f"Run and label agree: {say_queries(result.agreed.n_decided)}", tops[True], _say_agreed(result)),
    )
    height = tops[True] + WORDS + 2 * ROW
    return alt.layer(*layers).resolve_scale(y="independent").properties(width=WIDTH, height=height)


def _marks(rows: Sequence[_ShareRow], *, n_decided: int, furthest: float) -> Iterator[alt.Chart]:
    axis = alt.Axis(title=f"share of the {n_decided:,}", format="%", tickCount=5, titleAnchor="end")
    x = alt.X("share:Q", scale=alt.Scale(domain=[0, furthest], nice=True), axis=axis)
    found = [
        {
            "part": NAMES[row.key],
            "share": row.part.share.estimate,
            "low": row.part.share.low,
            "high": row.part.share.high,
            "above": row.middle - BAR / 2,
            "below": row.middle + BAR / 2,
            "middle": row.middle,
            "colour": COLOURS[row.key],
        }
        for row in rows
    ]
    bars = alt.Chart(values(found)).mark_rect(aria=False)
    yield bars.encode(
        x=x,
        x2=alt.datum(0),
        y=down("above"),
        y2=alt.Y2("below:Q"),
        fill=alt.Fill("colour:N", scale=None, legend=None),
        tooltip=[alt.Tooltip("part:N"), alt.Tooltip("share:Q", format=".2%")],
    )
    lines = alt.Chart(values(found)).mark_rule(color=INK, strokeWidth=1.5, aria=False)
    yield lines.encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=down("middle"))


def _show(share: Share) -> str:
    """With its interval and its count."""
    low, high = (f"{100 * end:.1f}" for end in (share.low, share.high))
    return f"{show_share(share.estimate)} ({low} to {high}), {share.successes:,}"


def _words(heading: str, top: float, said: str) -> Iterator[alt.Chart]:
    yield column([(heading, top + 10)], x=LEFT, align="left", color=INK, fontWeight="bold", fontSize=12)
    yield column([(said, top + 28)], x=LEFT, align="left", color=INK_2)


def _say_differing(result: Audit) -> str:
    return _say_within("of these, the run's first item is preferred in", result.differing, result.differing.other_share)


def _say_agreed(result: Audit) -> str:
    return _say_within(
        "of these, that item is preferred to the run's second in", result.agreed, result.agreed.label_share
    )


def _say_within(preferred: str, count: CategoryCount, share: Share) -> str:
    """Within a group, against a fair coin."""
    if not share.trials:
        return "none is decided"
    low, high = (f"{100 * end:.1f}" for end in (share.low, share.high))
    return f"{preferred} {show_share(share.estimate)} ({low} to {high}; {say_p(count.p)})"

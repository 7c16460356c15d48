"""Are a run's answers better than the labels? All judged queries in four parts (Arabzadeh et al. 2021, figure 2)."""

from __future__ import annotations

from dataclasses import dataclass

from toprung.labels.votes.audit_report import Audit, AuditPart, CategoryCount
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.axes import draw_x_axis
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.scales import AxisScale, Tick, nice_end, step_for
from toprung.report.charts.svg.setting import PLAIN, ChartSetting
from toprung.report.charts.svg.text_width import wrap
from toprung.report.charts.tokens import INK, INK_2, MARK, ONLY_OTHER, ONLY_THIS, RULE_2
from toprung.stats.intervals.proportions import Share
from toprung.words.wording import say_p, say_queries, show_share

WIDTH = 380
WORDS, ROW, BAR, GAP = 46, 28, 16, 20
"""Points: the words over a group, a row, its bar, and the space between the groups."""
LEFT = -220
"""Where the words of the groups begin."""
NARROW_WORDS, NARROW_ROW = 70, 46
"""Of a small screen: the words over a group, and a row with its words over its bar."""
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


def draw(result: Audit, setting: ChartSetting = PLAIN) -> Figure | None:
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
        drawing=_draw_parts(result, setting),
    )


def _draw_parts(result: Audit, setting: ChartSetting) -> Drawing:
    words, row_height = (NARROW_WORDS, NARROW_ROW) if setting.is_narrow else (WORDS, ROW)
    tops = {False: 0.0, True: words + 2 * row_height + GAP}
    rows = [
        _ShareRow(part=part, middle=tops[part.is_agreed] + words + row_height * (place % 2 + 1) - ROW / 2)
        for place, part in enumerate(result.parts)
    ]
    drawing = Drawing(width=setting.fit(WIDTH), height=tops[True] + words + 2 * row_height, setting=setting)
    end = nice_end(max(row.part.share.high for row in rows), 5)
    x = AxisScale(low=0, high=end, start=0, end=drawing.width)
    step = step_for(end, 5)
    ticks = [Tick(tick.value, f"{100 * tick.value:.{1 if step < 0.01 else 0}f}%") for tick in x.ticks(5)]
    draw_x_axis(drawing, x, ticks, title=f"share of the {result.n_decided:,}", title_at="end")
    for row in rows:
        _draw_row(drawing, x, row)
    said = (
        (f"Run and label differ: {say_queries(result.differing.n_decided)}", _say_differing(result)),
        (f"Run and label agree: {say_queries(result.agreed.n_decided)}", _say_agreed(result)),
    )
    for top, (heading, words_below) in zip(tops.values(), said, strict=True):
        _draw_words(drawing, heading, words_below, top)
    return drawing


def _draw_row(drawing: Drawing, x: AxisScale, row: _ShareRow) -> None:
    """A bar with its interval, what it is, and its figures."""
    share, name, middle = row.part.share, NAMES[row.key], row.middle
    facts = {"part": name, "share": _show(share)}
    end = x(share.estimate)
    drawing.rect(0, middle - BAR / 2, end, middle + BAR / 2, fill=COLOURS[row.key], facts=facts)
    drawing.rule((x(share.low), middle), (x(share.high), middle), stroke=INK, width=1.5)
    if drawing.setting.is_narrow:
        drawing.text(name, 0, middle - BAR - 2)
        drawing.text(_show(share), drawing.width, middle - BAR - 2, align="right", colour=INK)
        return
    drawing.text(name, -10, middle, align="right")
    drawing.text(_show(share), drawing.width + 16, middle, colour=INK)


def _show(share: Share) -> str:
    """With its interval and its count."""
    low, high = (f"{100 * end:.1f}" for end in (share.low, share.high))
    return f"{show_share(share.estimate)} ({low} to {high}), {share.successes:,}"


def _draw_words(drawing: Drawing, heading: str, said: str, top: float) -> None:
    is_narrow = drawing.setting.is_narrow
    left = 0 if is_narrow else LEFT
    drawing.text(heading, left, top + 10, size=12, bold=True, colour=INK)
    for number, line in enumerate(wrap(said, drawing.width) if is_narrow else [said]):
        drawing.text(line, left, top + 28 + 15 * number, colour=INK_2)


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

"""How is a chart drawn? Mark by mark, in points from the top left of its plot; what stands beyond makes it larger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from toprung.report.charts.svg.label_placement import Box
from toprung.report.charts.svg.legend import Entry, Legend
from toprung.report.charts.svg.marks import (
    NONE,
    Align,
    AnyMark,
    Facts,
    LineMark,
    Look,
    PointMark,
    RectMark,
    RuleMark,
    Shape,
    StrokesMark,
    TextMark,
)
from toprung.report.charts.svg.setting import MARGIN, PLAIN, ChartSetting, Subject
from toprung.report.charts.svg.text_width import cut
from toprung.report.charts.tokens import CONTROL, INK, INK_2, INK_3, MARK
from toprung.words.visible import in_one_line

HEADING_LINE = 14
SMALL = 11.5
"""The size of figures and labels."""
MOST_MARKS = 40_000
"""Of a figure: some megabytes of SVG."""


@dataclass(kw_only=True)
class Drawing:
    """A plot of some width and height, and all that is drawn in it and around it."""

    width: float
    height: float
    setting: ChartSetting = PLAIN
    legends: list[Legend] = field(default_factory=list)
    marks: list[AnyMark] = field(default_factory=list)

    @property
    def box(self) -> Box:
        """All of it, with a margin."""
        boxes = [Box(0, 0, self.width, self.height), *(mark.box for mark in self.marks)]
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return Box(min(lefts) - MARGIN, min(tops) - MARGIN, max(rights) + MARGIN, max(bottoms) + MARGIN)

    def thin(self) -> int:
        """Leave out the marks above MOST_MARKS, and say how many: those of data first that lie below all others."""
        excess = len(self.marks) - MOST_MARKS
        if excess <= 0:
            return 0
        below = {place for place, _ in islice(((p, m) for p, m in enumerate(self.marks) if m.facts), excess)}
        self.marks = [mark for place, mark in enumerate(self.marks) if place not in below][:MOST_MARKS]
        return excess

    def explain(self, entries: Iterable[Entry], *, title: str = "") -> None:
        """What colours and shapes mean; said once, however many plots show them."""
        legend = Legend(title=title, entries=tuple(entries))
        if legend.entries and legend not in self.legends:
            self.legends.append(legend)

    def point(
        self,
        x: float,
        y: float,
        *,
        shape: Shape = "circle",
        size: float = 40,
        fill: str = MARK,
        stroke: str = "",
        width: float = 1.6,
        opacity: float = 1,
        facts: Facts = NONE,
        of: Subject | None = None,
    ) -> None:
        look = Look(fill=fill, stroke=stroke, width=width if stroke else 0, opacity=opacity)
        self.marks.append(PointMark(x=x, y=y, shape=shape, size=size, look=look, facts=facts, of=of))

    def rect(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        *,
        fill: str = "",
        stroke: str = "",
        width: float = 1,
        opacity: float = 1,
        facts: Facts = NONE,
        of: Subject | None = None,
    ) -> None:
        look = Look(fill=fill, stroke=stroke, width=width if stroke else 0, opacity=opacity)
        self.marks.append(RectMark(left=left, top=top, right=right, bottom=bottom, look=look, facts=facts, of=of))

    def rule(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        *,
        stroke: str = CONTROL,
        width: float = 1,
        dash: str = "",
        opacity: float = 1,
        facts: Facts = NONE,
        of: Subject | None = None,
    ) -> None:
        look = Look(stroke=stroke, width=width, dash=dash, opacity=opacity)
        self.marks.append(RuleMark(x=start[0], y=start[1], x2=end[0], y2=end[1], look=look, facts=facts, of=of))

    def line(
        self, points: Sequence[tuple[float, float]], *, stroke: str = INK, width: float = 2, dash: str = ""
    ) -> None:
        self.marks.append(LineMark(points=tuple(points), look=Look(stroke=stroke, width=width, dash=dash)))

    def stairs(
        self, corners: Sequence[tuple[float, float]], *, until: float, stroke: str, width: float, dash: str = ""
    ) -> None:
        """A line that keeps to each height until the next corner, and to the last one until the given x."""
        points = [corners[0]]
        for x, y in [*corners[1:], (until, corners[-1][1])]:
            points += [(x, points[-1][1]), (x, y)]
        self.line(list(dict.fromkeys(points)), stroke=stroke, width=width, dash=dash)

    def area(self, points: Sequence[tuple[float, float]], *, fill: str = INK, opacity: float = 0.08) -> None:
        self.marks.append(LineMark(points=tuple(points), is_closed=True, look=Look(fill=fill, opacity=opacity)))

    def strokes(self, pieces: Iterable[tuple[float, float, float]], *, stroke: str, width: float) -> None:
        self.marks.append(StrokesMark(pieces=tuple(pieces), look=Look(stroke=stroke, width=width)))

    def text(
        self,
        text: str,
        x: float,
        y: float,
        *,
        align: Align = "left",
        size: float = SMALL,
        colour: str = INK_2,
        bold: bool = False,
        upright: bool = False,
        halo: bool = False,
        limit: float | None = None,
        of: Subject | None = None,
    ) -> None:
        """A line of words; those wider than ``limit`` are cut."""
        shown = in_one_line(text) if limit is None else cut(text, limit, size, bold=bold)
        look = Look(fill=colour)
        mark = TextMark(
            text=shown, x=x, y=y, align=align, size=size, bold=bold, upright=upright, halo=halo, look=look, of=of
        )
        self.marks.append(mark)

    def column(self, rows: Iterable[tuple[str, float]], *, x: float, align: Align = "right", **look: Any) -> None:
        """Texts, each with the middle of its row, that end at ``x``, or begin there with ``align="left"``."""
        for text, middle in rows:
            self.text(text, x, middle, align=align, **look)

    def heading(self, *lines: str, x: float, above: float = 6, align: Align = "right", **look: Any) -> None:
        """What a column holds; the last line ends ``above`` points over the first row."""
        look = {"colour": INK_3} | look
        for number, line in enumerate(reversed(lines)):
            self.text(line, x, -above - HEADING_LINE * number - SMALL / 2, align=align, **look)

    def names(self, rows: Iterable[tuple[str, float]], *, x: float, align: Align = "right", **look: Any) -> None:
        """Runs by name, each with the middle of its row; each leads to its run."""
        for run, middle in rows:
            self.text(self.setting.name_of(run), x, middle, align=align, of=Subject("run", run), **look)

    def place(self, other: Drawing, dx: float, dy: float) -> None:
        """Another drawing with its top left there; what it explains is explained once."""
        self.marks += [mark.moved(dx, dy) for mark in other.marks]
        for legend in other.legends:
            self.explain(legend.entries, title=legend.title)


def in_rows(panels: Sequence[Drawing], *, columns: int, gap: float = 28) -> Drawing:
    """Several drawings as one, side by side in rows."""
    whole = Drawing(width=0, height=0, setting=panels[0].setting)
    top = 0.0
    for start in range(0, len(panels), columns):
        row = panels[start : start + columns]
        highest = min(panel.box.top for panel in row)
        left = 0.0
        for panel in row:
            whole.place(panel, left - panel.box.left - MARGIN, top - highest - MARGIN)
            left += panel.box.right - panel.box.left - 2 * MARGIN + gap
        top += max(panel.box.bottom for panel in row) - highest - 2 * MARGIN + gap
        whole.width = max(whole.width, left - gap)
    whole.height = top - gap
    return whole

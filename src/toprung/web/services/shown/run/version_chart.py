"""What does a run score under each version of the labels? A line with intervals, beside that of the highest score."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.axes import draw_x_axis, draw_y_axis, with_room
from toprung.report.charts.svg.drawing import SMALL, Drawing
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.scales import AxisScale, Tick, ends_around
from toprung.report.charts.svg.setting import HALF, PLAIN, Address, ChartSetting, Subject
from toprung.report.charts.tokens import INK, INK_3, TOP
from toprung.report.page.bars import Interval
from toprung.words.wording import list_names, show_interval, show_number

LABELS_WIDTH, HEIGHT, NARROW_HEIGHT = 60, 210, 180
"""What scores beside the axis take, and how high the plot is."""
APART = 5
"""Half the distance between the marks of two runs under one version."""
INSET = 44
"""Points from the edges to the first version and the last: half a date."""
DATE_BELOW = 32
"""Points from the axis to the middle of the dates, below the numbers of the versions."""


@dataclass(frozen=True, kw_only=True)
class LabelsVersion:
    """One version of the labels, as the axis names it."""

    number: int
    date: str
    href: str
    """Where the board stands as it was under it."""


@dataclass(frozen=True, kw_only=True)
class VersionLine:
    """A run's scores by the number of the version; one that was not on the board then has none."""

    name: str
    role: str
    """Such as "this run": what stands behind its name."""
    is_highest: bool
    scores: Mapping[int, Interval]

    @property
    def colour(self) -> str:
        return TOP if self.is_highest else INK

    @property
    def called(self) -> str:
        return f"{self.name}, {self.role}"


def draw_versions(
    measure: str,
    versions: Sequence[LabelsVersion],
    lines: Sequence[VersionLine],
    *,
    decimals: int,
    setting: ChartSetting = PLAIN,
) -> Figure:
    """Versions from left to right, each with the scores and intervals of the runs that were on the board."""
    height = NARROW_HEIGHT if setting.is_narrow else HEIGHT
    drawing = Drawing(width=setting.fit(HALF - LABELS_WIDTH, LABELS_WIDTH), height=height, setting=setting)
    y = _scale_of(lines, height)
    draw_y_axis(drawing, y, y.ticks(5), title=measure, title_x=-40, title_up=10)
    x = _places_of(versions, drawing.width)
    _name_versions(drawing, versions, x)
    plot = _Plot(drawing=drawing, x=x, y=y, measure=measure, decimals=decimals)
    for number, line in enumerate(lines):
        plot.draw_line(line, shift=(2 * number - len(lines) + 1) * APART)
    drawing.explain(Entry(each.called, stroke=each.colour, is_line=True) for each in lines)
    return Figure(
        kind="versions",
        title="Score under each label version",
        finding=_say(measure, lines, decimals),
        caption="Uprights: 95% intervals.",
        drawing=drawing,
    )


def leading_to(versions: Sequence[LabelsVersion]) -> Callable[[Subject], Address | None]:
    """Each mark leads to the board as it was, and tells the row of the table below it."""
    hrefs = {str(each.number): each.href for each in versions}
    return lambda subject: Address(hrefs[subject.key], row=f"labels-{subject.key}")


def _say(measure: str, lines: Sequence[VersionLine], decimals: int) -> str:
    said = [
        f"{line.name} "
        + ", ".join(f"v{number} {show_number(score.value, decimals)}" for number, score in sorted(line.scores.items()))
        for line in lines
    ]
    return f"{measure} under each version of the labels: {list_names(said)}."


def _scale_of(lines: Sequence[VersionLine], height: float) -> AxisScale:
    """As far as the intervals reach; it need not start at zero, for points stand on no base."""
    scores = [score for line in lines for score in line.scores.values()]
    low, high = ends_around((end for each in scores for end in (each.low, each.high)), 0.08)
    return AxisScale(low=low, high=high, start=height, end=0)


def _places_of(versions: Sequence[LabelsVersion], width: float) -> Callable[[int], float]:
    """Evenly from left to right; a single one in the middle."""
    order = {each.number: place for place, each in enumerate(versions)}
    step = (width - 2 * INSET) / (len(versions) - 1) if len(versions) > 1 else math.nan
    return lambda number: INSET + order[number] * step if len(versions) > 1 else width / 2


def _name_versions(drawing: Drawing, versions: Sequence[LabelsVersion], x: Callable[[int], float]) -> None:
    """Numbers, and below them the dates, as far as they have room."""
    at = AxisScale(low=0, high=drawing.width, start=0, end=drawing.width)
    draw_x_axis(drawing, at, [Tick(x(each.number), f"v{each.number}") for each in versions])
    for tick, middle in with_room(at, [Tick(x(each.number), each.date) for each in versions]):
        drawing.text(tick.label, middle, drawing.height + DATE_BELOW, align="center", colour=INK_3, size=SMALL)


@dataclass(frozen=True, kw_only=True)
class _Plot:
    """Where versions and scores stand, and how scores are written."""

    drawing: Drawing
    x: Callable[[int], float]
    y: AxisScale
    measure: str
    decimals: int

    def draw_line(self, line: VersionLine, *, shift: float) -> None:
        """From version to version, with an interval at each; the marks of two runs stand side by side."""
        shown = [(version, self.x(version) + shift, score) for version, score in sorted(line.scores.items())]
        self.drawing.line([(x, self.y(score.value)) for _, x, score in shown], stroke=line.colour)
        for _, x, score in shown:
            self.drawing.rule((x, self.y(score.low)), (x, self.y(score.high)), stroke=line.colour, width=1.2)
        for version, x, score in shown:
            of, facts = Subject("labels", str(version)), self._facts_of(line, version, score)
            self.drawing.point(x, self.y(score.value), size=64, fill=line.colour, facts=facts, of=of)

    def _facts_of(self, line: VersionLine, version: int, score: Interval) -> dict[str, object]:
        return {
            "run": line.name,
            "labels": f"labels v{version}",
            self.measure: show_number(score.value, self.decimals),
            "95%": show_interval(score.low, score.high, self.decimals),
        }

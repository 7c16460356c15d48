"""What is a drawing made of? Marks with their places in points, from the top left of the plot; axes are marks too."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Self

from toprung.report.charts.svg.label_placement import LABEL_HEIGHT, Box
from toprung.report.charts.svg.setting import Subject
from toprung.report.charts.svg.text_width import text_width

type Align = Literal["left", "center", "right"]
type Shape = Literal["circle", "square", "diamond", "triangle-up", "cross"]
type Facts = Mapping[str, object]
"""What a mark tells, by the names of its figures: for who points at it, and the data of the figure."""

NONE: Facts = {}


class Look(NamedTuple):
    """Colours are the light values of tokens; an empty one is not painted."""

    fill: str = ""
    stroke: str = ""
    width: float = 1
    dash: str = ""
    opacity: float = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class DrawnMark:
    """What all marks have."""

    look: Look
    facts: Facts = field(default_factory=dict)
    of: Subject | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PointMark(DrawnMark):
    x: float
    y: float
    shape: Shape
    size: float
    """Its area."""

    @property
    def reach(self) -> float:
        return radius(self.shape, self.size)

    def moved(self, dx: float, dy: float) -> Self:
        return replace(self, x=self.x + dx, y=self.y + dy)

    @property
    def box(self) -> Box:
        return Box.around(self.x, self.y, self.reach + self.look.width)


@dataclass(frozen=True, kw_only=True, slots=True)
class RectMark(DrawnMark):
    left: float
    top: float
    right: float
    bottom: float

    def moved(self, dx: float, dy: float) -> Self:
        return replace(self, left=self.left + dx, top=self.top + dy, right=self.right + dx, bottom=self.bottom + dy)

    @property
    def box(self) -> Box:
        return Box(self.left, self.top, self.right, self.bottom)


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleMark(DrawnMark):
    x: float
    y: float
    x2: float
    y2: float

    def moved(self, dx: float, dy: float) -> Self:
        return replace(self, x=self.x + dx, y=self.y + dy, x2=self.x2 + dx, y2=self.y2 + dy)

    @property
    def box(self) -> Box:
        return Box(min(self.x, self.x2), min(self.y, self.y2), max(self.x, self.x2), max(self.y, self.y2))


@dataclass(frozen=True, kw_only=True, slots=True)
class LineMark(DrawnMark):
    """Through points, or around an area."""

    points: tuple[tuple[float, float], ...]
    is_closed: bool = False

    def moved(self, dx: float, dy: float) -> Self:
        return replace(self, points=tuple((x + dx, y + dy) for x, y in self.points))

    @property
    def box(self) -> Box:
        xs, ys = zip(*self.points, strict=True)
        return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True, kw_only=True, slots=True)
class StrokesMark(DrawnMark):
    """Level pieces of line in one look, from left to right each: many cells as one mark."""

    pieces: tuple[tuple[float, float, float], ...]
    """Left, right, and how far down."""

    def moved(self, dx: float, dy: float) -> Self:
        return replace(self, pieces=tuple((left + dx, right + dx, down + dy) for left, right, down in self.pieces))

    @property
    def box(self) -> Box:
        half = self.look.width / 2
        lefts, rights, downs = zip(*self.pieces, strict=True)
        return Box(min(lefts), min(downs) - half, max(rights), max(downs) + half)


@dataclass(frozen=True, kw_only=True, slots=True)
class TextMark(DrawnMark):
    """``y`` is the middle of its small letters and figures."""

    text: str
    x: float
    y: float
    align: Align
    size: float
    bold: bool
    upright: bool = False
    """Turned, to be read from below; it ends at its place."""
    halo: bool = False

    def moved(self, dx: float, dy: float) -> Self:
        return replace(self, x=self.x + dx, y=self.y + dy)

    @property
    def box(self) -> Box:
        wide, high = text_width(self.text, self.size, bold=self.bold), LABEL_HEIGHT * self.size / 12
        if self.upright:
            return Box(self.x - high / 2, self.y, self.x + high / 2, self.y + wide)
        left = {"left": self.x, "center": self.x - wide / 2, "right": self.x - wide}[self.align]
        return Box(left, self.y - high / 2, left + wide, self.y + high / 2)


type AnyMark = PointMark | RectMark | RuleMark | LineMark | StrokesMark | TextMark


def radius(shape: Shape, size: float) -> float:
    """How far a shape of that area goes from its centre."""
    return math.sqrt(size / math.pi) if shape == "circle" else math.sqrt(size) / 2

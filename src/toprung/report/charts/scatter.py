"""How are two scores of each run drawn against each other, so that the names that matter can be read?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from toprung.report.charts.data import fixed, values
from toprung.report.charts.label_placement import LABEL_HEIGHT, Anchor, Box, LabelPlace, box_of, text_width
from toprung.report.charts.tokens import CONTROL, INK_2
from toprung.words.wording import fit

WIDTH, HEIGHT = 470, 400
MARGIN = 0.07
"""Of the range of the scores, left free on each side."""
NAME_LENGTH = 28
NEAR = 8
REACHES = (NEAR, 15, 26, 38, 52, 68, 86, 106, 130, 160)
"""How far from a mark its name may stand, in points; if not near, with a hairline between them."""
DIRECTIONS = (0, 180, 30, 210, -30, 150, 60, 240, -60, 120, 90, 270)
"""In degrees from the right, the best first."""
LINE_STEP = 5
NOTE_LEFT, NOTE_DOWN = 10, 14

type Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class MarkStyle:
    """Of one kind of mark."""

    colour: str
    size: int
    shape: str = "circle"


@dataclass(frozen=True, kw_only=True)
class Name:
    """What stands beside a mark."""

    text: str
    x: float
    y: float
    colour: str = INK_2


@dataclass(frozen=True, kw_only=True)
class Note:
    """A line of words at the left of a plot, its middle so many points below the top."""

    text: str
    down: float
    colour: str = INK_2

    @property
    def box(self) -> Box:
        return Box(
            NOTE_LEFT, self.down - LABEL_HEIGHT / 2, NOTE_LEFT + text_width(self.text), self.down + LABEL_HEIGHT / 2
        )


def _place(reach: float, degrees: float) -> LabelPlace:
    across, down = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    if abs(across) < 0.1:
        return LabelPlace(dx=0, dy=down * (reach + LABEL_HEIGHT / 2), align="center")
    return LabelPlace(dx=across * reach, dy=down * reach, align="left" if across > 0 else "right")


_PLACES = tuple(_place(reach, degrees) for reach in REACHES for degrees in DIRECTIONS)


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """A plot of given size, the scores at its edges, and what they are."""

    x_title: str
    y_title: str
    left: float
    right: float
    bottom: float
    top: float
    width: int = WIDTH
    height: int = HEIGHT

    @classmethod
    def around(cls, xs: Sequence[float], ys: Sequence[float], *, x_title: str, y_title: str) -> Scatter:
        """All marks, with some room around them."""
        (left, right), (bottom, top) = _widened(min(xs), max(xs)), _widened(min(ys), max(ys))
        return cls(x_title=x_title, y_title=y_title, left=left, right=right, bottom=bottom, top=top)

    @property
    def x(self) -> alt.X:
        axis = alt.Axis(title=self.x_title, titleAnchor="end", grid=True, tickCount=5)
        return alt.X("x:Q", scale=alt.Scale(domain=[self.left, self.right], nice=False, zero=False), axis=axis)

    @property
    def y(self) -> alt.Y:
        axis = alt.Axis(
            title=self.y_title, titleAngle=0, titleAlign="left", titleX=0, titleY=-8, titleBaseline="bottom",
            tickCount=5,
        )  # fmt: skip
        return alt.Y("y:Q", scale=alt.Scale(domain=[self.bottom, self.top], nice=False, zero=False), axis=axis)

    def to_points(self, x: float, y: float) -> Point:
        """From the top left of the plot."""
        across = self.width * (x - self.left) / (self.right - self.left)
        return across, self.height * (self.top - y) / (self.top - self.bottom)

    def from_points(self, across: float, down: float) -> Point:
        x = self.left + (self.right - self.left) * across / self.width
        return x, self.top - (self.top - self.bottom) * down / self.height

    def marks(self, rows: Sequence[Mapping[str, object]], styles: Mapping[str, MarkStyle]) -> alt.Chart:
        """Rows of run, x, y and kind; the kinds named first are drawn last, on top. One kind alone needs no legend."""
        kinds = [kind for kind in styles if any(row["kind"] == kind for row in rows)]
        in_order = sorted(rows, key=lambda row: -kinds.index(str(row["kind"])))
        legend = alt.Undefined if len(kinds) > 1 else None

        def scale(of_kind: Callable[[MarkStyle], str | int]) -> alt.Scale:
            return alt.Scale(type="ordinal", domain=kinds, range=[of_kind(styles[kind]) for kind in kinds])

        return (
            alt.Chart(values(in_order))
            .mark_point(filled=True, aria=False)
            .encode(
                x=self.x,
                y=self.y,
                fill=alt.Fill("kind:N", scale=scale(lambda style: style.colour), legend=legend),
                shape=alt.Shape("kind:N", scale=scale(lambda style: style.shape), legend=legend),
                size=alt.Size("kind:N", scale=scale(lambda style: style.size), legend=legend),
                tooltip=[
                    alt.Tooltip("run:N"),
                    alt.Tooltip("x:Q", title=self.x_title, format=".4f"),
                    alt.Tooltip("y:Q", title=self.y_title, format=".4f"),
                ],
            )
        )

    def place_note(self, notes: Iterable[Note], marks: Sequence[Point], taken: Sequence[Box] = ()) -> Note:
        """Of some places for a note the first where it covers least."""
        boxes = [*self._dots(marks), *taken]
        return min(notes, key=lambda note: sum(note.box.overlaps(box) for box in boxes))

    def note(self, note: Note) -> alt.Chart:
        return (
            alt.Chart(values([{"note": note.text}]))
            .mark_text(align="left", baseline="middle", color=note.colour, aria=False)
            .encode(x=fixed(alt.XValue, NOTE_LEFT), y=fixed(alt.YValue, note.down), text=alt.Text("note:N"))
        )

    def names(
        self,
        wanted: Sequence[Name],
        marks: Sequence[Point],
        lines: Sequence[tuple[Point, Point]] = (),
        notes: Sequence[Note] = (),
    ) -> Iterator[alt.Chart]:
        """Every name, beside its mark or where there is room, then with a hairline to it; none on what is drawn."""
        dots = self._dots(marks)
        drawn = ((self.to_points(*start), self.to_points(*end)) for start, end in lines)
        taken = [*dots, *(box for start, end in drawn for box in _along(start, end, LINE_STEP))]
        taken += [note.box for note in notes]
        texts, hairlines = [], []
        for name in wanted:
            text = fit(name.text, NAME_LENGTH)
            across, down = self.to_points(name.x, name.y)
            place = self._find_place(Anchor(text=text, x=across, y=down, reach=NEAR), taken, dots)
            x, y = self.from_points(across + place.dx, down + place.dy)
            texts.append({"name": text, "x": x, "y": y, "colour": name.colour, "align": place.align})
            if not _is_near(place):
                x2, y2 = self.from_points(across + place.dx, down + _hairline_end(place))
                hairlines.append({"x": name.x, "y": name.y, "x2": x2, "y2": y2})
        if hairlines:
            rule = alt.Chart(values(hairlines)).mark_rule(color=CONTROL, strokeWidth=0.75, aria=False)
            yield rule.encode(x=self.x, y=self.y, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"))
        if texts:
            mark = alt.Chart(values(texts)).mark_text(baseline="middle", align=alt.expr("datum.align"), aria=False)
            colour = alt.Color("colour:N", scale=None, legend=None)
            yield mark.encode(x=self.x, y=self.y, text=alt.Text("name:N"), color=colour)

    def _dots(self, marks: Sequence[Point]) -> list[Box]:
        return [Box.around(*self.to_points(*mark), reach=4) for mark in marks]

    def _find_place(self, anchor: Anchor, taken: list[Box], dots: Sequence[Box]) -> LabelPlace:
        """Where a name covers least, the nearest of equals; what it takes is taken from then on."""
        start = anchor.x, anchor.y
        own = Box.around(*start, reach=4)
        others = [dot for dot in dots if not dot.overlaps(own)]

        def covered(place: LabelPlace) -> int:
            box = box_of(anchor, place)
            under_name = 3 * sum(box.overlaps(other) for other in taken)
            if under_name or _is_near(place):
                return under_name
            hairline = _along(start, (anchor.x + place.dx, anchor.y + place.dy), 2 * LINE_STEP)
            return sum(dot.overlaps(piece) for piece in hairline for dot in others)

        inside = [place for place in _PLACES if self._holds(box_of(anchor, place))] or [_PLACES[0]]
        free = next((place for place in inside if not covered(place)), None)
        place = free or min(inside, key=covered)
        taken.append(box_of(anchor, place))
        if not _is_near(place):
            taken += _along(start, (anchor.x + place.dx, anchor.y + place.dy), LINE_STEP)
        return place

    def _holds(self, box: Box) -> bool:
        return box.left >= 0 and box.top >= 0 and box.right <= self.width and box.bottom <= self.height


def _widened(low: float, high: float) -> tuple[float, float]:
    margin = MARGIN * (high - low) or 0.05
    return low - margin, high + margin


def _hairline_end(place: LabelPlace) -> float:
    """How far down: to the end of a name at the side, to the edge of one above or below."""
    return place.dy - math.copysign(LABEL_HEIGHT / 2, place.dy) if place.align == "center" else place.dy


def _is_near(place: LabelPlace) -> bool:
    return math.hypot(place.dx, place.dy) <= NEAR + LABEL_HEIGHT / 2


def _along(start: Point, end: Point, step: float) -> list[Box]:
    """What a line takes, piece by piece."""
    (x, y), (x2, y2) = start, end
    pieces = max(1, round(math.dist(start, end) / step))
    return [
        Box.around(x + (x2 - x) * each / pieces, y + (y2 - y) * each / pieces, reach=2) for each in range(pieces + 1)
    ]

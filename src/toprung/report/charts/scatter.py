"""How are two scores of each run drawn against each other, so that the names that matter can be read?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toprung.report.charts.svg.axes import draw_x_axis, draw_y_axis
from toprung.report.charts.svg.clipping import clip_line
from toprung.report.charts.svg.drawing import Drawing
from toprung.report.charts.svg.label_placement import LABEL_HEIGHT, Anchor, Box, LabelPlace, box_of
from toprung.report.charts.svg.legend import Entry
from toprung.report.charts.svg.marks import Shape
from toprung.report.charts.svg.scales import AxisScale, ends_around
from toprung.report.charts.svg.setting import PLAIN, ChartSetting, Subject
from toprung.report.charts.svg.text_width import text_width
from toprung.report.charts.tokens import CONTROL, INK_2
from toprung.words.wording import fit, show_number

WIDTH, HEIGHT = 470, 400
LABELS_WIDTH, NARROW_HEIGHT = 44, 320
"""What labels at the left take, and the height of a plot for a small screen."""
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
    shape: Shape = "circle"


@dataclass(frozen=True, kw_only=True)
class Dot:
    """A run or an entry by its two scores."""

    run: str
    x: float
    y: float
    kind: str


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
    setting: ChartSetting = PLAIN
    decimals: int = 4
    """Of the scores that marks tell."""

    @classmethod
    def around(
        cls,
        xs: Sequence[float],
        ys: Sequence[float],
        *,
        x_title: str,
        y_title: str,
        setting: ChartSetting = PLAIN,
        decimals: int = 4,
    ) -> Scatter:
        """All marks, with some room around them."""
        (left, right), (bottom, top) = ends_around(xs, MARGIN), ends_around(ys, MARGIN)
        edges = {"left": left, "right": right, "bottom": bottom, "top": top}
        return cls(x_title=x_title, y_title=y_title, setting=setting, decimals=decimals, **edges)

    @property
    def width(self) -> float:
        return self.setting.fit(WIDTH, LABELS_WIDTH)

    @property
    def height(self) -> float:
        return NARROW_HEIGHT if self.setting.is_narrow else HEIGHT

    @property
    def x(self) -> AxisScale:
        return AxisScale(low=self.left, high=self.right, start=0, end=self.width)

    @property
    def y(self) -> AxisScale:
        return AxisScale(low=self.bottom, high=self.top, start=self.height, end=0)

    def draw_axes(self) -> Drawing:
        drawing = Drawing(width=self.width, height=self.height, setting=self.setting)
        draw_y_axis(drawing, self.y, self.y.ticks(5), title=self.y_title)
        draw_x_axis(drawing, self.x, self.x.ticks(5), title=self.x_title, title_at="end", has_grid=True)
        return drawing

    def to_points(self, x: float, y: float) -> Point:
        """From the top left of the plot."""
        return self.x(x), self.y(y)

    def draw_marks(self, drawing: Drawing, dots: Sequence[Dot], styles: Mapping[str, MarkStyle]) -> None:
        """The kinds named first are drawn last, on top. One kind alone needs no legend."""
        kinds = [kind for kind in styles if any(dot.kind == kind for dot in dots)]
        for dot in sorted(dots, key=lambda dot: -kinds.index(dot.kind)):
            style = styles[dot.kind]
            x, y = self.to_points(dot.x, dot.y)
            name = self.setting.name_of(dot.run)
            x_said, y_said = (show_number(score, self.decimals) for score in (dot.x, dot.y))
            facts = {"run": name, self.x_title: x_said, self.y_title: y_said, "kind": dot.kind}
            of = Subject("run", dot.run)
            drawing.point(x, y, shape=style.shape, size=style.size, fill=style.colour, facts=facts, of=of)
        if len(kinds) > 1:
            looks = ((kind, styles[kind]) for kind in kinds)
            drawing.explain(Entry(kind, fill=style.colour, shape=style.shape, size=style.size) for kind, style in looks)

    def place_note(self, notes: Iterable[Note], marks: Sequence[Point], taken: Sequence[Box] = ()) -> Note:
        """Of some places for a note the first where it covers least."""
        boxes = [*self._dots(marks), *taken]
        return min(notes, key=lambda note: sum(note.box.overlaps(box) for box in boxes))

    def draw_note(self, drawing: Drawing, note: Note) -> None:
        drawing.text(note.text, NOTE_LEFT, note.down, size=12, colour=note.colour)

    def draw_names(
        self,
        drawing: Drawing,
        wanted: Sequence[Name],
        marks: Sequence[Point],
        lines: Sequence[tuple[Point, Point]] = (),
        notes: Sequence[Note] = (),
    ) -> None:
        """Every name, beside its mark or where there is room, then with a hairline to it; none on what is drawn."""
        dots = self._dots(marks)
        drawn = (clip_line([self.to_points(*end) for end in ends], top=0, bottom=self.height) for ends in lines)
        taken = [*dots, *(box for ends in drawn if ends for box in _along(ends[0], ends[-1], LINE_STEP))]
        texts = [note.box for note in notes]
        taken += texts
        for name in wanted:
            text = fit(name.text, NAME_LENGTH)
            across, down = self.to_points(name.x, name.y)
            place = self._find_place(Anchor(text=text, x=across, y=down, reach=NEAR), taken, [*dots, *texts])
            if place is None:
                continue
            if not _is_near(place):
                end = across + place.dx, down + _hairline_end(place)
                drawing.rule((across, down), end, stroke=CONTROL, width=0.75)
            texts.append(box_of(Anchor(text=text, x=across, y=down, reach=NEAR), place))
            x, y = across + place.dx, down + place.dy
            drawing.text(text, x, y, align=place.align, size=12, colour=name.colour)

    def _dots(self, marks: Sequence[Point]) -> list[Box]:
        return [Box.around(*self.to_points(*mark), reach=4) for mark in marks]

    def _find_place(self, anchor: Anchor, taken: list[Box], clear: Sequence[Box]) -> LabelPlace | None:
        """The nearest place where a name covers nothing, and its hairline nothing that is to be kept clear, if any."""
        start = anchor.x, anchor.y
        own = Box.around(*start, reach=4)
        others = [box for box in clear if not box.overlaps(own)]

        def is_free(place: LabelPlace) -> bool:
            box = box_of(anchor, place)
            if not self._holds(box) or any(box.overlaps(other) for other in taken):
                return False
            if _is_near(place):
                return True
            hairline = _along(start, (anchor.x + place.dx, anchor.y + place.dy), 2 * LINE_STEP)
            return not any(box.overlaps(piece) for piece in hairline for box in others)

        place = next((place for place in _PLACES if is_free(place)), None)
        if place is not None:
            taken.append(box_of(anchor, place))
        if place is not None and not _is_near(place):
            taken += _along(start, (anchor.x + place.dx, anchor.y + place.dy), LINE_STEP)
        return place

    def _holds(self, box: Box) -> bool:
        return box.left >= 0 and box.top >= 0 and box.right <= self.width and box.bottom <= self.height


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

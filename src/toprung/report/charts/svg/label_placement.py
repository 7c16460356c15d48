"""Where does each label go, so that none lies on a mark or on another one? In points of the plot, from its top left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from toprung.report.charts.svg.text_width import text_width
from toprung.words.visible import in_one_line

LABEL_HEIGHT = 14


class Box(NamedTuple):
    """A part of the plot that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    @classmethod
    def around(cls, x: float, y: float, reach: float) -> Box:
        return cls(x - reach, y - reach, x + reach, y + reach)

    @classmethod
    def between(cls, start: tuple[float, float], end: tuple[float, float]) -> Box:
        """Of a line along one of the axes."""
        (x, y), (x2, y2) = start, end
        return cls(min(x, x2) - 1, min(y, y2) - 1, max(x, x2) + 1, max(y, y2) + 1)


@dataclass(frozen=True, kw_only=True)
class Anchor:
    """What is to be labelled: a text, and the mark it belongs to."""

    text: str
    x: float
    y: float
    reach: float
    """How far the mark goes from its centre."""
    bold: bool = False


@dataclass(frozen=True, kw_only=True)
class LabelPlace:
    """Where a label stands relative to the centre of its mark, and which end of it stands there."""

    dx: float
    dy: float
    align: Literal["left", "center", "right"]


def place_labels(
    anchors: Sequence[Anchor], *, taken: Iterable[Box], width: float, height: float
) -> list[LabelPlace | None]:
    """A place for each label, the first ones first; None where all places around a mark are taken.

    >>> dot = Anchor(text="run", x=50, y=50, reach=5)
    >>> place_labels([dot, dot], taken=[], width=100, height=100)
    [LabelPlace(dx=-7, dy=-10, align='right'), LabelPlace(dx=7, dy=-10, align='left')]
    """
    occupied = list(taken)
    plot = Box(0, -LABEL_HEIGHT, width, height)
    places: list[LabelPlace | None] = []
    for anchor in anchors:
        found = None
        for place in _places_around(anchor.reach):
            box = box_of(anchor, place)
            if _is_within(box, plot) and not any(box.overlaps(other) for other in occupied):
                occupied.append(box)
                found = place
                break
        places.append(found)
    return places


def _places_around(reach: float) -> tuple[LabelPlace, ...]:
    """The best first: over a step of a staircase there is room at the upper left."""
    near, above = reach + 2, reach + 5
    centred = reach + LABEL_HEIGHT / 2 + 2
    return (
        LabelPlace(dx=-near, dy=-above, align="right"),
        LabelPlace(dx=0, dy=-centred, align="center"),
        LabelPlace(dx=near, dy=-above, align="left"),
        LabelPlace(dx=near, dy=above + 2, align="left"),
        LabelPlace(dx=0, dy=centred, align="center"),
        LabelPlace(dx=-near, dy=above + 2, align="right"),
    )


def box_of(anchor: Anchor, place: LabelPlace) -> Box:
    wide = text_width(in_one_line(anchor.text), bold=anchor.bold)
    x, y = anchor.x + place.dx, anchor.y + place.dy
    left = {"left": x, "center": x - wide / 2, "right": x - wide}[place.align]
    return Box(left, y - LABEL_HEIGHT / 2, left + wide, y + LABEL_HEIGHT / 2)


def _is_within(box: Box, plot: Box) -> bool:
    return plot.left <= box.left and box.right <= plot.right and plot.top <= box.top and box.bottom <= plot.bottom


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Positions moved apart until each two are at least ``gap`` apart, none further than needed, in the same order.

    >>> spread([10, 12, 40], 14)
    [4.0, 18.0, 40.0]
    """
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    # Neighbours that would touch form a block, which is centred on the mean of what its members want.
    blocks: list[list[float]] = []  # the centre that each member wants for the block
    for i in order:
        blocks.append([positions[i]])
        while (
            len(blocks) > 1
            and _centre(blocks[-1]) - _centre(blocks[-2]) < gap * (len(blocks[-1]) + len(blocks[-2])) / 2
        ):
            last = blocks.pop()
            blocks[-1] += last
    moved = [0.0] * len(positions)
    members = iter(order)
    for block in blocks:
        top = _centre(block) - gap * (len(block) - 1) / 2
        for place in range(len(block)):
            moved[next(members)] = top + gap * place
    return moved


def _centre(wanted: Sequence[float]) -> float:
    return sum(wanted) / len(wanted)

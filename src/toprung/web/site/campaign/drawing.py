"""How is a course drawn? As paths and ticks for a template, once for a desk and once for a phone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

type Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class NamedPoint:
    """A point with its words, which stand where they fit."""

    x: float
    y: float
    words: str
    anchor: str
    dy: int
    """Below the point, or above it where the axis is near."""


@dataclass(frozen=True, kw_only=True)
class Course:
    """What is drawn: where lines and words are, in the units of the picture."""

    width: int
    height: int
    line: str
    ahead: str
    band: str
    ticks_x: list[tuple[float, str]]
    ticks_y: list[tuple[float, str]]
    marks: list[NamedPoint]
    left: int
    right: int
    bottom: int


SIZES = ((570, 270), (356, 230))
NARROW = 400
"""Below it every second tick is left out."""
LEFT, RIGHT, TOP, BOTTOM = 38, 12, 20, 26
LETTER, LINE = 7.4, 14
"""How wide a letter is at 12 px in the widest font, and how high a line."""


def draw_course(
    so_far: Sequence[Point],
    *,
    most: Point,
    words_x: Sequence[tuple[float, str]],
    ahead: Sequence[Point] = (),
    band: Sequence[tuple[float, float, float]] = (),
    marks: Sequence[tuple[float, float, str]] = (),
) -> list[Course]:
    """A line so far, what is to come dashed in its band, and points that are named; for a desk and for a phone."""
    edge = [(x, high) for x, _, high in band] + [(x, low) for x, low, _ in reversed(band)]
    found = []
    for width, height in SIZES:
        to = _Scale(width=width, height=height, most=most)
        found.append(
            Course(
                width=width,
                height=height,
                line=to.path(so_far),
                ahead=to.path(ahead),
                band=f"{to.path(edge)}Z" if edge else "",
                ticks_x=[(to.place(x, 0)[0], words) for x, words in (words_x if width > NARROW else words_x[::2])],
                ticks_y=[(to.place(0, y)[1], f"{y:,.0f}") for y in round_ticks(most[1])],
                marks=_apart([_mark(to.place(x, y), words, to) for x, y, words in marks]),
                left=LEFT,
                right=width - RIGHT,
                bottom=height - BOTTOM,
            )
        )
    return found


@dataclass(frozen=True, kw_only=True)
class _Scale:
    """From values to places in a picture."""

    width: int
    height: int
    most: Point

    def place(self, x: float, y: float) -> Point:
        across, up = self.width - LEFT - RIGHT, self.height - TOP - BOTTOM
        part = min(y, self.most[1]) / (self.most[1] or 1)
        return round(LEFT + across * x / (self.most[0] or 1), 1), round(TOP + up * (1 - part), 1)

    def path(self, points: Sequence[Point]) -> str:
        places = [self.place(*point) for point in points]
        return "".join(f"{'L' if number else 'M'}{x} {y}" for number, (x, y) in enumerate(places))


UNITS = ((24.0, "day"), (1.0, "hour"), (1 / 60, "minute"), (1 / 3600, "second"))


def time_ticks(hours: float) -> list[tuple[float, str]]:
    """Whole days, hours, minutes or seconds since the start, of the largest unit that gives two or more.

    >>> [words for _, words in time_ticks(8 * 24)]
    ['start', 'day 2', 'day 4', 'day 6', 'day 8']
    """
    unit, words = next((each for each in UNITS if hours / each[0] >= 2), UNITS[-1])
    return [(unit * tick, f"{words} {tick:.0f}" if tick else "start") for tick in round_ticks(hours / unit)]


def _mark(at: Point, words: str, to: _Scale) -> NamedPoint:
    """Courses rise: what stands above to the left of a point, or below to its right, meets no line."""
    is_low, is_right = at[1] > to.height - BOTTOM - 24, at[0] > to.width * 0.6
    is_above = is_low or is_right
    has_room = at[0] - LEFT > LETTER * len(words)
    return NamedPoint(
        x=at[0],
        y=at[1],
        words=words,
        anchor="end" if is_above and has_room else "start",
        dy=-8 if is_above else 18,
    )


def _apart(marks: Sequence[NamedPoint]) -> list[NamedPoint]:
    """Words that would stand on others are left out; the first keep theirs."""
    kept: list[NamedPoint] = []
    for mark in marks:
        meets = any(_meet(mark, other) for other in kept if other.words)
        kept.append(replace(mark, words="") if meets else mark)
    return kept


def _meet(one: NamedPoint, other: NamedPoint) -> bool:
    (first, last), (start, end) = _reach(one), _reach(other)
    is_beside = last < start or end < first
    return not is_beside and abs(one.y + one.dy - other.y - other.dy) < LINE


def _reach(mark: NamedPoint) -> Point:
    """From where to where its words go."""
    width = LETTER * len(mark.words) + 8
    return (mark.x - width, mark.x) if mark.anchor == "end" else (mark.x, mark.x + width)


def round_ticks(most: float, n: int = 4) -> list[float]:
    """Round numbers from 0 to about the most.

    >>> round_ticks(400)
    [0, 100, 200, 300, 400]
    """
    if most <= 0:
        return [0]
    rough = most / n
    scale = 10 ** math.floor(math.log10(rough))
    step = max(1, next(scale * each for each in (1, 2, 2.5, 5, 10) if scale * each >= rough * 0.999))
    return [step * number for number in range(math.floor(most / step) + 1)]

"""What of a line or an area lies within a plot? So that nothing is drawn beyond its edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

type Place = tuple[float, float]


def clip_line(points: Sequence[Place], *, top: float, bottom: float) -> list[Place]:
    """The piece of a straight line between two heights; nothing where it lies beyond them.

    >>> clip_line([(0, -10), (20, 10)], top=0, bottom=100)
    [(10.0, 0.0), (20, 10)]
    """
    return _clip(points, top=top, bottom=bottom, is_closed=False)


def clip_area(points: Sequence[Place], *, top: float, bottom: float) -> list[Place]:
    """The part of an area between two heights.

    >>> clip_area([(0, -10), (20, 10), (0, 10)], top=0, bottom=100)
    [(20, 10), (0, 10), (0.0, 0.0), (10.0, 0.0)]
    """
    return _clip(points, top=top, bottom=bottom, is_closed=True)


def _clip(points: Sequence[Place], *, top: float, bottom: float, is_closed: bool) -> list[Place]:
    below_top = _keep(points, top, lambda y: y >= top, is_closed=is_closed)
    return _keep(below_top, bottom, lambda y: y <= bottom, is_closed=is_closed)


def _keep(points: Sequence[Place], edge: float, is_inside: Callable[[float], bool], *, is_closed: bool) -> list[Place]:
    """What lies on one side of an edge, with the places where it is crossed."""
    if not points:
        return []
    kept = [] if is_closed or not is_inside(points[0][1]) else [points[0]]
    for (x, y), (x2, y2) in pairwise([*points, points[0]] if is_closed else points):
        if is_inside(y) != is_inside(y2):
            kept.append((x + (x2 - x) * (edge - y) / (y2 - y), float(edge)))
        if is_inside(y2):
            kept.append((x2, y2))
    return kept

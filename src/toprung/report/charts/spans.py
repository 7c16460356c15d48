"""Which neighbours look the same? They are drawn as one mark, so that a large figure stays a small file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby


def spans_of[T](looks: Iterable[T]) -> Iterator[tuple[int, int, T]]:
    """From where to where, the end left out, each look goes on.

    >>> list(spans_of(["light", "light", "dark"]))
    [(0, 2, 'light'), (2, 3, 'dark')]
    """
    start = 0
    for look, alike in groupby(looks):
        end = start + sum(1 for _ in alike)
        yield start, end, look
        start = end

"""Which places may each run have? The simultaneous rank intervals of a board, as bars on one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toprung.web.core.access.namer import Identity

MOST_BARS = 16
LONGEST_AXIS = 20
"""Places on the axis: a bar that goes on stops at its end, and the words beside it say how far."""
FEW_PLACES = 8
"""So many have a tick each."""
USUAL_TICKS = (1, 5, 10, 15, 20)


@dataclass(frozen=True, kw_only=True)
class PlaceTick:
    """A place of the axis, in percent of its width."""

    at: float
    place: int


@dataclass(frozen=True, kw_only=True)
class PlaceBar:
    """The places of one run."""

    run: str
    identity: Identity
    words: str
    may_be_best: bool
    left: float
    width: float


@dataclass(frozen=True, kw_only=True)
class PlaceBars:
    """The bars of a forest, in the order of the scores, and its axis."""

    ticks: Sequence[PlaceTick]
    rows: Sequence[PlaceBar]


def draw_places(places: Sequence[Mapping[str, Any]], names: Mapping[str, Identity]) -> PlaceBars:
    """Runs without a name, such as one that was withdrawn since, are left out."""
    last = min(LONGEST_AXIS, max(int(each["high"]) for each in places))

    def at(place: float) -> float:
        return round(100 * min(max(place - 0.5, 0), last) / last, 1)

    rows = [
        PlaceBar(
            run=each["run"],
            identity=names[each["run"]],
            words=say_places(each["low"], each["high"]),
            may_be_best=each["low"] == 1,
            left=at(each["low"] - 0.3),
            width=round(at(each["high"] + 0.3) - at(each["low"] - 0.3), 1),
        )
        for each in places
        if each["run"] in names
    ]
    marked = range(1, last + 1) if last <= FEW_PLACES else USUAL_TICKS
    return PlaceBars(ticks=[PlaceTick(at=at(tick), place=tick) for tick in marked if tick <= last], rows=rows)


def say_places(low: int, high: int) -> str:
    """A rank interval.

    >>> say_places(1, 4), say_places(3, 3)
    ('1–4', '3')
    """
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"

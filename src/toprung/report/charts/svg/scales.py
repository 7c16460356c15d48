"""Where does a value stand on an axis, and which values are marked there?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

LEAST_SPAN = 1e-9
"""Of an axis, as a share of its largest value or of 1: values that differ by less are equal but for rounding."""
LEAST_ROOM = 0.05
"""Around equal values, as a share of the same."""
STEPS = ((math.sqrt(50), 10), (math.sqrt(10), 5), (math.sqrt(2), 2), (0, 1))
"""From which share of a power of ten on which multiple of it is the step."""


class Tick(NamedTuple):
    """A value that is marked, and what stands there."""

    value: float
    label: str


@dataclass(frozen=True, kw_only=True)
class AxisScale:
    """From ``low`` at ``start`` to ``high`` at ``end``, in points; by factors if ``is_log``."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def __call__(self, value: float) -> float:
        if self.is_log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int) -> list[Tick]:
        """About so many round values, written with the decimals that tell them apart."""
        step = step_for(self.high - self.low, about)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [Tick(number * step, write(number * step, step)) for number in range(first, last + 1)]


def ends_around(values: Iterable[float], margin: float) -> tuple[float, float]:
    """The ends of an axis around all values, with a share of their span free on each side.

    >>> ends_around([0.25, 0.75], 0.5), ends_around([0.25, 0.25 + 1e-17], 0.5)
    ((0.0, 1.0), (0.2, 0.3))
    """
    known = list(values)
    low, high = min(known), max(known)
    size = max(1.0, abs(low), abs(high))
    room = margin * (high - low) if high - low > LEAST_SPAN * size else LEAST_ROOM * size
    return low - room, high + room


def step_for(length: float, about: int) -> float:
    """The round step that leaves about so many on an axis of that length.

    >>> step_for(0.25, 6), step_for(100, 5), step_for(3, 6)
    (0.05, 20.0, 0.5)
    """
    wanted = length / about
    power = 10.0 ** math.floor(math.log10(wanted))
    factor = next(factor for least, factor in STEPS if wanted / power >= least)
    return float(f"{factor * power:.12g}")


def write(value: float, step: float) -> str:
    """With as many decimals as the step has.

    >>> write(0.25, 0.05), write(2000, 500), write(-0.5, 0.5)
    ('0.25', '2,000', '−0.5')
    """
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    shown = f"{value:,.{decimals}f}"
    return shown.replace("-", "−") if float(shown.replace(",", "")) else shown.lstrip("-")


def nice_end(high: float, about: int) -> float:
    """The next round value from ``high`` on: where a scale from 0 ends.

    >>> nice_end(0.43, 5), nice_end(0.4, 5)
    (0.5, 0.4)
    """
    step = step_for(high, about)
    return float(f"{step * math.ceil(high / step - 1e-9):.12g}")

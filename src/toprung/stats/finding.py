"""What does a test of two runs find? A statistic, its p-value and a direction; and what may be done with values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

# Means are rounded to so many digits before they take a side: less is rounding.
MEAN_DIGITS = 12


class Scale(IntEnum):
    """What the values of a measure permit: to be ordered, to be subtracted, or to be divided.

    >>> Scale.ORDINAL.permits(Scale.INTERVAL), Scale.RATIO.permits(Scale.INTERVAL)
    (False, True)
    """

    ORDINAL = 1
    INTERVAL = 2
    RATIO = 3

    def permits(self, needed: Scale) -> bool:
        return self >= needed


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Base of what every test of two runs gives back; B is compared with A.

    ``direction`` comes from the test's own statistic: +1 if B's values are the larger, −1 if A's are, else 0.
    """

    statistic: float
    p: float
    n: int
    direction: int


def sign_of(value: float) -> int:
    """The side a value takes; NaN takes none."""
    return int(value > 0) - int(value < 0)

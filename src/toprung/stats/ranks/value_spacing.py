"""Which values are there, and do they lie evenly? What a scale check asks of numbers.

Craswell et al. 2021, section 4.1: on an interval scale every difference that exists between two values can be laid off
from either end of the scale (the solvability condition). For finitely many values that holds only if they are
equi-spaced.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toprung.stats.inputs import Bools, Floats, Ints

# Values that differ by less than this share of their size are one value: sums of the same gains in another order.
SAME = 1e-12
# Of more values than this the differences are not tried: there are as many as its square.
MOST_LEVELS = 2_048


def levels_of(values: Floats) -> Floats:
    """The distinct values, ascending; each stands for those that only rounding sets apart from it.

    >>> levels_of(np.array([0.3, 0.1 + 0.2, 0.0, 1.0])).tolist()
    [0.0, 0.3, 1.0]
    """
    ordered = np.unique(values)
    return ordered[_starts(ordered, SAME * np.abs(ordered))]


def place_among(levels: Floats, values: Floats) -> Ints:
    """For each value the place, from 0, of its level."""
    return np.searchsorted(levels, values + SAME / 2 * np.abs(values), side="right") - 1


def is_equi_spaced(levels: Floats) -> bool:
    """Whether neighbours lie equally far apart; a single value is no scale."""
    if len(levels) < 2:
        return False
    gaps = np.diff(levels)
    return bool(np.ptp(gaps) <= _tolerance(levels))


@dataclass(frozen=True, eq=False, kw_only=True)
class Differences:
    """Differences that exist between two values, ascending, and whether each can be laid off from the ends.

    ``lower`` is a value above which the difference was found.
    """

    difference: Floats
    lower: Floats
    from_bottom: Bools
    from_top: Bools

    @property
    def is_unsolvable(self) -> Bools:
        return ~(self.from_bottom & self.from_top)


def lay_off_differences(levels: Floats) -> Differences | None:
    """Lay off every difference of two levels from both ends; None if they are too many."""
    if len(levels) > MOST_LEVELS:
        return None
    low, high = np.triu_indices(len(levels), k=1)
    tolerance = _tolerance(levels)
    found = levels[high] - levels[low]
    order = np.lexsort((low, found))
    order = order[_starts(found[order], tolerance)]
    difference = found[order]
    return Differences(
        difference=difference,
        lower=levels[low[order]],
        from_bottom=_has(levels, levels[:1] + difference, tolerance),
        from_top=_has(levels, levels[-1:] - difference, tolerance),
    )


def _tolerance(levels: Floats) -> float:
    return float(SAME * np.abs(levels).max(initial=0.0))


def _starts(ordered: Floats, tolerance: Floats | float) -> Bools:
    """Where a sorted array steps to another value."""
    is_start = np.ones(len(ordered), dtype=bool)
    is_start[1:] = np.diff(ordered) > (tolerance[1:] if isinstance(tolerance, np.ndarray) else tolerance)
    return is_start


def _has(levels: Floats, values: Floats, tolerance: float) -> Bools:
    """Which of the values are among the levels."""
    above = np.searchsorted(levels, values - tolerance).clip(max=len(levels) - 1)
    return np.asarray(np.abs(levels[above] - values) <= tolerance)

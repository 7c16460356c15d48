"""How coarse is a figure that everyone sees? Scores on the grid of the release, counts in tens, p to two digits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

SHARE_DIGITS, RANK_DIGITS = 3, 2
DIGITS = 2
"""Of p-values, and of spreads."""
SCORE_DIGITS = 4
"""What a page shows of a score that is released in full."""


def to_two_digits(value: float) -> float:
    """The first two that are not zero.

    >>> [to_two_digits(value) for value in (0.0, 0.01789, 0.000123456, 1.0, -147.2)]
    [0.0, 0.018, 0.00012, 1.0, -150.0]
    """
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, DIGITS - 1 - math.floor(math.log10(abs(value))))


def to_two_digits_beside(p: float, level: float) -> float:
    """The same of a p-value that is held to a level: rounding never takes it across.

    >>> [to_two_digits_beside(p, 0.05) for p in (0.0496, 0.0504, 0.0789)], to_two_digits_beside(0.002224, 0.002221)
    ([0.05, 0.051, 0.079], 0.0023)
    """
    rounded = to_two_digits(p)
    if (rounded <= level) == (p <= level):
        return rounded
    step = 10.0 ** (math.floor(math.log10(p)) - 1)
    return to_two_digits(step * (math.floor(p / step) if p <= level else math.ceil(p / step)))


def round_to_grid(value: float, grid: float) -> float:
    return _on_grid(value, grid, lambda steps: math.floor(steps + 0.5))


def widen_to_grid(low: float, high: float, grid: float) -> tuple[float, float]:
    """The interval outwards, so that it covers no less than it did.

    >>> widen_to_grid(0.4469, 0.4667, 0.001)
    (0.446, 0.467)
    """
    return _on_grid(low, grid, math.floor), _on_grid(high, grid, math.ceil)


def apportion(parts: Sequence[float], step: float) -> list[float]:
    """Each to a whole number of steps, so that their sum is that of the exact ones on the grid.

    >>> apportion([0.34, 0.33, 0.33], 0.1)
    [0.4, 0.3, 0.3]
    """
    exact = [round(part / step, 6) for part in parts]
    whole = [math.floor(each) for each in exact]
    left = math.floor(sum(exact) + 0.5) - sum(whole)
    by_remainder = sorted(range(len(parts)), key=lambda each: (whole[each] - exact[each], each))
    for each in by_remainder[:left]:
        whole[each] += 1
    return [round(each * step, 12) for each in whole]


def counts_adding_up(counts: Sequence[int], total: int, *, step: int) -> list[int]:
    """Each to a whole number of steps, so that their sum is the total: who is nearest to the next step goes there.

    >>> counts_adding_up([26, 14, 13], 50, step=10), counts_adding_up([26, 14, 13], 30, step=10)
    ([30, 10, 10], [20, 10, 0])
    """
    whole = [count // step for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda each: (-(counts[each] % step), each))
    left = total // step - sum(whole)
    while left > 0 and whole:
        for each in by_remainder[:left]:
            whole[each] += 1
        left -= min(left, len(whole))
    while left < 0 and any(whole):
        last = next(each for each in reversed(by_remainder) if whole[each])
        whole[last] -= 1
        left += 1
    return [each * step for each in whole]


def _on_grid(value: float, grid: float, to_whole: Callable[[float], int]) -> float:
    if not math.isfinite(value):  # such as the interval of a single query
        return value
    return round(to_whole(round(value / grid, 6)) * grid, 12)

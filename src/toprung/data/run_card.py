"""What may a team say of its run? A cost within reason."""

from __future__ import annotations

SMALLEST_COST, LARGEST_COST = 1e-12, 1e15
A_COST = f"a positive number from {SMALLEST_COST:g} to {LARGEST_COST:g}"
"""What a cost or a latency may be: no unit needs more, and no axis could show more."""


def is_cost(value: float) -> bool:
    """Whether something can cost so much.

    >>> is_cost(0.02), is_cost(0.0), is_cost(float("inf"))
    (True, False, False)
    """
    return SMALLEST_COST <= value <= LARGEST_COST

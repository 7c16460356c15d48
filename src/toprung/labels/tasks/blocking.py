"""Who is offered no more work? Whoever misses golds more often than a careful person would.

A careful person slips, too: at 2% of golds, every third one has missed a gold after seven tasks. So one miss blocks
nobody. The golds of an assessor, all tasks together, are tested after each task, and who is careful is blocked at any
time with a chance of 1% at most: the evidence is a ratio of likelihoods, whose chance to ever exceed 100 is below 1/100
(Ville's inequality).
"""

from __future__ import annotations

from enum import StrEnum
from math import lgamma, log

from toprung.errors import InputError

SLIPS = 0.02
"""The share of golds that a careful person misses."""
ALPHA = 0.01


class BlockRule(StrEnum):
    """What blocks an assessor: a test over all of their golds, the first miss, or only the word of who asks them."""

    TEST = "test"
    FIRST_MISS = "first-miss"
    BY_HAND = "by-hand"


def read_block_rule(value: object) -> BlockRule:
    """The rule of that name."""
    if value not in list(BlockRule):
        raise InputError(f"Found {value!r} as what blocks an assessor; expected one of {', '.join(BlockRule)}.")
    return BlockRule(str(value))


def is_blocked(n_golds: int, n_missed: int, rule: BlockRule) -> bool:
    """Whether so many misses of so many golds block.

    >>> [is_blocked(3, missed, BlockRule.TEST) for missed in range(4)]
    [False, False, True, True]
    """
    if rule is BlockRule.BY_HAND:
        return False
    if rule is BlockRule.FIRST_MISS:
        return n_missed > 0
    return _log_evidence(n_golds, n_missed) >= -log(ALPHA)


def _log_evidence(n_golds: int, n_missed: int) -> float:
    """How much likelier the misses are if any share of slips was as likely as any other, than by a careful person."""
    n_right = n_golds - n_missed
    careless = lgamma(n_missed + 1) + lgamma(n_right + 1) - lgamma(n_golds + 2)
    return careless - n_missed * log(SLIPS) - n_right * log(1 - SLIPS)

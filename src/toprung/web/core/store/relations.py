"""Who is better than whom, all runs of a board compared at once? Kept with each row: one bit for every other run."""

from __future__ import annotations

import base64

import numpy as np

from toprung.stats.inputs import Bools, Ints
from toprung.web.core.models.results import Standing

BETTER_THAN = "better_than"
"""Where the content of a row has it."""


def pack_relations(is_better: Bools, numbers: Ints) -> list[str]:
    """For each row of runs × runs the runs that it is better than, as bits in the order of their numbers."""
    by_number = np.zeros(int(numbers.max(initial=0)) + 1, dtype=bool)
    packed = []
    for row in is_better:  # one after the other: of thousands of runs the square would be another 100 MB
        by_number[numbers] = row
        packed.append(base64.b64encode(np.packbits(by_number).tobytes()).decode())
    return packed


def relation_of(a: Standing, b: Standing) -> int:
    """+1 where B is better than A, −1 where A is, 0 where they are not told apart; both of one board and audience."""
    return _is_better(b, a.submission.number) - _is_better(a, b.submission.number)


def _is_better(row: Standing, number: int) -> int:
    packed = base64.b64decode(row.content[BETTER_THAN])
    return packed[number // 8] >> (7 - number % 8) & 1 if number < 8 * len(packed) else 0

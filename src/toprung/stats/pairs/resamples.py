"""What would the t of each pair of runs be, had other queries been drawn? What simultaneous intervals are made from.

For each pair t is the difference of the means over its standard error; in a resample it is the difference less the
observed one, over the resample's own standard error (bootstrap-t, studentised.py), which is right to second order for
skewed scores.

To every variance, observed or resampled, is added what ``USUAL_QUERIES`` queries that differ as much as is usual on the
board would add. Else a pair that a few queries carry has resamples without them, and so of hardly any standard error,
and its huge t would be the critical value of all pairs. The more queries there are, the less this adds.

Bootstrap-t costs queries × pairs × resamples. Where it is more than some seconds' work, or more than 1 GB to keep, the
standard error stays the observed one (scaled.py).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import Floats, Ints
from toprung.stats.pairs.observed import FIRST, SECOND, JudgedPairs, Marks
from toprung.stats.pairs.results import Pairs
from toprung.stats.pairs.triangle import run_after_run

CELLS_PER_BLOCK = 1 << 21
# Of ``Workers.if_worth``: many products of a matrix product are made at once.
STEPS_PER_PRODUCT = 1 / 16

type Block = NDArray[np.floating]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairResamples(ABC):
    """The t of every pair in every resample, less what was observed."""

    judged: JudgedPairs
    resamples: int

    @abstractmethod
    def block(self, places: Ints) -> Block:
        """The resampled t of the pairs at these places, pairs × resamples."""

    @abstractmethod
    def widen(self, value: float) -> float:
        """The critical value, from what the largest resampled t exceeds seldom enough."""

    @cached_property
    def pairs(self) -> Pairs:
        return run_after_run(len(self.judged.observed.mean))

    def largest(self, tests: Marks) -> Floats:
        """In each resample, the largest t of the tests marked, turned round for second runs; at least 0."""
        largest = np.zeros(self.resamples)
        for part in parts(np.flatnonzero(tests), self.resamples):
            block, marks = self.block(part), tests[part]
            np.maximum(largest, block[(marks & FIRST) > 0].max(axis=0, initial=0), out=largest)
            np.maximum(largest, -block[(marks & SECOND) > 0].min(axis=0, initial=0), out=largest)
        return largest

    def largest_at(self, tests: Marks, place: int) -> float:
        """Of the largest of all resamples, the one at this place from below, from 1."""
        return float(np.partition(self.largest(tests), place - 1)[place - 1])

    def critical_value(self, tests: Marks, alpha: float) -> float:
        """What the largest t exceeds with probability alpha at most; never negative, infinite with few resamples."""
        place = math.ceil((1 - alpha) * (self.resamples + 1))
        return math.inf if place > self.resamples else self.widen(self.largest_at(tests, place))


def fill_gaps(values: Floats) -> tuple[Floats, Ints]:
    """Runs × queries without gaps, of the same means and standard errors, and how many queries count for each run.

    The mean of the queries that count moves with each of them as (x − mean) · n / counted, and with no other query.
    """
    columns = np.ascontiguousarray(values.T)
    is_counted = ~np.isnan(columns)
    counted = is_counted.sum(axis=1)
    if is_counted.all():
        return columns, counted
    divisor = np.maximum(counted, 1)[:, None]
    filled = np.where(is_counted, columns, 0.0)
    centre = filled.sum(axis=1, keepdims=True) / divisor
    return centre + np.where(is_counted, filled - centre, 0.0) * (len(values) / divisor), counted


def moved(means: Floats, differences: Floats, pairs: Pairs, places: Ints) -> Floats:
    """How far the mean differences of the pairs at these places have moved in each resample, from means of runs."""
    found: Floats = means[pairs.first[places]]
    found -= means[pairs.second[places]]
    found -= differences[places, None]
    return found.round(MEAN_DIGITS)


def parts(items: Ints, width: int) -> Iterator[Ints]:
    """Blocks of pairs, each of a bounded number of cells."""
    size = max(1, CELLS_PER_BLOCK // max(width, 1))
    for start in range(0, len(items), size):
        yield items[start : start + size]

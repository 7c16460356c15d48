"""How far does a judge lean to one side? The bias that both orders of many pairs show, whatever the answers are worth.

Of two answers of which the left is ahead by δ (as Bradley–Terry has it), a judge that leans by β to the left chooses
the left one with log-odds δ + β; shown the other way round, with log-odds β − δ. If it chooses the left both times, or
the right both times, δ cancels out: the odds of the first to the second are exp(2β), for every pair. With votes for
neither (Davidson 1970), one of them beside a left stands to one beside a right as exp(β) to 1. So β is found from these
pairs alone, by the conditional likelihood, as McNemar (1947) tests it; pairs on which both orders agree say nothing.

Asked both ways, such a judge prefers an answer in both orders, or neither, with the probabilities that Davidson's model
gives to wins and ties: lead 2δ, tie rate ν = cosh β. Hence strengths that are fitted with a tie rate are free of the
bias, while ties as half a win each would make a judge that leans look as if it thought all answers alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.inputs import Floats, check_share

FURTHEST = 30.0
"""Of β in either direction; further away nothing can be told from certainty."""
HALVINGS = 60
STEPS = (1, 2)


@dataclass(frozen=True, kw_only=True)
class PositionBias:
    """β, and its interval; in words, how often the left one of two equally good answers is chosen."""

    shift: float
    shift_low: float
    shift_high: float
    trials: int
    """Pairs that tell: the same side was chosen both times, or one side and once neither."""
    confidence: float

    @property
    def estimate(self) -> float:
        """The share of left choices between answers that are equally good."""
        return _logistic(self.shift)

    @property
    def low(self) -> float:
        return _logistic(self.shift_low)

    @property
    def high(self) -> float:
        return _logistic(self.shift_high)


def estimate_position_bias(leans: ArrayLike, groups: Sequence[object], *, confidence: float = 0.95) -> PositionBias:
    """Estimate how far a judge leans to the left.

    Parameters
    ----------
    leans
        For each pair that was asked in both orders how many choices were left less how many were right: 2 and −2 where
        it was the same side both times, 1 and −1 where one was for neither, 0 where nothing is told.
    groups
        Of each pair what it belongs to, such as its query: pairs of one group may lean alike.
    confidence
        Of the interval, a score interval (Wilson's where there are no votes for neither), widened where the leans of
        one group are more alike than those of different ones.

    Examples
    --------
    >>> found = estimate_position_bias([2] * 60 + [-2] * 20, range(80))
    >>> round(found.shift, 3), round(math.log(60 / 20) / 2, 3)
    (0.549, 0.549)

    """
    check_share(confidence, name="confidence")
    found = np.asarray(leans, dtype=np.float64)
    if found.ndim != 1 or len(groups) != len(found) or not np.isin(found, (-2, -1, 0, 1, 2)).all():
        raise InputError("leans: expected one of -2, -1, 0, 1 and 2 for each pair, and a group for each.")
    tells = found != 0
    told, whose = found[tells], [group for group, is_told in zip(groups, tells, strict=True) if is_told]
    if not len(told):
        return PositionBias(shift=math.nan, shift_low=math.nan, shift_high=math.nan, trials=0, confidence=confidence)
    counts = _Leans.of(told)
    shift = _zero_of(counts.slope, -FURTHEST, FURTHEST)
    bound = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(_likeness(told, shift, whose))
    return PositionBias(
        shift=shift,
        shift_low=_zero_of(lambda beta: counts.score(beta) - bound, -FURTHEST, shift),
        shift_high=_zero_of(lambda beta: counts.score(beta) + bound, shift, FURTHEST),
        trials=len(told),
        confidence=confidence,
    )


@dataclass(frozen=True, kw_only=True)
class _Leans:
    """How many pairs lean left and how many right, by 1 and by 2: steps of β between their two outcomes."""

    counts: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, leans: Floats) -> _Leans:
        return cls(counts=tuple((step, int((leans == step).sum()), int((leans == -step).sum())) for step in STEPS))

    def slope(self, beta: float) -> float:
        """How the log-likelihood changes with β."""
        return sum(step * (left - (left + right) * _logistic(step * beta)) for step, left, right in self.counts)

    def information(self, beta: float) -> float:
        return sum((left + right) * (step / (2 * math.cosh(step * beta / 2))) ** 2 for step, left, right in self.counts)

    def score(self, beta: float) -> float:
        """The slope in units of its standard deviation: falls from above to below 0."""
        return self.slope(beta) / math.sqrt(self.information(beta))


def _likeness(leans: Floats, shift: float, groups: Sequence[object]) -> float:
    """By how much groups raise the variance of the slope above that of pairs alone; never below 1."""
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    if len(numbers) in (1, len(groups)) or abs(shift) >= FURTHEST / 2:  # nothing to see it by
        return 1.0
    whose = np.array([numbers[group] for group in groups], dtype=np.intp)
    steps = np.abs(leans)
    sums = np.bincount(whose, steps * ((leans > 0) - 1 / (1 + np.exp(-steps * shift))))
    seen = len(numbers) / (len(numbers) - 1) * float((sums**2).sum())
    return max(1.0, seen / _Leans.of(leans).information(shift))


def _zero_of(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls crosses 0; an end where it does not."""
    if falling(high) > 0:
        return high
    if falling(low) < 0:
        return low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))

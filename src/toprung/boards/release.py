"""What is a participant shown of a score on hidden queries? Everything, fewer digits, or only what moves up a ladder.

Every answer tells a little about the hidden labels, and many answers tell enough to climb without being better. The
Ladder (Blum and Hardt 2015) answers only when a run beats the team's best by a step: the number of answers that can
be learned from is then the number of steps, not of submissions. Rounding alone does not protect.

A release is where one team stands. ``show`` gives what the team is told of its next run and where it stands then.
Higher is better: negate the scores of a measure where lower is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from toprung.boards.rounding import SCORE_DIGITS
from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import as_sample

NOTHING_YET = -math.inf


@dataclass(frozen=True, kw_only=True)
class ReleasedScore:
    """What a team is told of one run.

    A run that does not move the team's score shows nothing: no score, and so no interval, rank or comparison either.
    """

    shown: float | None
    moved: bool


NOT_SHOWN = ReleasedScore(shown=None, moved=False)


class Release(Protocol):
    """Where a team stands under some way of release, and how fine the scores are that it shows."""

    is_ladder: ClassVar[bool] = False
    """Whether what is shown of a run depends on the team's earlier ones."""

    @property
    def best(self) -> float:
        """The team's public score: the highest it was shown; −∞ before its first run."""

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:
        """What is told of the next run, and where the team stands then."""

    @property
    def spelling(self) -> str:
        """As `read_release` reads it; a release of your own as Python writes it."""
        return repr(self)

    @property
    def decimals(self) -> int:
        """What a score is written with."""
        return SCORE_DIGITS

    @property
    def grid(self) -> float:
        """The step between two scores that can be shown."""
        return float(10.0**-self.decimals)


@dataclass(frozen=True, kw_only=True)
class FullRelease(Release):
    """Every run is shown its score.

    >>> FullRelease().show(0.51234)[0].shown
    0.51234
    """

    best: float = NOTHING_YET

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        score = _checked(score)
        return ReleasedScore(shown=score, moved=True), replace(self, best=max(self.best, score))

    @property
    def spelling(self) -> str:
        return "full"


@dataclass(frozen=True, kw_only=True)
class RoundedRelease(Release):
    """Every run is shown its score, to so many digits.

    >>> RoundedRelease().show(0.51234)[0].shown
    0.512
    """

    digits: int = 3
    best: float = NOTHING_YET

    def __post_init__(self) -> None:
        if not 0 <= self.digits <= MEAN_DIGITS:
            raise InputError(f"digits: found {self.digits}; expected from 0 to {MEAN_DIGITS}.")

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        shown = _to_multiple(_checked(score), 10.0**-self.digits)
        return ReleasedScore(shown=shown, moved=True), replace(self, best=max(self.best, shown))

    @property
    def spelling(self) -> str:
        return f"rounded:{self.digits}"

    @property
    def decimals(self) -> int:
        return self.digits


@dataclass(frozen=True, kw_only=True)
class Ladder(Release):
    """A run is shown its score, to a multiple of the step, only if it beats the team's best by more than the step.

    >>> state = Ladder(step=0.01)
    >>> for score in (0.50, 0.505, 0.52, 0.515, 0.531):
    ...     told, state = state.show(score)
    ...     print(told.shown, state.best)
    0.5 0.5
    None 0.5
    0.52 0.52
    None 0.52
    0.53 0.53
    """

    is_ladder: ClassVar[bool] = True
    step: float = 0.01
    best: float = NOTHING_YET

    def __post_init__(self) -> None:
        if not (self.step > 0 and math.isfinite(self.step)):
            raise InputError(f"step: found {self.step:g}; expected more than 0.")

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        if not _is_above(_checked(score), self.best + self.step):
            return NOT_SHOWN, self
        shown = _to_multiple(score, self.step)
        return ReleasedScore(shown=shown, moved=True), replace(self, best=shown)

    @property
    def spelling(self) -> str:
        return f"ladder:{str(self.step).removesuffix('.0')}"

    @property
    def decimals(self) -> int:
        return max(0, -int(Decimal(str(self.step)).normalize().as_tuple().exponent))

    @property
    def grid(self) -> float:
        return self.step


@dataclass(frozen=True, kw_only=True)
class ParameterFreeLadder(Release):
    """A ladder whose step is the standard error of the difference to the team's best run.

    A run moves the score if its mean beats the best that was shown by more than s/√n, with s the standard deviation of
    the per-query differences to the run that set it. It is shown to a multiple of 1/n.

    >>> told, state = ParameterFreeLadder().show(0.5, [0, 0, 1, 1])
    >>> told.shown, state.show(0.75, [1, 1, 1, 0])[0].moved, state.show(1.0, [1, 1, 1, 1])[0].moved
    (0.5, False, True)
    """

    is_ladder: ClassVar[bool] = True
    best: float = NOTHING_YET
    best_per_query: tuple[float, ...] = ()

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:
        score, values = _checked(score), self._as_values(per_query)
        if not _is_above(score, self.best + self._standard_error(values)):
            return NOT_SHOWN, self
        shown = _to_multiple(score, 1 / len(values))
        following = replace(self, best=shown, best_per_query=tuple(values.tolist()))
        # A rise of less than 1/n that rounds away is a new run to beat, but nothing that is seen.
        return (ReleasedScore(shown=shown, moved=True) if _is_above(shown, self.best) else NOT_SHOWN), following

    @property
    def spelling(self) -> str:
        return "ladder:free"

    def _as_values(self, per_query: ArrayLike | None) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        if per_query is None:
            raise InputError("per_query: found nothing; expected the run's score on every query.")
        values = as_sample(per_query, name="per_query")
        expected = len(self.best_per_query)
        if len(values) < 2 or (expected and len(values) != expected):
            queries = f"{expected}, as for the best run so far" if expected else "at least 2"
            raise InputError(f"per_query: found scores on {len(values)} queries; expected {queries}.")
        return values

    def _standard_error(self, values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        if not self.best_per_query:
            return 0.0
        return float(np.std(values - np.array(self.best_per_query), ddof=1)) / math.sqrt(len(values))


def read_release(text: str) -> Release:
    """The release that is spelled so.

    >>> read_release("ladder:0.02"), read_release("ladder:free").best
    (Ladder(step=0.02, best=-inf), -inf)
    >>> read = [read_release(text) for text in ("full", "rounded:3", "ladder:0.005", "ladder:free")]
    >>> [(each.spelling, each.decimals) for each in read]
    [('full', 4), ('rounded:3', 3), ('ladder:0.005', 3), ('ladder:free', 4)]
    """
    named: dict[str, Release] = {
        "full": FullRelease(),
        "rounded": RoundedRelease(),
        "ladder": Ladder(),
        "ladder:free": ParameterFreeLadder(),
    }
    if text in named:
        return named[text]
    kind, _, number = text.partition(":")
    try:
        if kind == "rounded":
            return RoundedRelease(digits=int(number))
        if kind == "ladder":
            return Ladder(step=float(number))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
    raise InputError(f"found '{text}'; expected full, or such as rounded:3, ladder:0.01 or ladder:free.")


def _checked(score: float) -> float:
    if not math.isfinite(score):
        raise InputError(f"score: found {score}; expected a finite number.")
    return float(score)


def _is_above(score: float, limit: float) -> bool:
    """Beyond rounding: 0.52 + 0.01 is not the nearest number to 0.53."""
    return round(score, MEAN_DIGITS) > round(limit, MEAN_DIGITS)


def _to_multiple(score: float, step: float) -> float:
    """The nearest multiple of the step; halves go up."""
    return round(math.floor(round(score / step, 9) + 0.5) * step, MEAN_DIGITS)

"""What is a participant shown of a score on hidden queries? Everything, fewer digits, or only what moves up a ladder.

Every answer tells a little about the hidden labels, and many answers tell enough to climb without being better. The
Ladder (Blum and Hardt 2015) answers only when a run beats the team's best by a step: the number of answers that can
be learned from is then the number of steps, not of submissions. Rounding alone does not protect, and a ladder for each
team is climbed by founding teams: the ladder of the board has one best for all. docs/design/disclosure.md has figures.

A release is where one team, or the board, stands. ``show`` gives what is told of the next run and where it stands then.
Higher is better: negate the scores of a measure where lower is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from toprung.boards.disclosure.luck import HALF, automatic_step, lot_size
from toprung.boards.disclosure.resolution import decimals_of_step, resolution, round_down
from toprung.boards.disclosure.rounding import SCORE_DIGITS
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
    """Where a team, or the board, stands under some way of release, and how fine the scores are that it shows."""

    is_ladder: ClassVar[bool] = False
    """Whether what is shown of a run depends on earlier ones."""
    is_of_board: ClassVar[bool] = False
    """Whether all teams stand on one ladder, and not each on its own."""
    is_closed: ClassVar[bool] = False
    """Whether nothing is shown for now, whatever a run scores."""

    @property
    def best(self) -> float:
        """The public score: the highest that was shown; −∞ before the first run."""

    draws_lots: ClassVar[bool] = False
    """Whether a run draws a lot, so that what is shown of it is not its luck."""

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:
        """What is told of the next run, and where it stands then."""

    def drawing(self, lot: float) -> Self:  # noqa: ARG002 - protocol
        """The same for a run that drew this lot, of the standard normal law."""
        return self

    @property
    def spelling(self) -> str:
        """As `read_release` reads it; a release of your own as Python writes it."""
        return repr(self)

    @property
    def grid(self) -> float:
        """The step between two scores that can be shown."""
        return float(10.0**-SCORE_DIGITS)

    @property
    def decimals(self) -> int:
        """What a score is written with."""
        return decimals_of_step(self.grid)

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:  # noqa: ARG002 - protocol
        """The same where labels of so many queries are hidden: no step is finer than ten of them.

        ``spread`` is that of the measure (`luck.spread_of`).
        """
        return self

    def on_day(self, day: date) -> Release:  # noqa: ARG002 - protocol
        """What it is on this day."""
        return self


@dataclass(frozen=True, kw_only=True)
class FullRelease(Release):
    """Every run is shown its score.

    >>> FullRelease().show(0.51234)[0].shown
    0.51234
    """

    best: float = NOTHING_YET
    least_step: float = 0.0

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        shown = _to_multiple(_checked(score), self.least_step) if self.least_step else _checked(score)
        return ReleasedScore(shown=shown, moved=True), replace(self, best=max(self.best, shown))

    @property
    def spelling(self) -> str:
        return "full"

    @property
    def grid(self) -> float:
        return max(float(10.0**-SCORE_DIGITS), self.least_step)

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:  # noqa: ARG002 - protocol
        return replace(self, least_step=resolution(n_queries))


@dataclass(frozen=True, kw_only=True)
class RoundedRelease(Release):
    """Every run is shown its score, to so many digits.

    >>> RoundedRelease().show(0.51234)[0].shown
    0.512
    """

    digits: int = 3
    best: float = NOTHING_YET
    least_step: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.digits <= MEAN_DIGITS:
            raise InputError(f"digits: found {self.digits}; expected from 0 to {MEAN_DIGITS}.")

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        shown = _to_multiple(_checked(score), self.grid)
        return ReleasedScore(shown=shown, moved=True), replace(self, best=max(self.best, shown))

    @property
    def spelling(self) -> str:
        return f"rounded:{self.digits}"

    @property
    def grid(self) -> float:
        return max(float(10.0**-self.digits), self.least_step)

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:  # noqa: ARG002 - protocol
        return replace(self, least_step=resolution(n_queries))


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
    least_step: float = 0.0

    def __post_init__(self) -> None:
        if not (self.step > 0 and math.isfinite(self.step)):
            raise InputError(f"step: found {self.step:g}; expected more than 0.")

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        if not _is_above(_checked(score), self.best + self.needed):
            return NOT_SHOWN, self
        shown = _to_multiple(score, self.grid)
        return ReleasedScore(shown=shown, moved=True), replace(self, best=shown)

    @property
    def spelling(self) -> str:
        return f"ladder:{_spell(self.step)}"

    @property
    def needed(self) -> float:
        """By how much the best is to be beaten."""
        return max(self.step, self.least_step)

    @property
    def grid(self) -> float:
        return self.needed

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:  # noqa: ARG002 - protocol
        return replace(self, least_step=resolution(n_queries))


@dataclass(frozen=True, kw_only=True)
class BoardLadder(Ladder):
    """The same with one best for the whole board: a figure moves only when the board's best does, whoever submits.

    A run must beat the best as it is, not as it is shown: a best that was rounded down would be beaten by luck.

    >>> told, state = BoardLadder(step=0.1).show(0.54)
    >>> told.shown, state.show(0.62)[0].shown, state.show(0.65)[0].shown
    (0.5, None, 0.7)
    """

    is_of_board: ClassVar[bool] = True
    exact_best: float = NOTHING_YET
    lot: float = 0.0
    """What is added to the next run before it is compared."""

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        if not _is_above(_checked(score) + self.lot, self.exact_best + self.needed):
            return NOT_SHOWN, self
        shown = _to_multiple(score, self.grid)
        best = max(self.exact_best, score)
        return ReleasedScore(shown=shown, moved=True), replace(self, best=max(self.best, shown), exact_best=best)

    @property
    def spelling(self) -> str:
        return f"board-ladder:{_spell(self.step)}"


@dataclass(frozen=True, kw_only=True)
class AutomaticBoardLadder(BoardLadder):
    """The same with the step that the hidden queries and the measure ask for; each run is compared with its lot added.

    Shown to a round number below half of the step.

    >>> [(round(each.step, 3), each.grid) for each in map(read_release("board-ladder:auto").on_hidden, (200, 5_793))]
    [(0.115, 0.05), (0.021, 0.01)]
    """

    draws_lots: ClassVar[bool] = True
    lot_size: float = 0.0

    def drawing(self, lot: float) -> Self:
        return replace(self, lot=lot * self.lot_size if self.lot_size else 0.0)

    @property
    def spelling(self) -> str:
        return "board-ladder:auto"

    @property
    def grid(self) -> float:
        return max(round_down(self.step / 2), self.least_step)

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:
        return replace(
            self,
            step=automatic_step(n_queries, spread),
            lot_size=lot_size(n_queries, spread),
            least_step=resolution(n_queries),
        )


@dataclass(frozen=True, kw_only=True)
class Closed(Release):
    """Nothing is shown before a day; from then on every score.

    >>> closed = read_release("closed:2027-03-01")
    >>> closed.show(0.5)[0].shown, closed.on_day(date(2027, 3, 1)).show(0.5)[0].shown
    (None, 0.5)
    """

    is_closed: ClassVar[bool] = True
    until: date
    best: float = NOTHING_YET
    least_step: float = 0.0

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        _checked(score)
        return NOT_SHOWN, self

    @property
    def spelling(self) -> str:
        return f"closed:{self.until.isoformat()}"

    @property
    def grid(self) -> float:
        return max(float(10.0**-SCORE_DIGITS), self.least_step)

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:  # noqa: ARG002 - protocol
        return replace(self, least_step=resolution(n_queries))

    def on_day(self, day: date) -> Release:
        return self if day < self.until else FullRelease(least_step=self.least_step)


@dataclass(frozen=True, kw_only=True)
class TooFewQueries(Release):
    """Nothing is shown of any run: a score on so few hidden queries would have fewer than five steps.

    >>> TooFewQueries().show(0.5)[0].shown
    """

    is_closed: ClassVar[bool] = True
    best: float = NOTHING_YET

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:  # noqa: ARG002 - protocol
        _checked(score)
        return NOT_SHOWN, self


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
    least_step: float = 0.0

    def show(self, score: float, per_query: ArrayLike | None = None) -> tuple[ReleasedScore, Self]:
        score, values = _checked(score), self._as_values(per_query)
        if not _is_above(score, self.best + self._standard_error(values)):
            return NOT_SHOWN, self
        shown = _to_multiple(score, max(1 / len(values), self.least_step))
        following = replace(self, best=shown, best_per_query=tuple(values.tolist()))
        # A rise of less than 1/n that rounds away is a new run to beat, but nothing that is seen.
        return (ReleasedScore(shown=shown, moved=True) if _is_above(shown, self.best) else NOT_SHOWN), following

    @property
    def spelling(self) -> str:
        return "ladder:free"

    @property
    def grid(self) -> float:
        return max(float(10.0**-SCORE_DIGITS), self.least_step)

    def on_hidden(self, n_queries: int, *, spread: float = HALF) -> Release:  # noqa: ARG002 - protocol
        return replace(self, least_step=resolution(n_queries))

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


SPELLINGS = "full, or such as rounded:3, ladder:0.01, ladder:free, board-ladder:auto, board-ladder:0.01 or"
EXPECTED = f"{SPELLINGS} closed:2027-03-01"


def read_release(text: str) -> Release:
    """The release that is spelled so.

    >>> read_release("ladder:0.02").grid, read_release("ladder:free").best
    (0.02, -inf)
    >>> read = [read_release(text) for text in ("full", "rounded:3", "ladder:0.005", "board-ladder:0.01")]
    >>> [(each.spelling, each.decimals) for each in read]
    [('full', 4), ('rounded:3', 3), ('ladder:0.005', 3), ('board-ladder:0.01', 2)]
    """
    named: dict[str, Release] = {
        "full": FullRelease(),
        "rounded": RoundedRelease(),
        "ladder": Ladder(),
        "ladder:free": ParameterFreeLadder(),
        "board-ladder": AutomaticBoardLadder(),
        "board-ladder:auto": AutomaticBoardLadder(),
    }
    if text in named:
        return named[text]
    kind, _, value = text.partition(":")
    try:
        if kind in _READERS:
            return _READERS[kind](value)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
    raise InputError(f"found '{text}'; expected {EXPECTED}.")


_READERS: dict[str, Callable[[str], Release]] = {
    "rounded": lambda text: RoundedRelease(digits=int(text)),
    "ladder": lambda text: Ladder(step=float(text)),
    "board-ladder": lambda text: BoardLadder(step=float(text)),
    "closed": lambda text: Closed(until=date.fromisoformat(text)),
}


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


def _spell(step: float) -> str:
    return str(step).removesuffix(".0")

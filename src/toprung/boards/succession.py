"""Who holds the top rung once the next run has come?

The first to come holds it. From a baseline a better baseline takes it without a claim, from a run never. A run that
scores above the holder makes a claim, and takes the rung if the claim passes. Scores that differ by less than
`MEAN_DIGITS` show are equal: less is rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from toprung.stats.finding import MEAN_DIGITS


@dataclass(frozen=True, kw_only=True, slots=True)
class Entrant[R]:
    """A run as it comes to a board; higher scores are better: negate those of a measure where lower ones are."""

    run: R
    score: float
    is_baseline: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "score", round(self.score, MEAN_DIGITS))

    def is_above(self, other: Entrant[R]) -> bool:
        return self.score > other.score


def seat[R](holder: Entrant[R] | None, entrant: Entrant[R]) -> Entrant[R]:
    """Who holds the rung where no claim is made.

    >>> weak, strong = (Entrant(run=score, score=score, is_baseline=True) for score in (0.2, 0.4))
    >>> seat(None, weak).run, seat(weak, strong).run, seat(strong, weak).run
    (0.2, 0.4, 0.4)
    """
    if holder is None:
        return entrant
    is_better_baseline = holder.is_baseline and entrant.is_baseline and entrant.is_above(holder)
    return entrant if is_better_baseline else holder


def succeed[R](
    holder: Entrant[R] | None, entrant: Entrant[R], *, passes: Callable[[Entrant[R], Entrant[R]], bool]
) -> Entrant[R]:
    """Who holds the rung then; ``passes`` is asked of the entrant and the holder where a claim is made.

    >>> first, second = (Entrant(run=name, score=score) for name, score in (("first", 0.2), ("second", 0.4)))
    >>> [succeed(first, second, passes=lambda *_: answer).run for answer in (False, True)]
    ['first', 'second']
    """
    if holder is None or entrant.is_baseline or not entrant.is_above(holder):
        return seat(holder, entrant)
    return entrant if passes(entrant, holder) else holder

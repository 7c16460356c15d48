"""What may everyone see of a pair and a claim on hidden labels? p to two digits, bounds on the grid of the release.

What was decided stays as it was: a bound that is widened over its margin still counts as within it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from toprung.boards.board_release import BoardRelease
from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.parts import PairParts
from toprung.boards.rounding import (
    SHARE_DIGITS,
    about,
    round_to_grid,
    to_two_digits,
    to_two_digits_beside,
    widen_to_grid,
)
from toprung.stats.intervals.harm import HarmBounds, usual_margin
from toprung.stats.tests.pair import MOST_FLIPPED, PairTest

SHARE_GRID = 10.0**-SHARE_DIGITS


@dataclass(frozen=True, kw_only=True)
class RoundedBounds(HarmBounds):
    """Bounds on a grid, which exclude harm where the exact ones do."""

    excluded_sides: frozenset[int]

    def is_excluded(self, side: int) -> bool:
        return side in self.excluded_sides


def parts_in_public(parts: PairParts, release: BoardRelease, *, lead: float | None = None) -> PairParts:
    """The parts of a pair; ``lead`` is the difference of the two scores as they are shown, where it is known."""
    measure = _test_in_public(parts.measure, release.grid)
    return PairParts(
        measure=measure if lead is None else replace(measure, mean=round(lead, release.decimals)),
        answered=None if parts.answered is None else _test_in_public(parts.answered, SHARE_GRID),
        ranking=None if parts.ranking is None else _of_some(_test_in_public(parts.ranking, release.grid)),
        answered_harm=None if parts.answered_harm is None else _bounds_in_public(parts.answered_harm, SHARE_GRID),
        ranking_harm=None if parts.ranking_harm is None else _both_in_public(parts.ranking_harm, release.grid),
    )


def claim_in_public(claim: TestedClaim, release: BoardRelease, *, lead: float | None = None) -> TestedClaim:
    """A claim as everyone sees it; passed or not is as it was, counts of outcomes are left out."""
    gain = claim.smallest_gain
    return replace(
        claim,
        p=None if claim.p is None or claim.level is None else to_two_digits_beside(claim.p, claim.level),
        smallest_gain=None if gain is None else widen_to_grid(0.0, gain, release.grid)[1],
        parts=None if claim.parts is None else _parts_of_claim(claim.parts, claim.level, release, lead),
        outcomes=None,
    )


def _parts_of_claim(parts: PairParts, level: float | None, release: BoardRelease, lead: float | None) -> PairParts:
    """The p of the measure stays on its side of half the level, which says what a claim without harm has shown."""
    shown = parts_in_public(parts, release, lead=lead)
    if level is None:
        return shown
    return replace(shown, measure=replace(shown.measure, p=to_two_digits_beside(parts.measure.p, level / 2)))


def _test_in_public(found: PairTest, grid: float) -> PairTest:
    return replace(
        found,
        p=to_two_digits(found.p),
        mean=round_to_grid(found.mean, grid),
        sd=to_two_digits(found.sd),
        differing=_about_differing(found.differing),
    )


def _about_differing(n: int) -> int:
    """To the nearest ten, but never across the number that says how a pair is tested."""
    return min(about(n), 10) if n <= MOST_FLIPPED else max(about(n), 20)


def _of_some(found: PairTest) -> PairTest:
    """How many queries both runs answer is a count on hidden labels; how many there are is not."""
    return replace(found, n=about(found.n))


def _bounds_in_public(bounds: HarmBounds, grid: float) -> RoundedBounds:
    low, high = widen_to_grid(bounds.low, bounds.high, grid)
    excluded = frozenset(side for side in (1, -1) if bounds.is_excluded(side))
    return RoundedBounds(low=low, high=high, n=bounds.n, margin=bounds.margin, excluded_sides=excluded)


def _both_in_public(bounds: HarmBounds, grid: float) -> RoundedBounds:
    """The usual margin is that of the rounded count, which it would give away."""
    n = about(bounds.n)
    margin = usual_margin(n) if bounds.margin == usual_margin(bounds.n) else bounds.margin
    return replace(_bounds_in_public(bounds, grid), n=n, margin=margin)

"""What may everyone see of a pair and a claim on hidden labels? p to two digits, bounds on the grid of the release.

What was decided stays as it was: a bound that is widened over its margin still counts as within it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from toprung.boards.disclosure.disclosure import Disclosure
from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.parts import PairParts
from toprung.stats.intervals.harm import HarmBounds, usual_margin
from toprung.stats.tests.pair import MOST_FLIPPED, PairTest


@dataclass(frozen=True, kw_only=True)
class RoundedBounds(HarmBounds):
    """Bounds on a grid, which exclude harm where the exact ones do."""

    excluded_sides: frozenset[int]

    def is_excluded(self, side: int) -> bool:
        return side in self.excluded_sides


def parts_in_public(parts: PairParts, release: Disclosure, *, lead: float | None = None) -> PairParts:
    """The parts of a pair; ``lead`` is the difference of the two scores as they are shown, where it is known."""
    measure, share_step = _test_in_public(parts.measure, release, release.grid), release.share_step
    return PairParts(
        measure=measure if lead is None else replace(measure, mean=round(lead, release.decimals)),
        answered=None
        if parts.answered is None
        else _explaining(parts.answered, _test_in_public(parts.answered, release, share_step), release),
        ranking=None if parts.ranking is None else _of_some(parts.ranking, release),
        answered_harm=None
        if parts.answered_harm is None
        else _bounds_in_public(parts.answered_harm, release, release.share_step),
        ranking_harm=None if parts.ranking_harm is None else _both_in_public(parts.ranking_harm, release),
    )


def claim_in_public(claim: TestedClaim, release: Disclosure, *, lead: float | None = None) -> TestedClaim:
    """A claim as everyone sees it; passed or not is as it was, counts of outcomes are left out."""
    gain = claim.smallest_gain
    return replace(
        claim,
        p=None if claim.p is None or claim.level is None else release.deciding_p(_over(claim), claim.p, claim.level),
        smallest_gain=None if gain is None else release.widened(0.0, gain)[1],
        parts=None if claim.parts is None else _parts_of_claim(claim.parts, claim.level, release, lead),
        outcomes=None,
    )


def _over(claim: TestedClaim) -> int:
    """The queries that a claim's p rests on: of two tests those of the one with fewer."""
    parts = claim.parts
    if parts is None:
        return 0
    return min(each.differing for each in (parts.measure, parts.answered) if each is not None)


def _parts_of_claim(parts: PairParts, level: float | None, release: Disclosure, lead: float | None) -> PairParts:
    """The p of the measure stays on its side of half the level, which says what a claim without harm has shown."""
    shown = parts_in_public(parts, release, lead=lead)
    if level is None:
        return shown
    p = release.deciding_p(parts.measure.differing, parts.measure.p, level / 2)
    return replace(shown, measure=replace(shown.measure, p=p))


def _test_in_public(found: PairTest, release: Disclosure, grid: float) -> PairTest:
    return replace(
        found,
        p=release.deciding_p(found.differing, found.p),
        mean=release.on_grid(found.mean, grid),
        sd=release.spread(found.sd),
        differing=_about_differing(found.differing, release),
    )


def _explaining(found: PairTest, told: PairTest, release: Disclosure) -> PairTest:
    """A part explains a verdict and decides none: its p, and its spread, are left out where few queries make them."""
    if release.shows_figure_over(found.differing):
        return told
    return replace(told, p=math.nan, sd=math.nan)


def _about_differing(n: int, release: Disclosure) -> int:
    """To the nearest ten, but never across the number that says how a pair is tested."""
    return min(release.count(n), MOST_FLIPPED) if n <= MOST_FLIPPED else max(release.count(n), MOST_FLIPPED + 1)


def _of_some(found: PairTest, release: Disclosure) -> PairTest:
    """How many queries both runs answer is a count on hidden labels; how many there are is not."""
    told = _explaining(found, _test_in_public(found, release, release.step_over(found.n)), release)
    shown = replace(told, n=release.count(found.n))
    return shown if release.shows_figure_over(found.n) else replace(shown, mean=math.nan, sd=math.nan)


def _bounds_in_public(bounds: HarmBounds, release: Disclosure, grid: float) -> RoundedBounds:
    low, high = release.widened(bounds.low, bounds.high, grid)
    excluded = frozenset(side for side in (1, -1) if bounds.is_excluded(side))
    return RoundedBounds(low=low, high=high, n=bounds.n, margin=bounds.margin, excluded_sides=excluded)


def _both_in_public(bounds: HarmBounds, release: Disclosure) -> RoundedBounds:
    """The usual margin is that of the rounded count, which it would give away."""
    n = release.count(bounds.n)
    margin = usual_margin(n) if bounds.margin == usual_margin(bounds.n) else bounds.margin
    return replace(_bounds_in_public(bounds, release, release.step_over(bounds.n)), n=n, margin=margin)

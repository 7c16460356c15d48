"""What may everyone see of figures on hidden labels? Every page, file, mail and answer asks this one object.

A run whose score is not released is in nothing that is shown. Of the others no figure is finer than ten queries: two
nearly identical runs would tell single labels. Scores are as the board's release shows them; an interval is widened to
the same grid, or its middle would give the score away. A figure of fewer than five steps is left out, for rounding
would make another of it. What follows for a result, its analysis says in its ``public.py``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from toprung.boards.disclosure.release import Release
from toprung.boards.disclosure.resolution import (
    LEAST_HIDDEN,
    QUERIES_IN_A_STEP,
    decimals_of_step,
    resolution,
)
from toprung.boards.disclosure.rounding import (
    SHARE_DIGITS,
    apportion,
    counts_adding_up,
    round_to_grid,
    to_two_digits,
    to_two_digits_beside,
    widen_to_grid,
)
from toprung.boards.outcomes import Outcomes
from toprung.boards.row import OutcomeShares, ShownAs
from toprung.stats.intervals.bootstrap import Effect
from toprung.words.wording import show_number

LONGEST_SEARCH = 100
LEAST_P = 0.000099
"""Below 0.0001 pages write no more than that, and so do files."""
P_BOUNDS = (LEAST_P, 0.001, 0.01, 0.05, 0.1, 1.0)
"""What a p over few hidden queries is told to be no more than: two digits of it would count them."""
LEFT_OUT = (
    f"Of hidden labels nothing finer than {QUERIES_IN_A_STEP} queries is shown, so a figure over fewer than "
    f"{LEAST_HIDDEN} of them is left out"
)


def nearest_ten(count: int) -> int:
    """Halves go up.

    >>> [nearest_ten(count) for count in (0, 4, 5, 484, 485)]
    [0, 0, 10, 480, 490]
    """
    return (count + QUERIES_IN_A_STEP // 2) // QUERIES_IN_A_STEP * QUERIES_IN_A_STEP


@dataclass(frozen=True, eq=False, kw_only=True)
class Disclosure:
    """What everyone may know: what ``in_public`` of an analysis rounds to, and leaves out."""

    way: Release
    """Of scores; on hidden labels with their number known (``Release.on_hidden``)."""
    n_hidden: int = 0
    """How many queries the figures are over; 0 where the labels are public, and nothing can be told of them."""
    cutoff: int = LONGEST_SEARCH
    shown_scores: Mapping[str, float] = field(default_factory=dict)
    """Of every run that is released, by its name."""

    @property
    def is_hidden(self) -> bool:
        return self.n_hidden > 0

    def beside(self, n_hidden: int) -> Disclosure:
        """Of figures on other labels that are shown beside these, of so many queries if hidden: the fewer decide.

        >>> from toprung.boards.disclosure.release import read_release
        >>> Disclosure(way=read_release("full")).beside(200).grid
        0.05
        """
        numbers = [n for n in (self.n_hidden, n_hidden) if n]
        if not n_hidden or min(numbers) == self.n_hidden:
            return self
        return replace(self, way=self.way.on_hidden(n_hidden), n_hidden=n_hidden)

    # ---- scores ----

    @property
    def grid(self) -> float:
        """The step between two scores that can be shown."""
        return self.way.grid

    @property
    def decimals(self) -> int:
        """What a score is written with."""
        return self.way.decimals

    def score(self, value: float) -> float:
        return round_to_grid(value, self.grid)

    def widened(self, low: float, high: float, grid: float | None = None) -> tuple[float, float]:
        """An interval, of scores unless another grid is given: it covers no less than it did."""
        return widen_to_grid(low, high, self.grid if grid is None else grid)

    def on_grid(self, value: float, grid: float) -> float:
        return round_to_grid(value, grid)

    def step_over(self, n: int) -> float:
        """Of a mean score over some of the queries: the fewer, the coarser; those are counted to the nearest ten."""
        return max(self.grid, resolution(max(self.count(n), 1))) if self.is_hidden else self.grid

    def score_effect(self, effect: Effect, grid: float | None = None) -> Effect:
        return self._effect(effect, self.grid if grid is None else grid)

    # ---- shares and counts ----

    @property
    def share_step(self) -> float:
        return max(10.0**-SHARE_DIGITS, resolution(self.n_hidden) if self.is_hidden else 0.0)

    @property
    def share_decimals(self) -> int:
        """Of a share in percent."""
        return max(0, decimals_of_step(self.share_step) - 2)

    @property
    def share_step_said(self) -> str:
        """As words have it: 5%."""
        return f"{show_number(100 * self.share_step, self.share_decimals)}%"

    def share(self, value: float) -> float:
        return round_to_grid(value, self.share_step)

    def share_effect(self, effect: Effect) -> Effect:
        return self._effect(effect, self.share_step)

    def shares(self, shares: OutcomeShares) -> OutcomeShares:
        """In whole steps that add up to 1 as the exact ones do."""
        names = [each.name for each in fields(shares)]
        parts = apportion([getattr(shares, name) for name in names], self.share_step)
        return OutcomeShares(**dict(zip(names, parts, strict=True)))

    def trial_shares(self, shares: Sequence[float]) -> list[float]:
        """Of samples of the queries, in whole steps too: how often two runs change places tells one query of them.

        >>> from toprung.boards.disclosure.release import read_release
        >>> Disclosure(way=read_release("full"), n_hidden=200).trial_shares([0.8123, 0.1877])
        [0.8, 0.2]
        """
        return apportion(shares, self.share_step) if self.is_hidden else list(shares)

    def count(self, n: int) -> int:
        """To the nearest ten queries."""
        return nearest_ten(n) if self.is_hidden else n

    def counts(self, outcomes: Outcomes) -> dict[str, int]:
        """By the names of the shares: what those that are shown say in queries, so that no two places differ."""
        shown = self.shares(OutcomeShares.of(outcomes))
        return {name: self.count(round(share * outcomes.n)) for name, share in vars(shown).items()}

    def parts(self, counts: Sequence[int], whole: int) -> list[int]:
        """Counts in tens that add up to what is shown of their sum."""
        return counts_adding_up(counts, whole, step=QUERIES_IN_A_STEP) if self.is_hidden else list(counts)

    def shows_figure_over(self, n: int) -> bool:
        """Whether a mean, or a split, of so many queries has five steps."""
        return not self.is_hidden or n >= LEAST_HIDDEN

    # ---- ranks and search length ----

    def search_step(self, digits: int, n: int | None = None) -> float:
        """One query moves the mean, of all or of ``n``, by no more than the cutoff allows."""
        finest, each = 10.0**-digits, max(self.cutoff - 1, 1)
        if not self.is_hidden:
            return finest
        return max(finest, resolution(self.n_hidden if n is None else max(self.count(n), 1), each=each))

    def search_length(self, value: float, digits: int) -> float:
        return round_to_grid(value, self.search_step(digits))

    def search_effect(self, effect: Effect, digits: int, n: int) -> Effect:
        return self._effect(effect, self.search_step(digits, n))

    # ---- tests ----

    def p(self, value: float, level: float | None = None) -> float:
        """To two digits, never across the level that it is held to; of hidden labels none that is below all sense.

        A p of 2⁻⁵⁰ says that fifty queries differ, and that of a run with one more is half of it.

        >>> from toprung.boards.disclosure.release import read_release
        >>> hidden = Disclosure(way=read_release("full").on_hidden(200), n_hidden=200)
        >>> hidden.p(2**-50), hidden.p(2**-50, 0.05), hidden.p(2**-50, 2e-05), hidden.p(0.0123)
        (9.9e-05, 9.9e-05, 2e-05, 0.012)
        """
        if self.is_hidden:
            value = max(value, LEAST_P if level is None else min(LEAST_P, level))
        return to_two_digits(value) if level is None else to_two_digits_beside(value, level)

    def p_over(self, n: int, value: float) -> float:
        """Of a test that rests on so many queries, those that tell two runs apart; left out where they are few.

        Eight queries for one run alone have a p of 2⁻⁷, seven one of 2⁻⁶: it would count them.

        >>> from toprung.boards.disclosure.release import read_release
        >>> hidden = Disclosure(way=read_release("full").on_hidden(200), n_hidden=200)
        >>> hidden.p_over(8, 2**-7), hidden.p_over(50, 2**-7)
        (nan, 0.0078)
        """
        return self.p(value) if self.shows_figure_over(n) else math.nan

    def deciding_p(self, n: int, value: float, level: float | None = None) -> float:
        """Of the test that decides, over the same: where they are few the least of few bounds that p is not above.

        >>> from toprung.boards.disclosure.release import read_release
        >>> hidden = Disclosure(way=read_release("full").on_hidden(200), n_hidden=200)
        >>> [hidden.deciding_p(8, 2.0**-k) for k in (1, 2, 3, 4, 5, 6, 7, 8, 50)]
        [1.0, 1.0, 1.0, 0.1, 0.05, 0.05, 0.01, 0.01, 9.9e-05]
        >>> hidden.deciding_p(8, 2**-8, 0.0042), hidden.deciding_p(50, 2**-8, 0.0042)
        (0.0042, 0.0039)
        """
        if self.shows_figure_over(n):
            return self.p(value, level)
        bounds = P_BOUNDS if level is None else (*P_BOUNDS, level)
        return min((each for each in bounds if value <= each), default=value)

    def spread(self, value: float) -> float:
        return to_two_digits(value)

    # ---- a row of the board ----

    def figure(self, value: float, shown_as: ShownAs) -> float:
        if shown_as is ShownAs.SCORE:
            return self.score(value)
        if shown_as is ShownAs.SHARE:
            return self.share(value)
        return self.search_length(value, 1) if shown_as is ShownAs.SEARCH_LENGTH else value

    def _effect(self, effect: Effect, step: float) -> Effect:
        if math.isnan(effect.estimate):
            return effect
        low, high = widen_to_grid(effect.low, effect.high, step)
        return replace(effect, estimate=round_to_grid(effect.estimate, step), low=low, high=high)

"""May this be submitted? The rules of a board against trying until one is lucky (Craswell et al. 2021, section 3.3).

A team may submit a few runs in a month, and no more than one of several that differ by very small changes. A name may
be kept back for some months. Each rule is a few numbers that say what is allowed; a board asks it before it
accepts a run, `audit_policy` asks it of submissions that were made.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import MAXYEAR, date

from toprung.boards.similarity import DEPTH, Similarity
from toprung.errors import InputError
from toprung.stats.inputs import check_share
from toprung.stats.ranks.overlap import PERSISTENCE


@dataclass(frozen=True, kw_only=True)
class Window:
    """At most ``limit`` submissions of a team within any ``days`` days, the day of submission being the last of them.

    >>> window = Window(limit=2, days=30)
    >>> window.next_date([date(2021, 5, 1), date(2021, 5, 20)], today=date(2021, 5, 21)).isoformat()
    '2021-05-31'
    """

    limit: int = 2
    days: int = 30

    def __post_init__(self) -> None:
        if self.limit < 1 or self.days < 1:
            raise InputError(f"found {self.limit} submissions within {self.days} days; expected at least 1 of each.")

    def count(self, earlier: Iterable[date], on: date) -> int:
        """How many of the earlier submissions a submission on that day would share its window with."""
        return sum(0 <= (on - each).days < self.days for each in earlier)

    def next_date(self, earlier: Iterable[date], today: date) -> date:
        """The first day, from today on, when a team with these submissions may submit again, or the last there is."""
        dates = sorted(earlier)
        if len(dates) < self.limit:
            return today
        following = min(dates[-self.limit].toordinal() + self.days, date.max.toordinal())
        return max(today, date.fromordinal(following))


@dataclass(frozen=True, kw_only=True)
class Embargo:
    """A name may be kept back for at most so many calendar months; from the 31st to the end of a shorter month.

    >>> Embargo().latest_end(date(2021, 5, 31)).isoformat()
    '2022-02-28'
    """

    months: int = 9

    def __post_init__(self) -> None:
        if self.months < 0:
            raise InputError(f"months: found {self.months}; expected a number from 0.")

    def latest_end(self, submitted: date) -> date:
        """The last day an embargo of a run submitted then may have: the last there is, if the rule is as generous."""
        months = submitted.month - 1 + self.months
        year, month = submitted.year + months // 12, months % 12 + 1
        if year > MAXYEAR:
            return date.max
        return date(year, month, min(submitted.day, monthrange(year, month)[1]))

    def allows(self, submitted: date, until: date | None) -> bool:
        return until is None or until <= self.latest_end(submitted)


@dataclass(frozen=True, kw_only=True)
class SmallChanges:
    """When two runs of a team count as one with very small changes, and how many such a team may submit.

    Two runs are close if their top lists overlap by ``rbo`` in the mean, or are identical for a share ``identical`` of
    the queries. Of real runs of different models (MS MARCO passages, TREC DL 2019, TREC-COVID) none overlap by more
    than 0.70 or are identical for more than 2% of the queries; copies whose scores were shaken by a thousandth of their
    spread overlap by 0.88, and two runs that one team submitted as variants by 1.00. A model trained again
    from another seed may stay below: then only the team can tell.
    """

    rbo: float = 0.85
    identical: float = 0.25
    depth: int = DEPTH
    p: float = PERSISTENCE
    limit: int = 1

    def __post_init__(self) -> None:
        for name, share in (("rbo", self.rbo), ("identical", self.identical)):
            if not 0 < share <= 1:
                raise InputError(f"{name}: found {share:g}; expected more than 0, up to 1.")
        if self.limit < 1 or self.depth < 1:
            raise InputError(f"found limit {self.limit} and depth {self.depth}; expected at least 1 of each.")
        check_share(self.p, name="p")

    def are_close(self, found: Similarity) -> bool:
        return found.rbo >= self.rbo or found.identical >= self.identical


@dataclass(frozen=True, kw_only=True)
class Policy:
    """All rules of a board.

    >>> Policy().window.limit, Policy().embargo.months
    (2, 9)
    """

    window: Window = Window()
    small_changes: SmallChanges = SmallChanges()
    embargo: Embargo = Embargo()

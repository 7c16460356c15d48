"""Which run wins more often? The sign test, and McNemar's exact test on the queries that only one run answers."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from toprung.errors import InputError
from toprung.stats.finding import Finding, sign_of
from toprung.stats.inputs import as_pair, round_differences
from toprung.stats.tests.binomial import exact_binomial_p


@dataclass(frozen=True, kw_only=True)
class WinCount(Finding):
    """``statistic`` is the number of wins of B; queries without a winner count in ``n`` and nowhere else."""

    wins: int
    losses: int

    @property
    def share(self) -> float:
        """The share of decided queries that B wins: the effect; one half if none is decided."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else 0.5


def sign_test(a: ArrayLike, b: ArrayLike) -> WinCount:
    """``scipy.stats.binomtest(wins, wins + losses)``; differences count as zero as in the signed-rank test.

    >>> found = sign_test([1, 2, 3, 4, 5], [2, 3, 3, 5, 6])
    >>> found.wins, found.losses, found.p
    (4, 0, 0.125)
    """
    first, second = as_pair(a, b)
    rounded = round_differences(second - first)
    return count_wins(int((rounded > 0).sum()), int((rounded < 0).sum()), n=len(rounded))


def mcnemar_test(only_a: int, only_b: int, *, n: int | None = None) -> WinCount:
    """The exact test of case 2: does B answer more of the queries that only one of the two answers?

    ``n`` is the number of all queries; without it only those two counts are known.

    >>> mcnemar_test(2, 8).p
    0.109375
    """
    return count_wins(only_b, only_a, n=only_a + only_b if n is None else n)


def count_wins(wins: int, losses: int, *, n: int) -> WinCount:
    if min(wins, losses) < 0 or wins + losses > n:
        raise InputError(f"found {wins} wins and {losses} losses of {n} queries; expected counts that fit.")
    return WinCount(
        statistic=float(wins),
        p=float(exact_binomial_p(wins, wins + losses)),
        n=n,
        direction=sign_of(wins - losses),
        wins=wins,
        losses=losses,
    )

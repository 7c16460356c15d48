"""How often do two people choose the same? As a share, and beyond what chance would give (Krippendorff's α)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from toprung.data.judgments import Judgment, Pair

TIE = "tie"


def choice_of(vote: Judgment) -> str:
    """What a vote is for, whichever side that stood on."""
    return vote.winner or TIE


def count_choices(votes: Iterable[Judgment]) -> dict[Pair, Counter[str]]:
    """For each pair how many votes each choice has."""
    found: dict[Pair, Counter[str]] = {}
    for vote in votes:
        found.setdefault(vote.pair, Counter())[choice_of(vote)] += 1
    return found


@dataclass(frozen=True, kw_only=True)
class CrowdAgreement:
    """Over every two votes on the same pair, and α; NaN where no pair was judged twice."""

    n_agreed: int
    n_compared: int
    alpha: float
    expected: float
    """How often two choices would differ by chance."""

    @property
    def share(self) -> float:
        return self.n_agreed / self.n_compared if self.n_compared else math.nan

    def alpha_at(self, share: float) -> float:
        """α of someone who agrees this often with the others."""
        return 1 - (1 - share) / self.expected if self.expected > 0 else math.nan


def find_agreement(choices: Mapping[Pair, Counter[str]]) -> CrowdAgreement:
    """Of all votes on all pairs; for α each pair counts twice, with either answer called the first.

    Called by the order of ids, answers of which the better ones come first would seem to be agreed on by chance.
    """
    agreed = sum(n * (n - 1) // 2 for counted in choices.values() for n in counted.values())
    compared = sum(counted.total() * (counted.total() - 1) // 2 for counted in choices.values())
    alpha, expected = krippendorff_alpha(
        _by_place(counted, first, second)
        for pair, counted in choices.items()
        for first, second in ((pair.a, pair.b), (pair.b, pair.a))
    )
    return CrowdAgreement(n_agreed=agreed, n_compared=compared, alpha=alpha, expected=expected)


def _by_place(counted: Counter[str], first: str, second: str) -> Counter[str]:
    places = {first: "first", second: "second"}
    return Counter({places.get(choice, choice): n for choice, n in counted.items()})


def krippendorff_alpha(units: Iterable[Mapping[Hashable, int] | Mapping[str, int]]) -> tuple[float, float]:
    """α of nominal values (Krippendorff 1970), and the disagreement that chance would give.

    A unit says how often each value was given to it; one that has a single value tells nothing.

    >>> krippendorff_alpha([{"a": 2}, {"b": 2}])[0]
    1.0
    """
    observed, totals = 0.0, Counter[Hashable]()
    for unit in units:
        m = sum(unit.values())
        if m > 1:
            totals.update(unit)
            observed += (m * m - sum(n * n for n in unit.values())) / (m - 1)
    n = totals.total()
    if n < 2:
        return math.nan, math.nan
    expected = (n * n - sum(each * each for each in totals.values())) / (n * (n - 1))
    return (1 - observed / n / expected if expected else math.nan), expected

"""Who is better, by both facets? Decides from "answered more" and "ranked higher", for one pair or for many.

After Lin et al. 2021, section 5: a run may be better because it answers more questions, or because it ranks the
answers higher. It is *significantly* better if both are beyond chance, and better *doing no harm* if one is and the
other is not beyond chance the wrong way. B is always the challenger, A the holder or baseline.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toprung.boards.engine.verdict import Verdict

type Floats = NDArray[np.float64]
type Signs = NDArray[np.int64]
type Bools = NDArray[np.bool_]


class LinGrade(StrEnum):
    """How a run came to be better."""

    SIGNIFICANT = "significant"
    NO_HARM_ANSWERED = "no_harm_answered"
    NO_HARM_RANKING = "no_harm_ranking"
    NONE = ""


class LinRule(StrEnum):
    """What a claim to be better must show."""

    SIGNIFICANT = "significant"
    NO_HARM = "no_harm"


@dataclass(frozen=True, eq=False, kw_only=True)
class Facet:
    """The p-value of one facet for each pair, and whom it favours: +1 B, -1 A, 0 nobody."""

    p: Floats
    favours: Signs

    @classmethod
    def of(cls, p: ArrayLike, favours: ArrayLike) -> Facet:
        return cls(p=np.atleast_1d(np.asarray(p, dtype=np.float64)), favours=np.atleast_1d(np.asarray(favours)))

    def beyond_chance(self, level: float, side: int) -> Bools:
        """Where it favours that side at this level."""
        found: Bools = (self.p <= level) & (self.favours == side)
        return found


def with_least_p(p: ArrayLike, is_constant: ArrayLike, n: ArrayLike) -> Floats:
    """The p-values of t-tests, where there is no spread replaced by the least a test on n queries can give.

    If every query differs by the same amount, t is infinite and its p-value 0, be it on two queries. Exchanging the
    runs query by query gives 2^(1 - n), and that is what a verdict may rest on.

    >>> with_least_p([0.0, 0.03], [True, False], [2, 40]).tolist()
    [0.5, 0.03]
    """
    least = np.minimum(1.0, 2.0 ** (1 - np.asarray(n, dtype=np.float64)))
    return np.where(is_constant, least, np.asarray(p, dtype=np.float64))


@dataclass(frozen=True, eq=False, kw_only=True)
class Decisions:
    """Verdict and grade of each pair."""

    verdicts: NDArray[np.str_]
    grades: NDArray[np.str_]


def decide(answered: Facet, ranking: Facet, *, alpha: float = 0.05) -> Decisions:
    """The verdict on each pair.

    A gain in one facet alone is held to half the level, since two facets give two chances; harm is always seen at the
    full level.

    >>> found = decide(Facet.of([0.001, 0.01], [1, 1]), Facet.of([0.2, 0.03], [-1, -1]))
    >>> found.verdicts.tolist(), found.grades.tolist()
    (['B', 'conflict'], ['no_harm_answered', ''])
    """
    verdicts = np.full(len(answered.p), Verdict.TIED.value, dtype="<U8")
    grades = np.full(len(answered.p), LinGrade.NONE.value, dtype="<U16")
    for side, winner in ((1, Verdict.B), (-1, Verdict.A)):
        by_answers = answered.beyond_chance(alpha / 2, side) & ~ranking.beyond_chance(alpha, -side)
        by_ranking = ranking.beyond_chance(alpha / 2, side) & ~answered.beyond_chance(alpha, -side)
        by_both = answered.beyond_chance(alpha, side) & ranking.beyond_chance(alpha, side)
        verdicts[by_answers | by_ranking | by_both] = winner.value
        grades[by_ranking] = LinGrade.NO_HARM_RANKING.value
        grades[by_answers] = LinGrade.NO_HARM_ANSWERED.value
        grades[by_both] = LinGrade.SIGNIFICANT.value
        verdicts[answered.beyond_chance(alpha, side) & ranking.beyond_chance(alpha, -side)] = Verdict.CONFLICT.value
    return Decisions(verdicts=verdicts, grades=grades)


def claim_p(answered: Facet, ranking: Facet, *, rule: LinRule = LinRule.NO_HARM, alpha: float = 0.05) -> Floats:
    """The p-value of the claim that B is better, under a rule; harm is judged at ``alpha`` whatever level p is held to.

    >>> claim_p(Facet.of(0.01, 1), Facet.of(0.5, -1)).tolist()
    [0.02]
    """
    rule = LinRule(rule)
    p_answered = np.where(answered.favours > 0, answered.p, 1.0)
    p_ranking = np.where(ranking.favours > 0, ranking.p, 1.0)
    if rule is LinRule.SIGNIFICANT:
        return np.maximum(p_answered, p_ranking)
    harmed = answered.beyond_chance(alpha, -1) | ranking.beyond_chance(alpha, -1)
    return np.where(harmed, 1.0, np.minimum(1.0, 2 * np.minimum(p_answered, p_ranking)))

"""In which way does one run do better? The outcomes of a pair, kept apart.

A query is answered by neither run, by one only, or by both, and then at some rank by each. RR mixes these; here each
is tested on its own, on a scale that permits the test (Lin et al. 2021, sections 4 and 5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from toprung.boards.alignment import Alignment, audit_alignment
from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.verdict import Facet, LinGrade, claim_p, decide, with_least_p
from toprung.boards.outcomes import Outcomes, Ranks
from toprung.boards.rank_differences import RankDifferences, count_rank_differences
from toprung.errors import check_choice
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.intervals.effects import odds_ratio
from toprung.stats.intervals.fieller import BreakEven, break_even
from toprung.stats.intervals.miss_cost import MissCost, miss_cost
from toprung.stats.tests.counts import WinCount, mcnemar_test
from toprung.stats.tests.paired_t import PairedT, paired_t_test
from toprung.stats.tests.signed_rank import Method, SignedRank, signed_rank_test

type FacetName = Literal["esl", "rr"]
type FacetTest = Literal["t", "wsr"]

FACETS: tuple[FacetName, ...] = ("esl", "rr")
FACET_TESTS: tuple[FacetTest, ...] = ("t", "wsr")


def check_facet(facet: str, facet_test: str) -> None:
    """Refuse a facet or a test that is not known."""
    check_choice(facet, FACETS, name="facet")
    check_choice(facet_test, FACET_TESTS, name="facet_test")


@dataclass(frozen=True, kw_only=True)
class BothAnswered:
    """A measure on the queries that both runs answer: its means, and the tests of their difference."""

    mean_a: float
    mean_b: float
    signed_rank: SignedRank
    t: PairedT

    @classmethod
    def of(cls, a: NDArray[np.float64], b: NDArray[np.float64], method: Method, seed: int = 0) -> BothAnswered:
        return cls(
            mean_a=float(a.mean()) if len(a) else float("nan"),
            mean_b=float(b.mean()) if len(b) else float("nan"),
            signed_rank=signed_rank_test(a, b, method=method, rng=seed),
            t=paired_t_test(a, b),
        )

    def test(self, name: FacetTest) -> PairedT | SignedRank:
        return self.t if name == "t" else self.signed_rank

    def facet_p(self, name: FacetTest) -> float:
        """What a verdict rests on: the p-value of that test, never the 0 of a t-test without spread."""
        if name == "t":
            return float(with_least_p(self.t.p, self.t.is_constant, self.t.n))
        return self.signed_rank.p

    @property
    def tests_point_apart(self) -> bool:
        """Whether the mean says one run and the signed ranks the other."""
        return self.t.direction * self.signed_rank.direction < 0


@dataclass(frozen=True, kw_only=True)
class Breakdown:
    """A pair of runs, outcome by outcome, and what follows."""

    outcomes: Outcomes
    only_one: WinCount
    odds: Effect
    answered_difference: Effect
    """Share of queries answered, B less A."""
    search_difference: Effect
    """Mean rank where both answer, B less A."""
    rr_difference: Effect
    """Mean RR where both answer, B less A."""
    esl: BothAnswered
    rr: BothAnswered
    rank_differences: RankDifferences
    """How far apart where both answer."""
    miss_cost: MissCost
    """What B costs a reader more than A, by the cost of a miss."""
    break_even: BreakEven
    alignment: Alignment
    verdict: Verdict
    grade: LinGrade
    claim_p: float
    facet: FacetName
    facet_test: FacetTest

    @property
    def ranking(self) -> BothAnswered:
        """The measure that the ranking facet is judged by."""
        return self.esl if self.facet == "esl" else self.rr

    @property
    def ranking_p(self) -> float:
        return self.ranking.facet_p(self.facet_test)

    @property
    def undecided_costs(self) -> tuple[tuple[float, float], ...]:
        """The costs of a miss, from 0 on, at which neither run is shown to be the cheaper: none, one or two ranges."""
        if self.miss_cost.depends_on_misses:
            return self.break_even.undecided
        everywhere = self.miss_cost.at(0)
        is_decided = everywhere.low > 0 or everywhere.high < 0
        return () if is_decided else ((0.0, math.inf),)

    @property
    def is_better(self) -> bool:
        """Descriptively, without any test: B answers more and has the shorter search."""
        return self.outcomes.only_b > self.outcomes.only_a and self.esl.mean_b < self.esl.mean_a


def break_down(
    a: Ranks,
    b: Ranks,
    *,
    answered_difference: Effect,
    search_difference: Effect,
    rr_difference: Effect,
    facet: FacetName = "esl",
    facet_test: FacetTest = "t",
    alpha: float = 0.05,
    method: Method = "auto",
    seed: int = 0,
) -> Breakdown:
    """Take two columns of first ranks (0 = not found) apart; the three differences come with their intervals."""
    outcomes = Outcomes.of(a, b)
    both = (a > 0) & (b > 0)
    ranks_a, ranks_b = a[both].astype(np.float64), b[both].astype(np.float64)
    only_one = mcnemar_test(outcomes.only_a, outcomes.only_b, n=outcomes.n)
    esl = BothAnswered.of(ranks_a, ranks_b, method, seed)
    rr = BothAnswered.of(1 / ranks_a, 1 / ranks_b, method, seed)
    judged, towards_b = (esl, -1) if facet == "esl" else (rr, 1)
    test = judged.test(facet_test)
    answered = Facet.of(only_one.p, only_one.direction)
    ranking = Facet.of(judged.facet_p(facet_test), towards_b * test.direction)
    decisions = decide(answered, ranking, alpha=alpha)
    return Breakdown(
        outcomes=outcomes,
        only_one=only_one,
        odds=odds_ratio(outcomes.only_a, outcomes.only_b),
        answered_difference=answered_difference,
        search_difference=search_difference,
        rr_difference=rr_difference,
        esl=esl,
        rr=rr,
        rank_differences=count_rank_differences(a, b),
        miss_cost=miss_cost(a, b),
        break_even=break_even(a, b),
        alignment=audit_alignment(a, b),
        verdict=Verdict(decisions.verdicts[0]),
        grade=LinGrade(decisions.grades[0]),
        claim_p=float(claim_p(answered, ranking, alpha=alpha)[0]),
        facet=facet,
        facet_test=facet_test,
    )

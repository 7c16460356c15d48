"""What is known of one pair of runs? The verdict on it, what it would mean as a claim, and what explains it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from toprung.boards.engine.claims import TestedClaim
from toprung.boards.engine.parts import PairParts
from toprung.boards.engine.rules import Rule
from toprung.boards.engine.verdict import PairVerdict
from toprung.boards.engine.words import say_pair
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.boards.lin2021.words import say_verdict
from toprung.scoring.catalogue import higher_is_better
from toprung.stats.finding import Finding, Scale
from toprung.stats.intervals.bootstrap import Effect
from toprung.stats.tests.counts import WinCount
from toprung.stats.tests.paired_t import PairedT
from toprung.stats.tests.power import minimum_detectable_difference
from toprung.stats.tests.rank_sum import RankSum
from toprung.stats.tests.signed_rank import SignedRank

type Pair = tuple[str, str]
type LinRuleName = Literal["lin2021"]
type PairRule = Rule | LinRuleName

LIN2021: LinRuleName = "lin2021"
"""Asks for the verdict of Lin et al. 2021 alone."""


@dataclass(frozen=True, kw_only=True)
class NaiveTests:
    """The tests people run on a measure over all queries, whatever its scale permits."""

    rank_sum: RankSum
    signed_rank: SignedRank
    t: PairedT
    sign: WinCount


@dataclass(frozen=True, kw_only=True)
class PairComparison:
    """One pair of runs under one measure; ``breakdown`` is there when ranks are.

    ``parts`` and ``found`` are what the verdict rests on and the verdict; the rest explains it.
    """

    a: str
    b: str
    measure: str
    scale: Scale | None
    mean_a: float
    mean_b: float
    difference: Effect
    parts: PairParts
    found: PairVerdict
    claim: TestedClaim | None
    """What the pair would be as the first claim of a board; None under the reading of Lin et al. 2021."""
    naive: NaiveTests
    cohens_dz: float
    cliffs_delta: float
    breakdown: Breakdown | None
    alpha: float
    cutoff: int | None = None
    """How far the rankings were read; None where that is not known."""
    score_decimals: int = 4
    """What a score is written with; fewer where it was rounded before."""
    at_once: int | None = None
    """Which run is better where more than these two were compared at once: +1 B, −1 A, 0 neither; else None."""

    @property
    def n(self) -> int:
        return self.naive.t.n

    @property
    def detectable(self) -> float:
        """The smallest difference these queries would show with a power of 0.8."""
        sd = self.naive.t.sd
        return math.nan if not sd > 0 else minimum_detectable_difference(sd, self.n, alpha=self.alpha)

    @property
    def is_by_paper(self) -> bool:
        """Whether the verdict of Lin et al. 2021 was asked for alone."""
        return self.claim is None

    @property
    def reason(self) -> str:
        """What a person would say."""
        if self.is_by_paper and self.breakdown is not None:
            return say_verdict(self.a, self.b, self.breakdown)
        return say_pair(self.a, self.b, self.measure, self.parts, self.found, decimals=self.score_decimals)

    @property
    def claim_p(self) -> float | None:
        """By the rule that was asked for; None where it tests nothing."""
        if self.claim is not None:
            return self.claim.p
        return None if self.breakdown is None else self.breakdown.claim_p

    def pointing_elsewhere(self) -> Iterator[tuple[str, Finding, int]]:
        """Tests that ask for less of a scale and see it otherwise: name, finding, and whom it favours beyond chance."""
        decided, better = self.found.side, 1 if higher_is_better(self.measure) else -1
        for name, test in (("signed-rank test", self.naive.signed_rank), ("sign test", self.naive.sign)):
            side = better * test.direction if test.p <= self.alpha else 0
            if side != decided and not math.isnan(test.p):  # which is left out where few hidden queries differ
                yield name, test, side

    def p_values(self) -> dict[str, float]:
        """Every p-value by its column name."""
        found = {
            "measure_p": self.parts.measure.p,
            "wrs_p": self.naive.rank_sum.p,
            "wsr_p": self.naive.signed_rank.p,
            "t_p": self.naive.t.p,
            "sign_p": self.naive.sign.p,
        }
        if self.claim_p is not None:
            found |= {"claim_p": self.claim_p}
        if self.parts.answered is not None and self.parts.ranking is not None:
            found |= {"answered_p": self.parts.answered.p, "ranking_p": self.parts.ranking.p}
        return found if self.breakdown is None else found | _p_values_of(self.breakdown)


def _p_values_of(breakdown: Breakdown) -> dict[str, float]:
    return {
        "case2_p": breakdown.only_one.p,
        "esl_wsr_p": breakdown.esl.signed_rank.p,
        "esl_t_p": breakdown.esl.t.p,
        "rr_wsr_p": breakdown.rr.signed_rank.p,
        "rr_t_p": breakdown.rr.t.p,
        "lin2021_claim_p": breakdown.claim_p,
    }

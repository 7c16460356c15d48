"""May this run take the top rung? One claim against the holder, held to the level that online fallback gives.

A claim is every submission that scores above the holder: not above the highest score so far, for that would select the
lucky. A board keeps an ``OnlineTest`` (how many claims were tested, what the last one handed on) and asks here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from toprung.boards.engine.verdict import Verdict
from toprung.boards.lin2021.breakdown import BothAnswered, FacetName, FacetTest, check_facet
from toprung.boards.lin2021.verdict import Facet, LinGrade, LinRule, claim_p, decide
from toprung.boards.outcomes import Outcomes, Ranks
from toprung.data.matrices import FirstRanks
from toprung.errors import InputError
from toprung.stats.finding import MEAN_DIGITS
from toprung.stats.inputs import check_share
from toprung.stats.sequences.online import DEFAULT_GAMMA, Gamma, OnlineTest
from toprung.stats.tests.counts import mcnemar_test
from toprung.words.wording import show_number, show_share

type TopRule = LinRule | Literal["score"]

RULES: tuple[TopRule, ...] = ("score", *LinRule)

# What a facet shows of the challenger: a gain, nothing beyond chance, harm.
ANSWERED = {1: "answers more", 0: "cannot be told apart in what it answers", -1: "answers fewer"}
RANKING = {1: "finds it sooner", 0: "cannot be told apart in where it finds it", -1: "finds it later"}
IN_SHORT = {
    (1, 1): "answers more, sooner",
    (1, 0): "answers more",
    (0, 1): "finds it sooner",
    (0, 0): "cannot be told apart",
    (1, -1): "answers more, but later",
    (-1, 1): "sooner, but answers fewer",
    (0, -1): "harm: finds it later",
    (-1, 0): "harm: answers fewer",
    (-1, -1): "harm: fewer, and later",
}


@dataclass(frozen=True, kw_only=True)
class ClaimPolicy:
    """What a claim must show, fixed before the first one: under "score" nothing but a higher score."""

    rule: TopRule = LinRule.NO_HARM
    facet: FacetName = "esl"
    facet_test: FacetTest = "t"
    alpha: float = 0.05
    gamma: Gamma = DEFAULT_GAMMA

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise InputError(f"rule: found {str(self.rule)!r}; expected one of {', '.join(RULES)}.")
        check_facet(self.facet, self.facet_test)
        check_share(self.alpha, name="alpha")
        if self.is_tested:
            object.__setattr__(self, "rule", LinRule(self.rule))

    @property
    def is_tested(self) -> bool:
        return self.rule != "score"

    def start(self) -> OnlineTest:
        """Where the sequence of claims stands before the first."""
        return OnlineTest(alpha=self.alpha, gamma=self.gamma)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Both facets of a claim: which queries are answered, and how high where both runs answer.

    The means are those of the facet's measure (ESL or RR) over the queries both answer; NaN without any. ``favours``
    is +1 for the challenger, −1 for the holder, 0 for neither.
    """

    outcomes: Outcomes
    answered_p: float
    answered_favours: int
    facet: FacetName
    mean_holder: float
    mean_run: float
    ranking_p: float
    ranking_favours: int

    @property
    def mean_points_apart(self) -> bool:
        """Whether the test of the ranking favours one run and the mean the other."""
        towards_run = self.mean_run - self.mean_holder if self.facet == "rr" else self.mean_holder - self.mean_run
        return round(towards_run, MEAN_DIGITS) * self.ranking_favours < 0

    def facets(self) -> tuple[Facet, Facet]:
        """Answered, ranking."""
        answered = Facet.of(self.answered_p, self.answered_favours)
        return answered, Facet.of(self.ranking_p, self.ranking_favours)


@dataclass(frozen=True, kw_only=True)
class TestedClaim:
    """A claim to the top rung, as it stays on record.

    ``t`` counts the claims of a board from 1 and never restarts. ``shows`` says in a few words what was seen,
    ``reason`` in one sentence. Under the rule "score" nothing is tested: there is no p, level, verdict or evidence.
    """

    t: int
    run: str
    holder: str
    is_supported: bool
    p: float | None
    level: float | None
    verdict: Verdict | None
    grade: LinGrade
    shows: str
    reason: str
    evidence: Evidence | None


def gather_evidence(holder: Ranks, run: Ranks, policy: ClaimPolicy) -> Evidence:
    """Test both facets on two columns of first ranks (0 = not found)."""
    outcomes = Outcomes.of(holder, run)
    answered = mcnemar_test(outcomes.only_a, outcomes.only_b, n=outcomes.n)
    both = (holder > 0) & (run > 0)
    first, second = holder[both].astype(np.float64), run[both].astype(np.float64)
    if policy.facet == "rr":
        first, second = 1 / first, 1 / second
    both_answered = BothAnswered.of(first, second, "auto")
    direction = both_answered.test(policy.facet_test).direction
    return Evidence(
        outcomes=outcomes,
        answered_p=answered.p,
        answered_favours=answered.direction,
        facet=policy.facet,
        mean_holder=both_answered.mean_a,
        mean_run=both_answered.mean_b,
        ranking_p=both_answered.facet_p(policy.facet_test),
        ranking_favours=direction if policy.facet == "rr" else -direction,
    )


def decide_claim(
    ranks: FirstRanks, *, run: str, holder: str, state: OnlineTest, policy: ClaimPolicy
) -> tuple[TestedClaim, OnlineTest]:
    """Test the next claim; returns it, and where the sequence of claims stands then.

    Whether the run scores above the holder, and so makes a claim at all, is for the caller to see.

    >>> ranks = FirstRanks(query_ids=tuple("abcdefgh"), runs=("old", "new"), cutoff=10,
    ...                    values=np.array([[0, 1]] * 7 + [[1, 1]], dtype=np.int32))
    >>> claim, state = decide_claim(ranks, run="new", holder="old", state=OnlineTest(), policy=ClaimPolicy())
    >>> claim.p, claim.level, claim.is_supported, claim.shows
    (0.03125, 0.025, False, 'cannot be told apart')
    """
    t = state.tested + 1
    if policy.rule == "score":
        claim = TestedClaim(
            t=t,
            run=run,
            holder=holder,
            is_supported=True,
            p=None,
            level=None,
            verdict=None,
            grade=LinGrade.NONE,
            shows="higher score, not tested",
            reason=f"{run} scores above {holder}; whether that is more than chance was not asked.",
            evidence=None,
        )
        return claim, replace(state, tested=t)
    evidence = gather_evidence(ranks.column(holder), ranks.column(run), policy)
    p = float(claim_p(*evidence.facets(), rule=policy.rule, alpha=policy.alpha)[0])
    decision, state = state.decide(p)
    verdict, grade = _verdict(evidence, decision.level, decision.is_rejected, policy)
    seen = _Seen.of(evidence, decision.level, verdict, grade, policy)
    claim = TestedClaim(
        t=t,
        run=run,
        holder=holder,
        is_supported=decision.is_rejected,
        p=p,
        level=decision.level,
        verdict=verdict,
        grade=grade,
        shows=seen.in_short(),
        reason=f"{seen.in_full(run, holder, evidence)}: claim {'' if decision.is_rejected else 'not '}supported.",
        evidence=evidence,
    )
    return claim, state


def _verdict(evidence: Evidence, level: float, is_supported: bool, policy: ClaimPolicy) -> tuple[Verdict, LinGrade]:
    """A gain is seen at the claim's level, harm at α: then the verdict is that of the plain comparison."""
    facets = evidence.facets()
    at_level, at_alpha = decide(*facets, alpha=level), decide(*facets, alpha=policy.alpha)
    if at_alpha.verdicts[0] in (Verdict.A, Verdict.CONFLICT):
        return Verdict(at_alpha.verdicts[0]), LinGrade(at_alpha.grades[0])
    # Both facets may pass at the level and neither at half of it: "no harm" asks for half.
    if not is_supported and policy.rule is LinRule.NO_HARM:
        return Verdict.TIED, LinGrade.NONE
    return Verdict(at_level.verdicts[0]), LinGrade(at_level.grades[0])


@dataclass(frozen=True, kw_only=True)
class _Seen:
    """What each facet shows beyond chance: +1 a gain at the level it is held to, −1 harm at α, 0 neither."""

    answered: int
    ranking: int
    needs_both: bool

    @classmethod
    def of(cls, evidence: Evidence, level: float, verdict: Verdict, grade: LinGrade, policy: ClaimPolicy) -> _Seen:
        needs_both = policy.rule is LinRule.SIGNIFICANT
        gain_level = level if needs_both or grade is LinGrade.SIGNIFICANT else level / 2
        if verdict is Verdict.CONFLICT:
            gain_level = policy.alpha

        def side(facet: Facet) -> int:
            return int(facet.beyond_chance(gain_level, 1)[0]) - int(facet.beyond_chance(policy.alpha, -1)[0])

        answered, ranking = map(side, evidence.facets())
        return cls(answered=answered, ranking=ranking, needs_both=needs_both)

    def in_short(self) -> str:
        if self.needs_both and self.answered + self.ranking == 1:
            return f"only {IN_SHORT[self.answered, self.ranking]}"
        return IN_SHORT[self.answered, self.ranking]

    def in_full(self, run: str, holder: str, evidence: Evidence) -> str:
        outcomes = evidence.outcomes
        only_run, only_holder = show_share(outcomes.share(outcomes.only_b)), show_share(outcomes.share(outcomes.only_a))
        answered = f"only {run} answers {only_run} of queries, only {holder} {only_holder}"
        measure, decimals = ("mean rank", 2) if evidence.facet == "esl" else ("mean RR", 4)
        means = " against ".join(show_number(mean, decimals) for mean in (evidence.mean_run, evidence.mean_holder))
        ranking = f"{measure} {means} where both answer" if outcomes.both else "no query that both answer"
        if evidence.mean_points_apart:
            ranking += ", though signed ranks say the opposite"
        if not self.answered and not self.ranking:
            return f"{run} and {holder} cannot be told apart ({answered}; {ranking})"
        joined = "but" if self.answered * self.ranking < 0 else "and"
        return f"{run} {ANSWERED[self.answered]} ({answered}) {joined} {RANKING[self.ranking]} ({ranking})"

"""May this run take the top rung? One claim against the holder, held to the level that online fallback gives.

A claim is every submission that scores above the holder: not above the highest score so far, for that would select the
lucky. A board keeps an ``OnlineTest`` (how many claims were tested, what the last one handed on) and asks here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toprung.boards.engine.gains import smallest_gain, usual_spread
from toprung.boards.engine.parts import PairParts, find_parts
from toprung.boards.engine.rules import ClaimPolicy, Rule, claim_p
from toprung.boards.engine.verdict import PairVerdict, judge_pair
from toprung.boards.outcomes import Outcomes
from toprung.data.matrices import FirstRanks, ScoreTable, to_scores
from toprung.stats.sequences.online import OnlineDecision, OnlineTest


@dataclass(frozen=True, kw_only=True)
class TestedClaim:
    """A claim to the top rung, as it stays on record.

    ``t`` counts the claims of a board from 1 and never restarts. ``verdict`` is that of the pair by itself: what the
    two runs are to each other, whatever the claim was held to. Under the rule "score" nothing is tested: there is no p,
    level, gain, verdict or parts.
    """

    t: int
    run: str
    holder: str
    measure: str
    rule: Rule
    passed: bool
    p: float | None = None
    level: float | None = None
    smallest_gain: float | None = None
    """What the claim could see four times in five."""
    verdict: PairVerdict | None = None
    parts: PairParts | None = None
    outcomes: Outcomes | None = None

    @property
    def is_harm_excluded(self) -> bool:
        return self.parts is not None and self.parts.is_harm_excluded(1)

    @property
    def is_within_level(self) -> bool:
        """Whether p is within the level; a claim may fail all the same, by harm that was not excluded."""
        return self.p is not None and self.level is not None and 0 < self.level >= self.p


def decide_claim(
    matrix: FirstRanks | ScoreTable,
    *,
    run: str,
    holder: str,
    state: OnlineTest,
    policy: ClaimPolicy,
    there: Sequence[str] | None = None,
) -> tuple[TestedClaim, OnlineTest]:
    """Test the next claim; returns it, and where the sequence of claims stands then.

    Whether the run scores above the holder, and so makes a claim at all, is for the caller to see. ``there`` are the
    runs that had come by then, all of the matrix unless given: how much they differ from the holder says what the
    claim could see.

    >>> import numpy as np
    >>> ranks = FirstRanks(query_ids=tuple("abcdefghijkl"), runs=("old", "new"), cutoff=10,
    ...                    values=np.array([[0, 1]] * 12, dtype=np.int32))
    >>> claim, state = decide_claim(ranks, run="new", holder="old", state=OnlineTest(), policy=ClaimPolicy())
    >>> claim.p, round(claim.level, 6), claim.passed
    (0.00048828125, 0.002221, True)
    """
    policy.check(matrix.measure, has_ranks=isinstance(matrix, FirstRanks))
    t = state.tested + 1
    untested = TestedClaim(t=t, run=run, holder=holder, measure=matrix.measure, rule=policy.rule, passed=True)
    if not policy.is_tested:
        return untested, replace(state, tested=t)
    parts = find_parts(matrix, holder, run, margins=policy.margins)
    decision, state = hold_to_level(parts, state=state, rule=policy.rule)
    spread = usual_spread(to_scores(matrix), holder, matrix.runs if there is None else there)
    claim = replace(
        untested,
        passed=decision.is_rejected,
        p=decision.p,
        level=decision.level,
        smallest_gain=smallest_gain(spread, parts.measure.n, level=decision.level, rule=policy.rule),
        verdict=judge_pair(parts, alpha=policy.alpha),
        parts=parts,
        outcomes=Outcomes.of(matrix.column(holder), matrix.column(run)) if isinstance(matrix, FirstRanks) else None,
    )
    return claim, state


def hold_to_level(parts: PairParts, *, state: OnlineTest, rule: Rule) -> tuple[OnlineDecision, OnlineTest]:
    """Whether B passes as the next claim: its p within the level and, under ``no_harm``, harm excluded."""
    may_pass = rule is not Rule.NO_HARM or parts.is_harm_excluded(1)
    return state.decide(claim_p(parts, rule), may_pass=may_pass)

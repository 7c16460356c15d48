"""May this run take the top rung?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.boards.engine.samples import (
    ANSWERS_MORE,
    AT_A_COST,
    CONFLICT,
    NO_HARM,
    NONE_SHARED,
    Counted,
    parts_of,
    ranks_of,
    scores_of,
)

from toprung.boards.engine import claims
from toprung.boards.engine.claims import decide_claim, hold_to_level
from toprung.boards.engine.margins import Margins
from toprung.boards.engine.rules import ClaimPolicy, Rule
from toprung.boards.engine.verdict import Grade, Verdict
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError
from toprung.stats.sequences.online import OnlineTest


def claim_of(matrix: FirstRanks | ScoreTable, policy: ClaimPolicy, *, tested: int = 0) -> claims.TestedClaim:
    """The last run of a pair against the first."""
    holder, run = matrix.runs
    state = OnlineTest(alpha=policy.alpha, gamma=policy.gamma, tested=tested)
    return decide_claim(matrix, run=run, holder=holder, state=state, policy=policy)[0]


@pytest.mark.parametrize(
    ("t", "level"), [(1, 0.002221), (2, 0.001949), (3, 0.001729), (10, 0.000906), (50, 0.000174), (100, 0.000070)]
)
def test_the_levels_of_steady_10(t: int, level: float) -> None:
    found = claim_of(ranks_of(NO_HARM), ClaimPolicy(), tested=t - 1)
    assert found.t == t
    assert found.level == pytest.approx(level, abs=5e-7)


def test_what_a_passed_claim_had_is_handed_on() -> None:
    """STATISTICS section 5: p, level and whether it is believed."""
    expected = [
        (0.001, 0.002221, True),
        (0.003, 0.004170, True),
        (0.5, 0.005899, False),
        (0.0015, 0.001547, True),
        (0.0001, 0.002942, True),
    ]
    state = ClaimPolicy().start()
    for t, (p, level, is_passed) in enumerate(expected, start=1):
        decision, state = hold_to_level(parts_of((p, 1), (1.0, 0), (1.0, 0)), state=state, rule=Rule.MEASURE)
        assert (decision.t, decision.p, decision.is_rejected) == (t, p, is_passed)
        assert decision.level == pytest.approx(level, abs=5e-7)


# STATISTICS section 5, pairs i to v, each as the first claim of a board.
@pytest.mark.parametrize(
    ("counted", "rule", "p", "has_passed"),
    [
        (ANSWERS_MORE, Rule.NO_HARM, 1.0, False),
        (NO_HARM, Rule.NO_HARM, 0.000977, True),
        (AT_A_COST, Rule.MEASURE, 0.000006, True),
        (AT_A_COST, Rule.NO_HARM, 0.000012, False),  # p is within its level, harm is not excluded
        (CONFLICT, Rule.NO_HARM, 1.0, False),
        (CONFLICT, Rule.BOTH, 1.0, False),
        (NONE_SHARED, Rule.MEASURE, 0.003761, False),  # the pair differs, the claim misses its level
    ],
)
def test_claims_of_the_pairs_on_the_statistics_page(
    counted: list[Counted], rule: Rule, p: float, has_passed: bool
) -> None:
    found = claim_of(ranks_of(counted), ClaimPolicy(rule=rule))
    assert found.p == pytest.approx(p, abs=5e-7)
    assert found.passed is has_passed


def test_a_claim_keeps_the_verdict_of_the_pair_whatever_it_was_held_to() -> None:
    found = claim_of(ranks_of(NONE_SHARED), ClaimPolicy())
    assert not found.passed
    assert not found.is_within_level
    assert found.verdict is not None
    assert (found.verdict.verdict, found.verdict.grade) == (Verdict.B, Grade.BETTER)
    harmful = claim_of(ranks_of(AT_A_COST), ClaimPolicy(rule=Rule.NO_HARM))
    assert harmful.is_within_level
    assert not harmful.is_harm_excluded
    assert not harmful.passed


def test_a_board_may_bear_more_harm_if_it_said_so_before() -> None:
    wide = ClaimPolicy(rule=Rule.NO_HARM, margins=Margins(answered=0.08))
    assert claim_of(ranks_of(AT_A_COST), wide).passed  # harm up to 6.9 points


def test_a_claim_that_harm_stopped_hands_nothing_on() -> None:
    matrix, policy = ranks_of(AT_A_COST), ClaimPolicy(rule=Rule.NO_HARM)
    _, state = decide_claim(matrix, run="b", holder="a", state=policy.start(), policy=policy)
    assert (state.tested, state.carried) == (1, 0.0)


@pytest.mark.parametrize("rule", [Rule.NO_HARM, Rule.BOTH])
def test_a_rule_that_needs_ranks_is_refused_for_scores(rule: Rule) -> None:
    with pytest.raises(InputError, match=f"found '{rule}' with nDCG@10, which has no first ranks"):
        claim_of(scores_of([[0.1, 0.2], [0.3, 0.4]]), ClaimPolicy(rule=rule))


def test_by_score_nothing_is_tested_and_every_claim_passes() -> None:
    policy = ClaimPolicy(rule=Rule.SCORE)
    found = claim_of(scores_of([[0.1, 0.2]]), policy, tested=6)
    assert found.passed
    assert found.t == 7
    assert found.p is found.level is found.smallest_gain is found.verdict is found.parts is None
    assert not found.is_within_level


def test_scores_of_any_measure_may_be_claimed_by() -> None:
    values = np.column_stack([np.zeros(12), np.linspace(0.1, 0.4, 12)])
    found = claim_of(scores_of(values), ClaimPolicy())
    assert found.passed
    assert found.p == 2.0**-11
    assert found.outcomes is None
    assert found.measure == "nDCG@10"


def test_where_lower_is_better_the_lower_run_passes() -> None:
    values = np.column_stack([np.linspace(0.6, 0.9, 12), np.linspace(0.1, 0.2, 12)])
    assert claim_of(scores_of(values, measure="ESL"), ClaimPolicy()).passed
    assert not claim_of(scores_of(values, measure="nDCG@10"), ClaimPolicy()).passed


def test_the_smallest_gain_is_of_the_runs_that_had_come_by_then() -> None:
    matrix = scores_of(np.random.default_rng(3).random((60, 4)) * [1, 1, 1, 5])
    policy = ClaimPolicy()

    def gain(there: list[str] | None) -> float:
        claim, _ = decide_claim(matrix, run="r001", holder="r000", state=policy.start(), policy=policy, there=there)
        assert claim.smallest_gain is not None
        return claim.smallest_gain

    assert gain(["r000", "r001"]) < gain(["r000", "r001", "r003"])
    assert gain(None) == gain(list(matrix.runs))
    spread = np.std(matrix.column("r001") - matrix.column("r000"), ddof=1)
    assert gain(["r000", "r001"]) == pytest.approx((3.0588 + 0.8416) * spread / math.sqrt(60), rel=1e-4)


ranks = st.sampled_from([0, 1, 2, 5, 40])
boards = st.lists(st.tuples(ranks, ranks, st.integers(1, 15)), min_size=1, max_size=8)


@given(rows=boards, rule=st.sampled_from([Rule.MEASURE, Rule.NO_HARM, Rule.BOTH]))
@example(rows=[(0, 1, 15), (5, 1, 15)], rule=Rule.MEASURE)  # rows that are drawn seldom pass
@example(rows=[(0, 1, 15), (5, 1, 15)], rule=Rule.NO_HARM)
@example(rows=[(0, 1, 15), (5, 1, 15)], rule=Rule.BOTH)
def test_what_passes_points_to_the_run_and_is_within_its_level(rows: list[Counted], rule: Rule) -> None:
    found = claim_of(ranks_of(rows), ClaimPolicy(rule=rule, alpha=0.5))
    if not found.passed:
        return
    assert found.is_within_level
    assert found.parts is not None
    if rule is Rule.BOTH:
        assert found.parts.answered is not None
        assert found.parts.answered.favours > 0
    else:
        assert found.parts.measure.favours > 0
    assert rule is not Rule.NO_HARM or found.is_harm_excluded


@given(rows=boards)
def test_a_claim_and_its_counterclaim_never_both_pass(rows: list[Counted]) -> None:
    matrix, policy = ranks_of(rows), ClaimPolicy(alpha=0.9)
    both = [
        decide_claim(matrix, run=run, holder=holder, state=policy.start(), policy=policy)[0].passed
        for run, holder in (("a", "b"), ("b", "a"))
    ]
    assert sum(both) <= 1

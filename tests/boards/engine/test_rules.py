"""What must a claim show?"""

from __future__ import annotations

import pytest
from tests.boards.engine.samples import (
    ANSWERS_MORE,
    AT_A_COST,
    NO_HARM,
    Counted,
    as_tested,
    parts_of,
    ranks_of,
)

from toprung.boards.engine.parts import PairParts, find_parts
from toprung.boards.engine.rules import ClaimPolicy, Rule, claim_p, read_rule
from toprung.errors import InputError
from toprung.stats.sequences.online import SteadyGamma

NOBODY = (1.0, 0)


# STATISTICS section 5: claim p for (P_m, P_a) to B.
@pytest.mark.parametrize(
    ("measure", "answered", "by_measure", "by_no_harm"),
    [(0.08, 0.01, 0.08, 0.02), (0.03, 0.4, 0.03, 0.06), (0.12, 0.001, 0.12, 1.0)],
)
def test_claim_p_on_the_statistics_page(measure: float, answered: float, by_measure: float, by_no_harm: float) -> None:
    parts = parts_of((measure, 1), (answered, 1), NOBODY)
    assert claim_p(parts, Rule.MEASURE) == by_measure
    assert claim_p(parts, Rule.NO_HARM) == pytest.approx(by_no_harm)


@pytest.mark.parametrize(
    ("measure", "answered", "ranking", "claim_ps"),
    [
        ((0.001, -1), (0.001, 1), (0.001, 1), (1.0, 1.0, 0.001)),  # the measure points to A
        ((0.02, 1), (0.001, -1), (0.3, 1), (0.02, 0.04, 1.0)),  # answered points to A and counts as 1
        ((0.02, 1), (0.04, 1), (0.03, 1), (0.02, 0.04, 0.04)),
        ((0.02, 1), (0.04, 1), (0.03, -1), (0.02, 0.04, 1.0)),
        ((0.10, 1), (0.01, 1), NOBODY, (0.10, 0.02, 1.0)),  # just within what the measure must show
        ((0.1001, 1), (0.01, 1), NOBODY, (0.1001, 1.0, 1.0)),
        (NOBODY, NOBODY, NOBODY, (1.0, 1.0, 1.0)),
    ],
)
def test_a_part_that_points_to_the_holder_counts_as_one(
    measure: tuple[float, int],
    answered: tuple[float, int],
    ranking: tuple[float, int],
    claim_ps: tuple[float, float, float],
) -> None:
    parts = parts_of(measure, answered, ranking)
    found = tuple(claim_p(parts, rule) for rule in (Rule.MEASURE, Rule.NO_HARM, Rule.BOTH))
    assert found == pytest.approx(claim_ps)


@pytest.mark.parametrize(
    ("counted", "rule", "p"),
    [
        (ANSWERS_MORE, Rule.NO_HARM, 1.0),
        (NO_HARM, Rule.NO_HARM, 0.000977),
        (AT_A_COST, Rule.MEASURE, 0.000006),
        (NO_HARM, Rule.BOTH, 1.0),
    ],
)
def test_claim_p_of_the_pairs_on_the_statistics_page(counted: list[Counted], rule: Rule, p: float) -> None:
    assert claim_p(find_parts(ranks_of(counted), "a", "b"), rule) == pytest.approx(p, abs=5e-7)


@pytest.mark.parametrize("rule", [Rule.NO_HARM, Rule.BOTH])
def test_without_first_ranks_only_the_measure_can_be_tested(rule: Rule) -> None:
    with pytest.raises(InputError, match=f"found '{rule}' for a pair without first ranks"):
        claim_p(PairParts(measure=as_tested(0.01)), rule)
    with pytest.raises(InputError, match=f"found '{rule}' with nDCG@10, which has no first ranks; expected 'measure'"):
        ClaimPolicy(rule=rule).check("nDCG@10", has_ranks=False)
    ClaimPolicy(rule=rule).check("RR@10", has_ranks=True)


@pytest.mark.parametrize("rule", [Rule.MEASURE, Rule.SCORE])
def test_measure_and_score_need_no_first_ranks(rule: Rule) -> None:
    ClaimPolicy(rule=rule).check("nDCG@10", has_ranks=False)
    assert not rule.needs_ranks


def test_a_rule_is_read_by_its_name() -> None:
    assert [read_rule(text) for text in ("measure", "no_harm", "both", "score")] == list(Rule)
    with pytest.raises(InputError, match="found 'significant'; expected one of measure, no_harm, both, score"):
        read_rule("significant")


def test_a_policy_starts_at_its_own_level_and_sequence() -> None:
    state = ClaimPolicy(alpha=0.1, gamma=SteadyGamma(lead=3)).start()
    assert (state.alpha, state.gamma, state.tested) == (0.1, SteadyGamma(lead=3), 0)
    assert ClaimPolicy().start().next_level == pytest.approx(0.002221, abs=5e-7)
    assert ClaimPolicy(rule="no_harm").rule is Rule.NO_HARM  # as read from a file
    assert not ClaimPolicy(rule=Rule.SCORE).is_tested
    with pytest.raises(InputError, match="alpha"):
        ClaimPolicy(alpha=1.5)

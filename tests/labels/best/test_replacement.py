from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from toprung.errors import InputError
from toprung.labels.best.replacement import BestOf, Decision, EnoughStrength, ReplacementRule, SequentialTest

WEAK = 0.27
"""How often the challenger of the source's estimate truly wins."""


@dataclass(frozen=True, kw_only=True)
class Chances:
    """How a rule treats a challenger: how often it replaces the champion, after how many judgments on average."""

    replace: float
    judgments: float


def chances(rule: ReplacementRule, p: float) -> Chances:
    """Exactly how often a challenger that wins a judgment with probability ``p`` replaces the champion.

    Every way the judgments can fall is followed until the rule decides.
    """
    is_open = {0: 1.0}  # wins of the challenger: how probable
    replace, judgments, n = 0.0, 0.0, 0
    while is_open:
        n += 1
        judgments += math.fsum(is_open.values())
        following: dict[int, float] = {}
        for wins, probability in is_open.items():
            for new_wins, share in ((wins + 1, p), (wins, 1 - p)):
                decision = rule.decide(new_wins, n - new_wins)
                if decision is Decision.ASK_AGAIN:
                    following[new_wins] = following.get(new_wins, 0.0) + probability * share
                elif decision is Decision.REPLACE:
                    replace += probability * share
        is_open = following
    return Chances(replace=replace, judgments=judgments)


def simulate(rule: ReplacementRule, p: float, n: int, seed: int) -> Chances:
    """The same by drawing judgments one by one."""
    rng = np.random.default_rng(seed)
    replaced, asked = 0, 0
    for _ in range(n):
        wins = losses = 0
        while (decision := rule.decide(wins, losses)) is Decision.ASK_AGAIN:
            asked += 1
            if rng.random() < p:
                wins += 1
            else:
                losses += 1
        replaced += decision is Decision.REPLACE
    return Chances(replace=replaced / n, judgments=asked / n)


def test_one_judgment_replaces_as_often_as_it_errs() -> None:
    assert chances(BestOf(judgments=1), WEAK) == Chances(replace=WEAK, judgments=1.0)


def test_best_of_three_replaces_eighteen_percent() -> None:
    found = chances(BestOf(judgments=3), WEAK)
    assert found.replace == pytest.approx(3 * WEAK**2 * (1 - WEAK) + WEAK**3)
    assert round(found.replace, 2) == 0.18
    assert found.judgments == pytest.approx(2 + 2 * WEAK * (1 - WEAK))


def test_the_sequential_test_replaces_two_percent() -> None:
    # A lead of ln 9 / ln(.65/.35) = 3.55 is needed, so of 4: gambler's ruin without the cap on judgments.
    odds = (1 - WEAK) / WEAK
    ruin = 1 / (1 + odds**4)
    assert chances(SequentialTest(max_judgments=2_000), WEAK).replace == pytest.approx(ruin)
    assert chances(SequentialTest(), WEAK).replace == pytest.approx(0.0181, abs=5e-5)


def p_better(wins: float, losses: float, penalty: float) -> float:
    """By SciPy's quadrature: the difference of two strengths is normal with variance 2/λ, each vote logistic in it."""

    def density(lead: float) -> float:
        won, lost = 1 / (1 + math.exp(-lead)), 1 / (1 + math.exp(lead))
        return math.exp(-(lead**2) * penalty / 4) * won**wins * lost**losses

    above, below = quad(density, 0, 30)[0], quad(density, -30, 0)[0]
    return float(above / (above + below))


@pytest.mark.parametrize(("wins", "losses"), [(2, 0), (3, 0), (3, 1), (4, 1), (5, 1), (5, 2), (0, 3), (1, 5), (8, 4)])
@pytest.mark.parametrize("penalty", [0.4, 1.0, 3.0])
def test_strength_replaces_at_the_p_best_that_was_asked_for(wins: int, losses: int, penalty: float) -> None:
    better = p_better(wins, losses, penalty)
    expected = Decision.REPLACE if better >= 0.9 else Decision.KEEP if better <= 0.1 else Decision.ASK_AGAIN
    assert EnoughStrength(penalty=penalty).decide(wins, losses) is expected
    just = EnoughStrength(penalty=penalty, at_least=max(better, 1 - better) - 1e-3)
    not_quite = EnoughStrength(penalty=penalty, at_least=max(better, 1 - better) + 1e-3)
    assert just.decide(wins, losses) is (Decision.REPLACE if better > 0.5 else Decision.KEEP)
    assert not_quite.decide(wins, losses) is Decision.ASK_AGAIN


def test_strength_replaces_three_percent_by_eight_judgments() -> None:
    found = chances(EnoughStrength(), WEAK)
    assert (round(found.replace, 3), round(found.judgments, 1)) == (0.026, 8.2)


def test_a_tie_is_half_a_win_of_each_for_strength() -> None:
    assert EnoughStrength().decide(3, 0) is Decision.REPLACE
    assert EnoughStrength().decide(3, 0, ties=2) is Decision.ASK_AGAIN, "as 4 to 1, which is .88"
    assert EnoughStrength(max_judgments=5).decide(3, 0, ties=2) is Decision.KEEP


def test_walds_formula_which_takes_a_lead_for_any_number_says_about_three_percent() -> None:
    odds, lead = (1 - WEAK) / WEAK, math.log(9) / math.log(0.65 / 0.35)
    assert round(1 / (1 + odds**lead), 4) == 0.0285


@pytest.mark.parametrize(
    "rule", [BestOf(judgments=3), BestOf(judgments=5), SequentialTest(), SequentialTest(p0=0.5), EnoughStrength()]
)
@pytest.mark.parametrize("p", [WEAK, 0.5, 0.65])
def test_the_chances_are_those_of_a_simulation(rule: ReplacementRule, p: float) -> None:
    exact, drawn = chances(rule, p), simulate(rule, p, 2_000, seed=5)
    assert drawn.replace == pytest.approx(exact.replace, abs=4 * math.sqrt(0.25 / 2_000))
    assert drawn.judgments == pytest.approx(exact.judgments, rel=0.08)


def test_the_sequential_test_keeps_to_its_levels() -> None:
    rule = SequentialTest(p0=0.5, p1=0.65, alpha=0.1, max_judgments=1_000)
    assert chances(rule, 0.5).replace <= 0.1
    assert chances(rule, 0.65).replace >= 0.9


@given(
    rule=st.sampled_from([BestOf(judgments=3), BestOf(judgments=7), SequentialTest(), EnoughStrength()]),
    low=st.floats(0, 1),
    high=st.floats(0, 1),
)
def test_a_better_challenger_replaces_at_least_as_often(rule: ReplacementRule, low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert chances(rule, low).replace <= chances(rule, high).replace + 1e-12


def test_best_of_three_is_decided_as_soon_as_it_can_be() -> None:
    rule = BestOf(judgments=3)
    assert [rule.decide(wins, losses) for wins, losses in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (0, 2), (1, 2)]] == [
        Decision.ASK_AGAIN,
        Decision.ASK_AGAIN,
        Decision.ASK_AGAIN,
        Decision.REPLACE,
        Decision.REPLACE,
        Decision.KEEP,
        Decision.KEEP,
    ]


def test_a_tie_is_a_judgment_that_the_challenger_did_not_win() -> None:
    assert BestOf(judgments=3).decide(1, 0, ties=2) is Decision.KEEP
    assert SequentialTest(max_judgments=5).decide(1, 0, ties=4) is Decision.KEEP


def test_whoever_is_not_decided_at_the_last_judgment_stays() -> None:
    rule = SequentialTest(max_judgments=9)
    assert rule.decide(5, 3) is Decision.ASK_AGAIN
    assert rule.decide(6, 3) is Decision.KEEP


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: EnoughStrength(at_least=0.5), "at_least: found 0.5; expected more than one half"),
        (lambda: EnoughStrength(penalty=0), "penalty: found 0; expected more than 0"),
        (lambda: EnoughStrength(max_judgments=0), "max_judgments: found 0; expected a whole number"),
        (lambda: BestOf(judgments=2), "judgments: found 2; expected an odd number"),
        (lambda: SequentialTest(p1=1.2), "p1: found 1.2"),
        (lambda: SequentialTest(p1=0.4), "p0: found 0.6; expected less than p1"),
        (lambda: SequentialTest(alpha=0.5), "alpha 0.5 and beta 0.5; expected a sum below 1"),
        (lambda: SequentialTest(max_judgments=0), "max_judgments: found 0"),
    ],
)
def test_a_rule_that_cannot_decide_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()

from __future__ import annotations

import numpy as np
import pytest

from toprung.boards.lin2021.verdict import Facet, LinRule, claim_p, decide


@pytest.mark.parametrize(
    ("answered", "ranking", "verdict", "grade"),
    [
        ((0.04, 1), (0.04, 1), "B", "significant"),  # both at the full level are enough together
        ((0.04, 1), (0.50, 1), "tied", ""),  # one alone is held to half the level
        ((0.02, 1), (0.50, -1), "B", "no_harm_answered"),
        ((0.50, -1), (0.02, 1), "B", "no_harm_ranking"),
        ((0.02, 1), (0.04, -1), "conflict", ""),  # harm is seen at the full level
        ((0.04, 1), (0.04, -1), "conflict", ""),
        ((0.02, -1), (0.50, 1), "A", "no_harm_answered"),
        ((0.001, -1), (0.001, -1), "A", "significant"),
        ((1.00, 0), (1.00, 0), "tied", ""),
        ((0.02, 1), (0.02, 1), "B", "significant"),
    ],
)
def test_the_verdict_follows_from_both_facets(
    answered: tuple[float, int], ranking: tuple[float, int], verdict: str, grade: str
) -> None:
    found = decide(Facet.of(*answered), Facet.of(*ranking), alpha=0.05)
    assert (found.verdicts[0], found.grades[0]) == (verdict, grade)


@pytest.mark.parametrize(
    ("answered", "ranking", "no_harm", "significant"),
    [
        ((0.01, 1), (0.30, 1), 0.02, 0.30),
        ((0.01, 1), (0.30, -1), 0.02, 1.0),
        ((0.01, 1), (0.04, -1), 1.0, 1.0),  # harm: no claim
        ((0.70, 1), (0.80, 1), 1.0, 0.80),
        ((0.20, -1), (0.30, -1), 1.0, 1.0),
    ],
)
def test_the_p_value_of_a_claim_depends_on_the_rule(
    answered: tuple[float, int], ranking: tuple[float, int], no_harm: float, significant: float
) -> None:
    facets = Facet.of(*answered), Facet.of(*ranking)
    assert claim_p(*facets, rule=LinRule.NO_HARM)[0] == pytest.approx(no_harm)
    assert claim_p(*facets, rule=LinRule.SIGNIFICANT)[0] == pytest.approx(significant)


def test_harm_is_seen_at_the_uncorrected_level_however_small_the_level_of_the_gain() -> None:
    assert claim_p(Facet.of(1e-9, 1), Facet.of(0.04, -1))[0] == 1.0


def null_verdicts(n_boards: int, n_queries: int, seed: int) -> tuple[float, dict[str, float]]:
    """How often a verdict is given, and each facet test rejects, on pairs drawn from one and the same system."""
    from toprung.stats.pairs.pairwise import Pairs, pair_facets

    rng = np.random.default_rng(seed)
    difficulty = rng.random((n_queries, 1))
    found = np.where(
        rng.random((n_queries, 2 * n_boards)) < difficulty, rng.integers(1, 20, (n_queries, 2 * n_boards)), 0
    )
    pairs = Pairs(first=np.arange(0, 2 * n_boards, 2), second=np.arange(1, 2 * n_boards, 2))
    facets = pair_facets(found, pairs, method="asymptotic")
    answered = Facet.of(facets.outcomes.p, np.sign(facets.outcomes.only_b - facets.outcomes.only_a))
    ranking = Facet.of(facets.t.p, -np.sign(facets.t.mean))
    verdicts = decide(answered, ranking).verdicts
    rates = {"binomial": float(np.mean(answered.p <= 0.05)), "t": float(np.mean(ranking.p <= 0.05))}
    rates["wsr"] = float(np.mean(facets.signed_rank.p <= 0.05))
    return float(np.mean(np.isin(verdicts, ["A", "B"]))), rates


def test_on_null_boards_doing_no_harm_is_claimed_in_at_most_five_percent() -> None:
    rate, tests = null_verdicts(4000, 300, seed=0)
    print(f"no-harm verdicts on null pairs: {rate:.4f}; facet tests reject: {tests}")
    assert rate <= 0.05
    # The binomial test is exact and so conservative; the others hold their level within simulation error.
    assert tests["binomial"] <= 0.05
    assert tests["t"] == pytest.approx(0.05, abs=0.012)
    assert tests["wsr"] == pytest.approx(0.05, abs=0.012)


@pytest.mark.slow
def test_on_many_null_boards_doing_no_harm_is_claimed_in_at_most_five_percent() -> None:
    rates = [null_verdicts(4000, 1000, seed=seed)[0] for seed in range(1, 11)]
    print(f"no-harm verdicts on 40,000 null pairs: {np.mean(rates):.4f}")
    assert np.mean(rates) <= 0.05

"""Does each test reject at its level when nothing differs? Small here; ``-m slow`` prints larger figures."""

import numpy as np
import pytest
from tests.stats.samples import decide_in_turn

from toprung.stats.pairs.pairwise import pair_outcomes, pair_tests
from toprung.stats.pairs.results import Pairs, PairTests

ALPHA = 0.05


def draw_null(n_queries: int, n_pairs: int, *, seed: int) -> tuple[np.ndarray, Pairs]:
    """Ranks of runs that are alike and independent, and pairs of which none shares a run with another."""
    rng = np.random.default_rng(seed)
    ranks = np.exp(1.2 + 1.4 * rng.standard_normal((n_queries, 2 * n_pairs))).astype(np.int64) + 1
    ranks[(ranks > 100) | (rng.random(ranks.shape) < 0.15)] = 0
    return ranks, Pairs(first=np.arange(0, 2 * n_pairs, 2), second=np.arange(1, 2 * n_pairs, 2))


def rejection_rates(n_queries: int, n_pairs: int, *, seed: int) -> dict[str, float]:
    ranks, pairs = draw_null(n_queries, n_pairs, seed=seed)
    rr = np.divide(1.0, ranks, out=np.zeros(ranks.shape), where=ranks > 0)
    found: PairTests = pair_tests(rr, pairs)
    p_values = {
        "rank sum": found.rank_sum.p,
        "signed rank": found.signed_rank.p,
        "t": found.t.p,
        "sign": found.sign.p,
        "case 2": pair_outcomes(ranks, pairs).p,
    }
    return {name: float(np.mean(p <= ALPHA)) for name, p in p_values.items()}


def assert_near_level(rates: dict[str, float], n_pairs: int) -> None:
    slack = 4 * np.sqrt(ALPHA * (1 - ALPHA) / n_pairs)
    for name, rate in rates.items():
        assert rate <= ALPHA + slack, name
        # Exact tests on counts cannot use up their level; the rank sum loses a little to ties.
        lowest = 0.01 if name in {"sign", "case 2"} else ALPHA - slack - 0.005
        assert rate >= lowest, name


@pytest.mark.parametrize("n_queries", [30, 200])
def test_each_test_rejects_near_its_level(n_queries: int):
    assert_near_level(rejection_rates(n_queries, 1500, seed=n_queries), 1500)


@pytest.mark.slow
def test_each_test_rejects_at_its_level_in_a_large_simulation(capsys: pytest.CaptureFixture[str]):
    for n_queries in (30, 50, 200, 1000):
        rates = rejection_rates(n_queries, 20_000, seed=n_queries)
        with capsys.disabled():
            shown = ", ".join(f"{name} {rate:.4f}" for name, rate in rates.items())
            print(f"\nnull rejection rates at {ALPHA}, {n_queries} queries, 20,000 pairs: {shown}")
        assert_near_level(rates, 20_000)


@pytest.mark.slow
def test_online_fallback_holds_its_family_wise_error_in_a_large_simulation(capsys: pytest.CaptureFixture[str]):
    p_values = np.random.default_rng(9).random((40_000, 60))
    rate = np.mean([any(each.is_rejected for each in decide_in_turn(row)) for row in p_values])
    with capsys.disabled():
        print(f"\nfamily-wise error of online fallback, 40,000 boards of 60 null claims: {rate:.4f}")
    assert rate <= ALPHA

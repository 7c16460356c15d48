"""Whether two sets of queries put the runs in the same order."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import kendalltau

from toprung.stats.models.two_sets import TwoSets
from toprung.stats.ranks.correlation import kendall_tau
from toprung.stats.ranks.order_correlation import find_order_agreement


def scores(rng: np.random.Generator, n: int, truth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Queries of different difficulty, runs of different quality, and chance."""
    return np.asarray(rng.normal(0, 0.4, (n, 1)) + truth + rng.normal(0, 0.3, (n, len(truth))))


def apart(n_public: int, n_private: int) -> TwoSets:
    return TwoSets.of([f"p{row}" for row in range(n_public)], [f"s{row}" for row in range(n_private)])


def test_the_estimate_is_of_the_means_and_lies_in_its_interval() -> None:
    rng = np.random.default_rng(1)
    truth = np.linspace(0, 0.5, 8)
    public, private = scores(rng, 200, truth), scores(rng, 40, truth)
    found = find_order_agreement(public, private, apart(200, 40), resamples=400)
    assert found.tau.estimate == pytest.approx(kendalltau(public.mean(axis=0), private.mean(axis=0)).statistic)
    assert -1 <= found.tau.low <= found.tau.estimate <= found.tau.high <= 1
    assert found.tau.n_runs == 8


def test_resampling_does_not_pull_the_interval_below_the_estimate() -> None:
    """Plain percentiles would: most resamples agree less than the samples they were drawn from."""
    rng = np.random.default_rng(2)
    for _ in range(5):
        truth = rng.normal(0, 0.1, 40)
        tau = find_order_agreement(scores(rng, 500, truth), scores(rng, 45, truth), apart(500, 45), resamples=300).tau
        assert tau.low < tau.estimate - 0.02
        assert tau.high > tau.estimate + 0.02


def share_called_lower(spread: float, *, n_public: int, n_private: int, n_runs: int, boards: int) -> float:
    """How often boards where nothing but chance differs are said to agree less than by chance."""
    rng = np.random.default_rng(3)
    called = 0
    for _ in range(boards):
        truth = rng.normal(0, spread, n_runs)
        public, private = scores(rng, n_public, truth), scores(rng, n_private, truth)
        found = find_order_agreement(public, private, apart(n_public, n_private), resamples=200, rng=rng)
        called += found.is_lower_than_by_chance is True
    return called / boards


@pytest.mark.parametrize("spread", [0.0, 0.01, 0.02, 0.05])
def test_where_nothing_but_chance_differs_the_orders_are_rarely_called_lower(spread: float) -> None:
    """Nominal 0.025; against samples drawn from the public queries it was up to 0.5."""
    assert share_called_lower(spread, n_public=90, n_private=30, n_runs=8, boards=150) <= 0.063


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 0.01, 0.02, 0.05, 0.1])
@pytest.mark.parametrize(("n_public", "n_private", "n_runs"), [(300, 45, 10), (300, 300, 20)])
def test_how_often_honest_orders_are_called_lower(spread: float, n_public: int, n_private: int, n_runs: int) -> None:
    share = share_called_lower(spread, n_public=n_public, n_private=n_private, n_runs=n_runs, boards=300)
    print(f"spread {spread}, {n_public} and {n_private} queries, {n_runs} runs: called lower in {share:.3f}")
    assert share <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / 300)


@pytest.mark.parametrize(("n_public", "n_private"), [(100, 7), (7, 100), (1, 1)])
def test_too_few_queries_give_no_verdict(n_public: int, n_private: int) -> None:
    rng = np.random.default_rng(7)
    truth = np.linspace(0, 1, 10)
    public, private = scores(rng, n_public, truth), scores(rng, n_private, -truth)
    found = find_order_agreement(public, private, apart(n_public, n_private), resamples=50)
    assert found.is_lower_than_by_chance is None


def test_another_true_order_lies_below_the_range_by_chance() -> None:
    rng = np.random.default_rng(4)
    truth = np.linspace(0, 1, 10)
    found = find_order_agreement(scores(rng, 300, truth), scores(rng, 45, -truth), apart(300, 45), resamples=200)
    assert found.tau.estimate < -0.8
    assert found.is_lower_than_by_chance is True
    assert found.tau_ap.estimate < -0.8


def test_the_same_queries_with_the_same_scores_agree_entirely_by_chance_too() -> None:
    rng = np.random.default_rng(5)
    public = scores(rng, 60, np.linspace(0, 0.1, 6))
    names = [str(row) for row in range(60)]
    found = find_order_agreement(public, public, TwoSets.of(names, names), resamples=200)
    assert found.tau.estimate == 1
    assert (found.tau.low, found.tau.by_chance_low) == (1, 1)
    assert found.is_lower_than_by_chance is False


def test_labels_that_turn_the_order_round_on_the_same_queries_are_lower_than_by_chance() -> None:
    rng = np.random.default_rng(8)
    public = scores(rng, 60, np.linspace(0, 0.5, 6))
    names = [str(row) for row in range(60)]
    for private, is_lower in ((public[:, ::-1], True), (public + rng.normal(0, 0.1, public.shape), False)):
        found = find_order_agreement(public, private, TwoSets.of(names, names), resamples=200)
        assert found.is_lower_than_by_chance is is_lower


def test_runs_all_alike_have_no_order() -> None:
    found = find_order_agreement(np.ones((50, 3)), np.ones((40, 3)), apart(50, 40), resamples=20)
    tau = found.tau
    assert found.is_lower_than_by_chance is None
    assert np.isnan([tau.estimate, tau.low, tau.high, tau.by_chance]).all()


@pytest.mark.slow
@pytest.mark.parametrize(("spread", "rho"), [(0.05, 1.0), (0.05, 0.7), (0.2, 0.7), (0.05, 0.0)])
def test_how_often_the_interval_covers_the_mean_agreement_of_such_samples(spread: float, rho: float) -> None:
    rng = np.random.default_rng(6)
    covered, boards, sizes = 0, 300, (300, 45)
    for _ in range(boards):
        truth = rng.normal(0, spread, 10)
        other = rho * truth + np.sqrt(1 - rho**2) * rng.normal(0, spread, 10)
        samples = (t + rng.normal(0, 0.3 / np.sqrt(n), (200, 10)) for t, n in zip((truth, other), sizes, strict=True))
        expected = kendall_tau(*samples).mean()
        tau = find_order_agreement(scores(rng, 300, truth), scores(rng, 45, other), apart(*sizes), resamples=400).tau
        covered += tau.low <= expected <= tau.high
    print(f"spread {spread}, rho {rho}: the nominal 0.95 covers {covered / boards:.3f}")
    assert covered / boards >= 0.86

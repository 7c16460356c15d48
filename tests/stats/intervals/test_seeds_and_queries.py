"""Means over seeds, and two systems compared where seeds and queries are both samples."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_ind

from toprung.stats.inputs import Floats
from toprung.stats.intervals.seeds_and_queries import SystemDifference, SystemScores, compare_systems, seed_mean
from toprung.stats.tests.paired_t import paired_t_test

A = np.array([[0.1, 0.3], [0.5, 0.5], [0.3, 0.4]])
B = np.array([[0.6, 0.7], [0.6, 0.8], [0.9, 0.9]])


def compare(a: Floats, b: Floats) -> SystemDifference:
    return compare_systems(SystemScores.of(a), SystemScores.of(b))


class TestSeedMean:
    def test_the_interval_is_that_of_t_over_the_seeds(self) -> None:
        """Mean .32, sd .02; the t of 2 degrees of freedom for 95% is 4.302653."""
        found = seed_mean(np.array([0.30, 0.32, 0.34]))
        assert (found.estimate, found.sd, found.n_seeds) == (pytest.approx(0.32), pytest.approx(0.02), 3)
        reach = 4.302653 * 0.02 / math.sqrt(3)
        assert (found.low, found.high) == (pytest.approx(0.32 - reach), pytest.approx(0.32 + reach))

    def test_one_seed_has_no_interval(self) -> None:
        found = seed_mean(np.array([0.3]))
        assert found.estimate == 0.3
        assert all(math.isnan(value) for value in (found.sd, found.low, found.high))

    def test_seeds_that_agree_have_an_interval_without_width(self) -> None:
        found = seed_mean(np.array([0.1 + 0.2, 0.3]))
        assert found.sd == 0
        assert found.low == found.high == found.estimate


class TestCompareSystems:
    def test_the_variance_adds_what_queries_and_seeds_bring(self) -> None:
        """By hand: query means differ by .45, .2, .55, variance .0325 / 3; seed means have .005 / 2 twice."""
        variance = 0.0325 / 3 + 0.0025 + 0.0025
        df = variance**2 / ((0.0325 / 3) ** 2 / 2 + 0.0025**2 + 0.0025**2)
        found = compare(A, B)
        assert found.delta == pytest.approx(0.4)
        assert found.statistic == pytest.approx(0.4 / math.sqrt(variance))
        assert found.df == pytest.approx(df)
        assert found.seed_share == pytest.approx(0.005 / variance)
        # The t of 3.52195 degrees of freedom: .0401202 two-sided beyond 3.178878, and 2.931577 for 95%.
        assert found.p == pytest.approx(0.0401202, abs=1e-7)
        assert found.high - found.delta == pytest.approx(2.931577 * math.sqrt(variance), rel=1e-5)

    def test_swapping_systems_flips_the_sign(self) -> None:
        found, swapped = compare(A, B), compare(B, A)
        assert (swapped.delta, swapped.low, swapped.high) == pytest.approx((-found.delta, -found.high, -found.low))
        assert swapped.p == found.p

    def test_seeds_that_agree_leave_the_paired_t_test(self) -> None:
        a, b = A[:, :1].repeat(2, axis=1), B[:, :1].repeat(2, axis=1)
        found, paired = compare(a, b), paired_t_test(A[:, 0], B[:, 0])
        assert (found.p, found.df, found.seed_share) == (pytest.approx(paired.p), pytest.approx(2), 0)

    def test_queries_that_agree_leave_welchs_test_on_the_seeds(self) -> None:
        """Every query differs by the same amount."""
        a, b = [0.30, 0.32, 0.34], [0.40, 0.42, 0.47]
        found, welch = compare(np.tile(a, (4, 1)), np.tile(b, (4, 1))), ttest_ind(b, a, equal_var=False)
        assert (found.statistic, found.df) == (pytest.approx(welch.statistic), pytest.approx(welch.df))
        assert (found.p, found.seed_share) == (pytest.approx(welch.pvalue), 1)

    def test_without_any_spread_there_is_no_test(self) -> None:
        same = np.full((3, 2), 0.2)
        assert math.isnan(compare(same, same + 0.1).p)
        assert compare(same, same).p == 1

    def test_one_query_is_no_sample(self) -> None:
        assert math.isnan(compare(A[:1], B[:1]).p)


def rejection_rates(
    *, n_queries: int, n_seeds: int, queries: float, seeds: float, rest: float, trials: int
) -> tuple[float, float]:
    """How often two systems that are alike differ at .05: by our test, and by the paired t-test of their first seeds.

    ``queries``, ``seeds`` and ``rest`` are the standard deviations of what a system does on a query whatever the seed,
    of a seed on all queries, and of a seed on a query.
    """
    rng = np.random.default_rng([n_queries, n_seeds, round(1000 * seeds)])

    def system() -> Floats:
        own = rng.normal(0, queries, (n_queries, 1)) + rng.normal(0, seeds, (1, n_seeds))
        return own + rng.normal(0, rest, (n_queries, n_seeds))

    ours = paired = 0
    for _ in range(trials):
        a, b = system(), system()
        ours += compare(a, b).p <= 0.05
        paired += paired_t_test(a[:, 0], b[:, 0]).p <= 0.05
    return ours / trials, paired / trials


@pytest.mark.slow
@pytest.mark.parametrize("n_seeds", [2, 3, 5, 10])
@pytest.mark.parametrize(
    ("queries", "seeds", "rest"),
    [(0.2, 0.0, 0.1), (0.2, 0.02, 0.1), (0.2, 0.1, 0.1), (0.0, 0.0, 0.3), (0.0, 0.1, 0.1)],
)
def test_the_level_holds_whatever_varies(n_seeds: int, queries: float, seeds: float, rest: float) -> None:
    """Nominal .05; with 4,000 trials a share of .05 is found within .0432 and .0568 in 95% of simulations."""
    ours, paired = rejection_rates(
        n_queries=100, n_seeds=n_seeds, queries=queries, seeds=seeds, rest=rest, trials=4_000
    )
    print(f"{n_seeds} seeds; sd of queries {queries}, seeds {seeds}, rest {rest}: {ours:.4f}, paired t {paired:.4f}")
    assert ours <= 0.06


@pytest.mark.slow
def test_the_page_says_what_a_lucky_seed_does_to_a_test_of_single_runs() -> None:
    found = [
        rejection_rates(n_queries=100, n_seeds=5, queries=0.2, seeds=seeds, rest=0.1, trials=4_000)
        for seeds in (0.0, 0.02, 0.1)
    ]
    rows = [
        f"| {seeds} | {100 * paired:.1f}% | {100 * ours:.1f}% |"
        for seeds, (ours, paired) in zip(("0", "0.02", "0.1"), found, strict=True)
    ]
    print("\n".join(rows))
    page = (Path(__file__).parents[3] / "docs/howto/cost-and-seeds.md").read_text()
    assert "\n".join(rows) in page


@pytest.mark.slow
@pytest.mark.parametrize("n_seeds", [3, 5])
def test_the_interval_over_seeds_covers_the_systems_mean(n_seeds: int) -> None:
    """On given queries: seeds are drawn anew, the queries are not. Nominal .95."""
    rng = np.random.default_rng(n_seeds)
    trials = 10_000
    covered = 0
    for scores in rng.normal(0.3, 0.02, (trials, n_seeds)):
        found = seed_mean(scores)
        covered += found.low <= 0.3 <= found.high
    print(f"{n_seeds} seeds: covered {covered / trials:.4f}")
    assert 0.943 <= covered / trials <= 0.957

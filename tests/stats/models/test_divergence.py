"""Whether a run gains more in public than in private."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from toprung.errors import InputError
from toprung.stats.models.divergence import find_divergences, resamples_for
from toprung.stats.models.two_sets import TwoSets

Gains = NDArray[np.float64]
type MakeGains = Callable[[np.random.Generator, int, int], Gains]


def gains_in_rr(rng: np.random.Generator, n: int, columns: int, better: float = 0.25) -> Gains:
    """Gains in RR@10 of a run over another whose ranks it shares a good deal of."""
    depth = rng.normal(1.2, 1.2, (n, columns))
    reciprocal = []
    for shift in (-better, 0.0):
        ranks = np.ceil(np.exp(depth + shift + rng.normal(0, 0.7, (n, columns))))
        reciprocal.append(np.where(ranks > 10, 0, 1 / ranks))
    return np.asarray(reciprocal[0] - reciprocal[1])


def answers_now_first(rng: np.random.Generator, n: int, columns: int) -> Gains:
    """One query in ten is now answered at rank 1, wherever it was; the others do not change."""
    reciprocal = rng.choice([0.0, 0.1, 0.2, 1 / 3, 0.5, 1.0], p=[0.3, 0.15, 0.15, 0.1, 0.1, 0.2], size=(n, columns))
    return np.where(rng.random((n, columns)) < 0.1, 1 - reciprocal, 0.0)


def large_and_rare(rng: np.random.Generator, n: int, columns: int) -> Gains:
    """0.9 on 6% of the queries, and a little lost on all others: nothing in the mean."""
    return np.where(rng.random((n, columns)) < 0.06, 0.9, -0.9 * 0.06 / 0.94)


def lost_and_rare(rng: np.random.Generator, n: int, columns: int) -> Gains:
    return -large_and_rare(rng, n, columns)


def scaled(spread: float) -> MakeGains:
    """Gains in RR that are 0 in the mean."""
    mean = 0.0585  # of three million
    return lambda rng, n, columns: spread * (gains_in_rr(rng, n, columns) - mean)


def test_the_figures_by_hand() -> None:
    (found,) = find_divergences([[0.5], [0.1], [0.3]], [[0.0], [0.2]])
    assert (found.public_gain, found.private_gain) == pytest.approx((0.3, 0.1))
    assert found.estimate == pytest.approx(0.2)
    # variances of the means 0.04/3 and 0.02/2
    assert found.error == pytest.approx(math.sqrt(0.04 / 3 + 0.02 / 2))
    assert (found.n_public, found.n_private) == (3, 2)


def test_what_is_seen_goes_by_students_t_and_the_first_step_of_holm() -> None:
    rng = np.random.default_rng(16)
    public, private = rng.normal(0, 1, (50, 1)), rng.normal(0, 1, (12, 1))
    for n_tests in (1, 9):
        (found,) = find_divergences(public, private, n_tests=n_tests, resamples=10)
        quantiles = stats.t.isf(0.025 / n_tests, 11) + stats.t.ppf(0.8, 11)
        assert found.smallest_seen == pytest.approx(quantiles * found.error)


@pytest.mark.parametrize(("n_public", "n_private"), [(50, 7), (7, 50), (1, 30)])
def test_below_eight_queries_on_a_side_nothing_is_said_to_be_seen(n_public: int, n_private: int) -> None:
    rng = np.random.default_rng(17)
    (found,) = find_divergences(rng.normal(0, 1, (n_public, 1)), rng.normal(0, 1, (n_private, 1)), resamples=10)
    assert found.smallest_seen == math.inf


def test_p_is_the_share_of_deals_that_diverge_as_much_by_hand() -> None:
    # Of the six ways to deal 3, 2 | 1, 0 two and two, the one at hand alone gives the largest t.
    (found,) = find_divergences([[3.0], [2.0]], [[1.0], [0.0]], resamples=30_000)
    assert found.p == pytest.approx(1 / 6, abs=0.01)
    # Swapping the sides of each of three queries, all of which lose 0.1, 0.2, 0.3: one way of eight.
    names = ["a", "b", "c"]
    (paired,) = find_divergences(
        [[0.5], [0.9], [0.7]], [[0.4], [0.7], [0.4]], TwoSets.of(names, names), resamples=30_000
    )
    assert paired.p == pytest.approx(1 / 8, abs=0.01)


def test_with_many_queries_it_is_welchs_test() -> None:
    rng = np.random.default_rng(4)
    public, private = rng.normal(0.1, 0.5, (800, 4)), rng.normal([0.1, 0.08, 0.05, 0.0], 0.4, (500, 4))
    found = find_divergences(public, private, resamples=8_000)
    expected = stats.ttest_ind(public, private, equal_var=False, alternative="greater")
    assert [each.p for each in found] == pytest.approx(expected.pvalue, abs=0.012)
    interval = stats.ttest_ind(public, private, equal_var=False).confidence_interval(0.95)
    assert [each.low for each in found] == pytest.approx(interval.low, abs=0.005)
    assert [each.high for each in found] == pytest.approx(interval.high, abs=0.005)


def test_the_same_queries_under_other_labels_are_a_paired_test() -> None:
    rng = np.random.default_rng(5)
    public = rng.normal(0.1, 0.5, (300, 1))
    private = public + rng.normal(-0.02, 0.1, (300, 1))
    names = [str(row) for row in range(300)]
    (apart,) = find_divergences(public, private, resamples=4_000)
    (together,) = find_divergences(public, private, TwoSets.of(names, names), resamples=4_000)
    paired = stats.ttest_rel(public[:, 0], private[:, 0], alternative="greater")
    assert together.error == pytest.approx((public - private).std(ddof=1) / math.sqrt(300))
    assert together.p == pytest.approx(paired.pvalue, abs=0.005)
    assert apart.p > 0.2  # the queries' own spread hides it


def test_what_rounding_leaves_between_the_same_gains_is_no_spread() -> None:
    rng = np.random.default_rng(15)
    public = 1 / rng.integers(1, 100, (24, 50)) - 1 / rng.integers(1, 100, (24, 50))
    names = [str(row) for row in range(24)]
    found = find_divergences(public, public, TwoSets.of(names, names), resamples=99)
    assert {(each.estimate, each.error, each.p, each.smallest_seen) for each in found} == {(0.0, 0.0, 1.0, 0.0)}


def test_gains_in_public_only_are_above_the_reference_there_and_not_in_private() -> None:
    public, private = [[0.1, 0.1, 0.0, -0.1], [0.1, 0.1, 0.0, -0.1]], [[0.0, 0.1, -0.1, -0.2], [0.0, 0.1, -0.1, -0.2]]
    found = find_divergences(public, private, resamples=10)
    assert [each.gains_in_public_only for each in found] == [True, False, False, False]


@pytest.mark.parametrize("n_tests", [1, 20, 500])
def test_the_least_p_value_can_be_seen_after_the_correction(n_tests: int) -> None:
    assert n_tests / (resamples_for(n_tests) + 1) < 0.005


def test_some_shared_queries_give_an_error_between() -> None:
    rng = np.random.default_rng(6)
    public = rng.normal(0, 1, (60, 1))
    names = [str(row) for row in range(60)]
    others = [f"x{row}" for row in range(30)]
    errors = [
        find_divergences(public, public[30:], TwoSets.of(names, private), resamples=10)[0].error
        for private in (others, [*others[:15], *names[45:]], names[30:])
    ]
    assert errors[0] > errors[1] > errors[2] > 0


def test_an_obvious_divergence_has_the_least_p_there_is() -> None:
    rng = np.random.default_rng(7)
    (found,) = find_divergences(rng.normal(1, 0.1, (100, 1)), rng.normal(0, 0.1, (40, 1)), resamples=999)
    assert found.p == pytest.approx(1 / 1000)
    assert 0 < found.low < 1 < found.high


def test_a_larger_private_gain_is_no_divergence() -> None:
    rng = np.random.default_rng(8)
    (found,) = find_divergences(rng.normal(0, 0.1, (100, 1)), rng.normal(1, 0.1, (40, 1)))
    assert found.p > 0.99
    assert found.high < 0


def test_the_interval_excludes_zero_where_the_test_at_its_level_does() -> None:
    rng = np.random.default_rng(9)
    found = find_divergences(rng.normal(0.2, 0.5, (200, 200)), rng.normal(0, 0.5, (60, 200)), resamples=1_999)
    assert {each.p <= 0.025 for each in found} == {True, False}
    for each in found:
        assert (each.low > 0) == (each.p <= 0.025) or abs(each.p - 0.025) < 0.001


def test_gains_that_do_not_vary_diverge_or_do_not() -> None:
    found = find_divergences(np.tile([0.5, 0.1, 0.1], (10, 1)), np.tile([0.1, 0.1, 0.5], (10, 1)), resamples=99)
    assert [each.p for each in found] == [1 / 100, 1.0, 1.0]
    assert (found[0].low, found[0].estimate, found[0].high) == (0.4, 0.4, 0.4)


def test_too_few_queries_show_nothing() -> None:
    (found,) = find_divergences([[0.5], [0.1]], [[0.0]])
    assert (found.p, found.smallest_seen) == (1.0, math.inf)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_queries_without_a_value_do_not_count() -> None:
    rng = np.random.default_rng(10)
    public, private = rng.normal(0, 1, (50, 1)), rng.normal(0, 1, (30, 1))
    with_gaps = np.vstack([public, [[np.nan]] * 20]), np.vstack([[[np.nan]] * 9, private])
    (plain,), (found,) = find_divergences(public, private), find_divergences(*with_gaps)
    assert (found.estimate, found.error) == pytest.approx((plain.estimate, plain.error))
    assert (found.n_public, found.n_private) == (50, 30)
    assert found.p == pytest.approx(plain.p, abs=0.03)


@pytest.mark.parametrize("make", [gains_in_rr, answers_now_first, large_and_rare, lost_and_rare])
@pytest.mark.parametrize(("n_public", "n_private"), [(200, 45), (100, 15)])
def test_the_level_is_held_where_nothing_diverges(make: MakeGains, n_public: int, n_private: int) -> None:
    """Also where few queries gain much: on those in private a bootstrap is wrong in up to 0.4 of the cases."""
    rng = np.random.default_rng(11)
    rate = rejection_rate(rng, make, make, n_public=n_public, n_private=n_private, columns=600)
    assert rate <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / 600)


def test_the_level_is_held_where_only_the_mean_gain_is_the_same() -> None:
    rng = np.random.default_rng(18)
    for spread in (0.5, 2.0):
        rate = rejection_rate(rng, scaled(spread), scaled(1.0), n_public=200, n_private=45, columns=600)
        assert rate <= 0.03 + 3 * math.sqrt(0.03 * 0.97 / 600)


@pytest.mark.slow
@pytest.mark.parametrize("n_private", [15, 45, 100, 200])
@pytest.mark.parametrize(
    ("name", "of_public", "of_private", "most"),
    [
        ("gains in RR", gains_in_rr, gains_in_rr, 0.025),
        ("one in ten now first", answers_now_first, answers_now_first, 0.025),
        ("large and rare", large_and_rare, large_and_rare, 0.025),
        ("lost and rare", lost_and_rare, lost_and_rare, 0.025),
        ("RR, half the spread in public", scaled(0.5), scaled(1), 0.03),
        ("RR, twice the spread in public", scaled(2), scaled(1), 0.03),
        ("large and rare in private alone", scaled(1), large_and_rare, 1.0),  # what the docstring admits
    ],
)
def test_the_level_in_full(name: str, of_public: MakeGains, of_private: MakeGains, most: float, n_private: int) -> None:
    rng = np.random.default_rng(12)
    n = 2_000
    rate = rejection_rate(rng, of_public, of_private, n_public=1_000, n_private=n_private, columns=n)
    print(f"{name}, 1,000 public and {n_private} private queries: false divergences {rate:.4f} at 0.025")
    assert rate <= most + 3 * math.sqrt(0.025 * 0.975 / n)


def rejection_rate(
    rng: np.random.Generator,
    of_public: MakeGains,
    of_private: MakeGains,
    *,
    n_public: int,
    n_private: int,
    columns: int,
) -> float:
    """How often the test at 0.025 finds a divergence; each deal serves 100 columns."""
    found = [
        each.p <= 0.025
        for _ in range(columns // 100)
        for each in find_divergences(
            of_public(rng, n_public, 100), of_private(rng, n_private, 100), resamples=399, rng=rng
        )
    ]
    return float(np.mean(found))


@pytest.mark.parametrize(("n_private", "within"), [(8, 0.09), (15, 0.07), (45, 0.06)])
def test_the_stated_power_is_had(n_private: int, within: float) -> None:
    rng = np.random.default_rng(13)
    columns = 400
    quantiles = stats.t.isf(0.025, n_private - 1) + stats.t.ppf(0.8, n_private - 1)
    divergence = quantiles * 0.58 * math.sqrt(1 / 500 + 1 / n_private)
    private = rng.normal(0, 0.58, (n_private, columns))
    public = rng.normal(divergence, 0.58, (500, columns))
    found = find_divergences(public, private, resamples=999)
    assert np.mean([each.p <= 0.025 for each in found]) == pytest.approx(0.8, abs=within)
    assert np.median([each.smallest_seen for each in found]) == pytest.approx(divergence, rel=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("true", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("n_private", [15, 45, 200])
def test_how_often_the_interval_covers(true: float, n_private: int) -> None:
    for make, least in ((gains_in_rr, 0.93), (answers_now_first, 0.92 if n_private >= 45 else 0.6)):
        rng = np.random.default_rng(19)
        found = [
            each.low <= true <= each.high
            for _ in range(20)
            for each in find_divergences(
                make(rng, 1_000, 100) + true, make(rng, n_private, 100), resamples=999, rng=rng
            )
        ]
        print(f"{make.__name__}, true {true}, {n_private} private: 0.95 covers {np.mean(found):.3f}")
        assert np.mean(found) >= least


@settings(max_examples=30)
@given(
    public=st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.1, 1.0]), min_size=2, max_size=12),
    private=st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.1, 1.0]), min_size=2, max_size=12),
)
def test_p_is_never_0_and_the_estimate_lies_in_the_interval(public: list[float], private: list[float]) -> None:
    (found,) = find_divergences(np.array(public)[:, None], np.array(private)[:, None], resamples=50)
    assert 0 < found.p <= 1
    assert found.low <= found.estimate <= found.high


def test_the_same_seed_gives_the_same_figures_in_any_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(14)
    public, private = rng.normal(0, 1, (30, 2)), rng.normal(0, 1, (20, 2))
    assert find_divergences(public, private, rng=3) == find_divergences(public, private, rng=3)
    assert find_divergences(public, private, rng=3) != find_divergences(public, private, rng=4)


@pytest.mark.parametrize(
    ("public", "private", "options", "message"),
    [
        ([[1.0, 2.0]], [[1.0]], {}, "found 2 comparisons in public and 1 in private"),
        ([1.0], [[1.0]], {}, "public: found an array of 1 dimensions"),
        ([[1.0]], [[1.0]], {"sets": TwoSets.of(["a", "b"], ["c"])}, "sets: found other numbers of queries"),
        ([[1.0]], [[1.0]], {"confidence": 1.0}, "confidence: found 1"),
    ],
)
def test_what_cannot_be_tested_is_refused(
    public: list[object], private: list[object], options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        find_divergences(public, private, **options)  # type: ignore[arg-type]

"""Whether a run gains more in public than in private."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from toprung.errors import InputError
from toprung.stats.divergence import find_divergences, smallest_divergence_seen
from toprung.stats.two_sets import TwoSets

Gains = NDArray[np.float64]


def gains_in_rr(rng: np.random.Generator, n: int, columns: int, better: float = 0.25) -> Gains:
    """Gains in RR@10 of a run over another whose ranks it shares a good deal of."""
    depth = rng.normal(1.2, 1.2, (n, columns))
    reciprocal = []
    for shift in (-better, 0.0):
        ranks = np.ceil(np.exp(depth + shift + rng.normal(0, 0.7, (n, columns))))
        reciprocal.append(np.where(ranks > 10, 0, 1 / ranks))
    return np.asarray(reciprocal[0] - reciprocal[1])


def test_the_power_of_the_statistics_page() -> None:
    # (1.959964 + 0.841621) · 0.58 / √45, with public queries without end
    many = smallest_divergence_seen(sd_public=0.58, n_public=10**9, sd_private=0.58, n_private=45)
    assert many == pytest.approx(0.2422, abs=5e-5)
    assert smallest_divergence_seen(sd_public=0.3, n_public=9, sd_private=0.4, n_private=16) == pytest.approx(
        (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * math.sqrt(0.01 + 0.01)
    )
    assert smallest_divergence_seen(sd_public=1, n_public=9, sd_private=1, n_private=0) == math.inf


def test_the_figures_by_hand() -> None:
    (found,) = find_divergences([[0.5], [0.1], [0.3]], [[0.0], [0.2]])
    assert (found.public_gain, found.private_gain) == pytest.approx((0.3, 0.1))
    assert found.estimate == pytest.approx(0.2)
    # variances of the means 0.04/3 and 0.02/2
    assert found.error == pytest.approx(math.sqrt(0.04 / 3 + 0.02 / 2))
    assert found.smallest_seen == pytest.approx(2.801585 * found.error, abs=1e-6)
    assert (found.n_public, found.n_private) == (3, 2)


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
    assert found.p == pytest.approx(0.5 / 1000)
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
    assert [each.p for each in found] == [0.5 / 100, 1.0, 1.0]
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


def test_the_level_is_held_where_nothing_diverges() -> None:
    rng = np.random.default_rng(11)
    rate = rejection_rate(rng, n_public=400, n_private=45, boards=6, columns=250)
    assert rate <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / 1500)


@pytest.mark.slow
@pytest.mark.parametrize(("n_public", "n_private"), [(2000, 45), (300, 45), (45, 45), (300, 15), (1000, 400)])
def test_the_level_in_full(n_public: int, n_private: int) -> None:
    rng = np.random.default_rng(12)
    rate = rejection_rate(rng, n_public=n_public, n_private=n_private, boards=40, columns=250)
    print(f"{n_public} public, {n_private} private queries: false divergences {rate:.4f} at 0.025")
    assert rate <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / 10_000)


def rejection_rate(rng: np.random.Generator, *, n_public: int, n_private: int, boards: int, columns: int) -> float:
    found = [
        each.p <= 0.025
        for _ in range(boards)
        for each in find_divergences(
            gains_in_rr(rng, n_public, columns), gains_in_rr(rng, n_private, columns), resamples=999, rng=rng
        )
    ]
    return float(np.mean(found))


def test_the_stated_power_is_had() -> None:
    rng = np.random.default_rng(13)
    columns = 400
    private = rng.normal(0, 0.58, (45, columns))
    public = rng.normal(0.2447, 0.58, (3_000, columns))  # (1.96 + 0.84) · 0.58 · √(1/3000 + 1/45)
    found = find_divergences(public, private, resamples=999)
    assert np.mean([each.p <= 0.025 for each in found]) == pytest.approx(0.8, abs=0.06)
    assert np.median([each.smallest_seen for each in found]) == pytest.approx(0.2447, abs=0.01)


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


def test_a_negative_spread_is_refused() -> None:
    with pytest.raises(InputError, match="found standard deviations -1 and 1"):
        smallest_divergence_seen(sd_public=-1, n_public=2, sd_private=1, n_private=2)

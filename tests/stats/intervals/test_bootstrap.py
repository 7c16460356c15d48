from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from toprung.errors import InputError
from toprung.stats.intervals.bootstrap import _quantile, column_means, draw_weights, mean_intervals, weighted_means


def sample(seed: int, n: int = 300) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.random.default_rng(seed).normal(0.3, 1.0, n)


def test_the_interval_agrees_with_scipys_bca() -> None:
    values = sample(1, n=60) ** 3  # skewed on purpose
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, method="BCa", n_resamples=20_000, rng=np.random.default_rng(0)
    ).confidence_interval
    (found,) = mean_intervals(values[:, None], resamples=20_000)
    assert found.estimate == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=0.05)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    values = sample(7)[:, None]
    assert mean_intervals(values, rng=3) == mean_intervals(values, rng=3)
    assert mean_intervals(values, rng=3) != mean_intervals(values, rng=4)


def test_a_seed_and_its_generator_draw_the_same_whatever_was_drawn_before() -> None:
    values = np.random.default_rng(5).normal(size=(30, 2))
    for rows in (30, 20, 30):
        by_seed = mean_intervals(values[:rows], resamples=50, rng=3)
        assert by_seed == mean_intervals(values[:rows], resamples=50, rng=np.random.default_rng(3))


def test_whole_numbers_have_the_same_bytes_in_single_precision() -> None:
    rng = np.random.default_rng(8)
    ranks = rng.integers(-100, 100, size=(300, 4)).astype(np.float64)
    with_gaps = np.where(rng.random((300, 2)) < 0.3, np.nan, rng.integers(0, 9, size=(300, 2)))
    too_large = 2.0**24 + 2 * rng.integers(-5, 5, size=(300, 1)) + 1
    one_fraction = np.where(np.arange(300)[:, None] == 7, 0.5, ranks[:, :1])
    values = np.hstack([ranks, with_gaps, too_large, one_fraction])
    assert mean_intervals(values, rng=3) == mean_intervals(values, rng=np.random.default_rng(3))


def test_a_confidence_that_is_no_share_is_refused() -> None:
    with pytest.raises(InputError, match="confidence: found 95; expected a number between 0 and 1"):
        mean_intervals([[1.0], [2.0]], confidence=95)


def test_queries_marked_nan_do_not_count() -> None:
    values = sample(2)
    padded = np.concatenate([values, np.full(100, np.nan)])
    (found,) = mean_intervals(padded[:, None])
    assert found.n == 300
    assert found.estimate == pytest.approx(values.mean())
    # About 1.96 standard errors to each side.
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / np.sqrt(300), rel=0.1)


def test_the_negative_of_a_column_has_the_mirrored_interval() -> None:
    values = sample(3) ** 3
    plus, minus = mean_intervals(np.column_stack([values, -values]))
    assert (plus.low, plus.high) == pytest.approx((-minus.high, -minus.low), abs=1e-12)


def test_a_column_has_the_same_interval_whatever_stands_beside_it() -> None:
    values, other = sample(4), sample(5)
    alone, beside = mean_intervals(values[:, None])[0], mean_intervals(np.column_stack([other, values]))[1]
    assert (alone.low, alone.high) == pytest.approx((beside.low, beside.high), abs=1e-12)


@pytest.mark.parametrize("size", [1e-300, 1e7])
def test_the_interval_scales_with_its_values(size: float) -> None:
    values = sample(6)
    usual, scaled = mean_intervals(values[:, None])[0], mean_intervals(size * values[:, None])[0]
    assert (scaled.low, scaled.high) == pytest.approx((size * usual.low, size * usual.high), rel=1e-9, abs=0)


def test_a_constant_column_has_a_point_and_an_empty_one_nothing() -> None:
    constant, empty = mean_intervals(np.column_stack([np.full(5, 0.25), np.full(5, np.nan)]))
    assert (constant.low, constant.estimate, constant.high) == (0.25, 0.25, 0.25)
    assert empty.n == 0
    assert np.isnan(empty.estimate)


def test_means_of_columns_are_exact_and_leave_out_what_does_not_count() -> None:
    values = np.array([[1e16, 0.5, np.nan], [1.0, np.nan, np.nan], [-1e16, 1.0, np.nan]])
    assert column_means(values) == pytest.approx([1 / 3, 0.75, np.nan], nan_ok=True)


def test_means_leave_out_what_is_missing() -> None:
    values = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, 5.0]])
    found = weighted_means(np.array([[1.0, 1.0, 1.0], [0.0, 3.0, 0.0]]), values)
    assert found[:, 0].tolist() == [2.0, 3.0]
    assert found[0, 1] == 5.0
    assert np.isnan(found[1, 1])


def test_means_without_gaps_are_by_the_weights_of_each_resample() -> None:
    found = weighted_means(np.array([[1.0, 1.0], [0.0, 2.0], [3.0, 1.0], [0.0, 0.0]]), np.array([[1.0], [3.0]]))
    assert found[:3, 0].tolist() == [2.0, 3.0, 1.5]
    assert np.isnan(found[3, 0])


def test_every_resample_draws_as_many_queries_as_there_are() -> None:
    weights = draw_weights(7, 50, np.random.default_rng(0))
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()


def test_ninety_five_percent_intervals_cover_the_truth_about_that_often() -> None:
    rng = np.random.default_rng(6)
    columns = rng.exponential(1.0, (60, 400))  # skewed on purpose
    covered = np.mean([each.low <= 1.0 <= each.high for each in mean_intervals(columns, resamples=1000)])
    print(f"covered {covered:.3f}")
    assert 0.90 <= covered <= 0.98


def test_a_mean_has_one_interval_whatever_stands_beside_it() -> None:
    """Tenths are rounded and whole numbers are not: resamples with the mean of the sample are ties in both."""
    whole = np.array([-5.0] * 20 + [0.0] * 10 + [3.0] * 10)
    (exact,) = mean_intervals(whole[:, None], rng=0)
    alone, (*_, beside) = (
        mean_intervals(whole[:, None] / 10, rng=0),
        mean_intervals(np.tile(whole / 10, (8, 1)).T, rng=0),
    )
    for found in (*alone, beside):
        assert (10 * found.low, 10 * found.high) == pytest.approx((exact.low, exact.high), abs=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 200])
def test_quantiles_are_those_of_numpy(n: int) -> None:
    ordered = np.sort(np.random.default_rng(n).normal(size=n))
    for share in (0.0, 0.025, 1 / 3, 0.5, 0.975, 1.0):
        assert _quantile(ordered, share) == np.quantile(ordered, share)

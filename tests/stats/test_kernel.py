"""Does the compiled kernel give what NumPy gives? On arrays made to break it: ties, constants, huge, tiny numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies
from numpy.typing import NDArray
from tests.stats.kernels import matrices, needs_kernel, without_kernel
from tests.stats.samples import Floats, make_ranks, reciprocal

from toprung.stats.intervals.bootstrap import fill_weights
from toprung.stats.kernel.compiled import kernel
from toprung.stats.pairs.observed import JudgedPairs, ObservedPairs, observe_pairs
from toprung.stats.pairs.resamples import fill_gaps
from toprung.stats.pairs.scaled import ScaledPairs, resample_means
from toprung.stats.pairs.studentised import studentise
from toprung.stats.pairs.triangle import count_pairs, run_after_run
from toprung.stats.ranks.intervals import rank_intervals

pytestmark = needs_kernel


def observe(values: Floats) -> ObservedPairs:
    return observe_pairs(*fill_gaps(values))


@given(values=matrices())
def test_observed_pairs_are_those_of_numpy(values: Floats) -> None:
    found, plain = observe(values), without_kernel(lambda: observe(values))
    np.testing.assert_array_equal(found.mean, plain.mean)
    np.testing.assert_array_equal(found.differing, plain.differing)
    # What rounding leaves of a spread depends on the order of summation, and is 0 where it is next to nothing.
    size = np.abs(values).max(initial=0)
    np.testing.assert_allclose(found.variance, plain.variance, rtol=1e-9, atol=1e-13 * size**2)


def test_observed_variance_is_that_of_the_differences() -> None:
    values = np.random.default_rng(0).normal(size=(37, 5))
    values[:, 3] = values[:, 1] + 1e-6 * values[:, 2]  # nearly alike
    found, pairs = observe(values), run_after_run(5)
    np.testing.assert_allclose(found.variance, (values[:, pairs.first] - values[:, pairs.second]).var(axis=0))
    assert observe(np.zeros((300, 2))).differing.tolist() == [0]
    assert observe(np.arange(600.0).reshape(300, 2)).differing.tolist() == [255]  # as many or more


@given(values=matrices(levels=(0.0, 0.5, 1.0, 1 / 3)), start=st.integers(0, 6))
def test_one_run_more_adds_what_it_would_have_among_all(values: Floats, start: int) -> None:
    runs, counted = fill_gaps(values)
    start = min(start, len(runs))
    whole = observe_pairs(runs, counted)
    grown = observe_pairs(runs[:start], counted[:start])
    for n_runs in range(start + 1, len(runs) + 1):
        grown = grown.followed_by(observe_pairs(runs[:n_runs], counted[:n_runs], start=len(grown.mean)))
    for name in ("mean", "variance", "differing", "counted"):
        np.testing.assert_array_equal(getattr(grown, name), getattr(whole, name))
    means = resample_means(runs, 9, np.random.default_rng(3))
    for run in range(len(runs)):
        np.testing.assert_array_equal(resample_means(runs[run : run + 1], 9, np.random.default_rng(3))[0], means[run])


@given(values=matrices(levels=(0.0, 0.5, 1.0, 1 / 3)))
def test_some_runs_have_what_they_would_have_alone(values: Floats) -> None:
    chosen = np.arange(0, values.shape[1], 2)
    found, expected = observe(values).select(chosen), observe(values[:, chosen])
    for name in ("mean", "variance", "differing", "counted"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@given(values=matrices(levels=(0.0, 0.5, 1.0, 1 / 3, -0.0)))
def test_resampled_means_are_those_of_numpy(values: Floats) -> None:
    runs = fill_gaps(values)[0]
    found = resample_means(runs, 11, np.random.default_rng(1))
    plain = without_kernel(lambda: resample_means(runs, 11, np.random.default_rng(1)))
    np.testing.assert_allclose(found, plain, rtol=1e-12, atol=1e-15 * np.abs(values).max(initial=1))


def scaled(values: Floats, *, resamples: int = 40, least_differing: int = 1) -> ScaledPairs:
    runs, counted = fill_gaps(values)
    judged = observe_pairs(runs, counted).judged(least_differing)
    return ScaledPairs(
        judged=judged, resamples=resamples, means=resample_means(runs, resamples, np.random.default_rng(2))
    )


def marks_of(judged: JudgedPairs, seed: int) -> NDArray[np.uint8]:
    drawn = np.random.default_rng(seed).integers(0, 4, len(judged.is_judged)).astype(np.uint8)
    return drawn & judged.open_tests()


@settings(max_examples=200)
@given(values=matrices(most_runs=9), seed=st.integers(0, 20), place=st.integers(1, 40))
def test_the_largest_t_of_any_tests_is_exactly_that_of_numpy(values: Floats, seed: int, place: int) -> None:
    pairs = scaled(values)
    with np.errstate(all="ignore"):
        tests = marks_of(pairs.judged, seed)
        expected = without_kernel(lambda: pairs.largest_at(tests, place))
        assert pairs.largest_at(tests, place) == expected
        fewer = tests & marks_of(pairs.judged, seed + 1)  # what is known of more tests is kept
        assert pairs.largest_at(fewer, place) == without_kernel(lambda: pairs.largest_at(fewer, place))
        assert pairs.largest_at(tests, place) == expected  # and left, where it is not known of these


def board(n_queries: int, n_runs: int) -> Floats:
    """Runs of three families, near-copies among them: pairs of very unlike standard errors."""
    values = reciprocal(make_ranks(n_queries, n_runs, seed=4)) + np.linspace(0, 0.1, n_runs)
    values[:, 1::3] = values[:, 0:1] + 0.01 * values[:, 1::3]
    return values


@pytest.mark.parametrize("n_runs", [63, 64, 65, 150])
def test_bounds_rule_out_no_pair_that_matters(n_runs: int) -> None:
    pairs = scaled(board(80, n_runs), resamples=120)
    tests = pairs.judged.open_tests()
    for place in (1, 60, 115, 120):
        assert pairs.largest_at(tests, place) == without_kernel(partial(pairs.largest_at, tests, place))
    for seed in range(3):
        tests &= marks_of(pairs.judged, seed)
        assert pairs.largest_at(tests, 115) == without_kernel(partial(pairs.largest_at, tests, 115))


@pytest.mark.parametrize("most_work", [0, 1e12])
def test_intervals_are_those_of_numpy(most_work: float) -> None:
    values = board(120, 70)
    found = rank_intervals(values, resamples=200, most_work=most_work)
    plain = without_kernel(lambda: rank_intervals(values, resamples=200, most_work=most_work))
    assert found.is_better.any()
    np.testing.assert_array_equal(found.is_better, plain.is_better)
    assert found.n_judged == plain.n_judged


@given(values=matrices(most_runs=5, has_gaps=True))
def test_intervals_of_any_matrix_are_those_of_numpy_or_closer_than_rounding(values: Floats) -> None:
    with np.errstate(all="ignore"):
        found = rank_intervals(values.round(3), resamples=60, most_work=0)
        plain = without_kernel(lambda: rank_intervals(values.round(3), resamples=60, most_work=0))
    np.testing.assert_array_equal(found.low, plain.low)
    np.testing.assert_array_equal(found.high, plain.high)


@given(values=matrices(levels=(0.0, -0.0, 0.5, 1.0, 1 / 3, 0.3), sizes=(1.0, 100.0)).map(lambda each: each.round(2)))
def test_bootstrap_t_is_that_of_numpy(values: Floats) -> None:
    runs, counted = fill_gaps(values)
    judged = observe_pairs(runs, counted).judged(1)

    def resampled() -> tuple[Floats, Floats]:
        found = studentise(runs, judged, 20, np.random.default_rng(2))
        return found.block(np.arange(len(found.pairs))).astype(np.float64), found.largest(marks_of(judged, 3))

    with np.errstate(all="ignore"):
        (kept, largest), (plain_kept, plain_largest) = resampled(), without_kernel(resampled)
    # Where rounding is all that is left of a variance, it is only known that t is huge.
    np.testing.assert_allclose(kept.clip(-1e4, 1e4), plain_kept.clip(-1e4, 1e4), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(largest.clip(max=1e4), plain_largest.clip(max=1e4), rtol=1e-5, atol=1e-6)


@given(
    values=numpy_strategies.arrays(np.float64, st.integers(0, 30), elements=st.floats(0, allow_infinity=False)),
    seed=st.integers(0, 9),
)
def test_the_median_is_that_of_numpy(values: Floats, seed: int) -> None:
    chosen = np.random.default_rng(seed).random(len(values)) < 0.7
    values = np.abs(values)
    found = kernel.median_of(values, chosen)
    with np.errstate(over="ignore"):
        expected = np.median(values[chosen]) if chosen.any() else np.nan
    np.testing.assert_equal(found, expected)


@given(seed=st.integers(0, 2**32), n_runs=st.sampled_from([2, 3, 17, 300]), at_a_test=st.booleans())
def test_a_critical_value_decides_the_same_tests(seed: int, n_runs: int, at_a_test: bool) -> None:
    """Also where it is the t of some pair, where pairs have no spread, and where no mean differs."""
    rng = np.random.default_rng(seed)
    n_pairs = count_pairs(n_runs)
    judged = JudgedPairs(
        observed=ObservedPairs(
            n=50,
            mean=rng.choice([0.0, 0.1, 0.1 + 1e-13, 0.25, rng.random()], n_runs),
            counted=np.full(n_runs, 50),
            variance=rng.choice([0.0, 1e-30, 0.01, rng.random()], n_pairs),
            differing=np.full(n_pairs, 50, dtype=np.uint8),
        ),
        is_judged=rng.random(n_pairs) < 0.9,
    )
    critical = float(abs(rng.choice(judged.t))) if at_a_test else float(rng.choice([0.0, 1.0, 3.5, np.inf]))
    tests = judged.open_tests() & rng.choice(np.array([0, 1, 2, 3], dtype=np.uint8), n_pairs)

    def decide() -> tuple[int, list[int]]:
        left = tests.copy()
        return judged.decide(left, critical), left.tolist()

    assert decide() == without_kernel(decide)


def test_what_has_no_order_of_bits_is_left_to_numpy() -> None:
    everything = np.ones(2, dtype=bool)
    for value in (-1.0, -0.0, np.nan):
        assert np.isnan(kernel.median_of(np.array([1.0, value]), everything))


@given(shape=st.tuples(st.integers(1, 40), st.integers(1, 60)), single=st.booleans())
def test_draws_are_counted_as_by_numpy(shape: tuple[int, int], single: bool) -> None:
    def drawn() -> NDArray[np.floating]:
        weights = np.empty(shape, dtype=np.float32 if single else np.float64)
        fill_weights(weights, np.random.default_rng(5))
        return weights

    found = drawn()
    np.testing.assert_array_equal(found, without_kernel(drawn))
    assert (found.sum(axis=1) == shape[1]).all()


def numbers(size: int) -> Floats:
    return np.zeros(size)


def singles(size: int) -> NDArray[np.float32]:
    return np.zeros(size, dtype=np.float32)


def marks(size: int) -> NDArray[np.uint8]:
    return np.zeros(size, dtype=np.uint8)


def rows(*given: int) -> NDArray[np.int32]:
    return np.array(given, dtype=np.int32)


def largest(*, resampled: int = 8, place: int = 1, where: int = 0) -> float:
    """Of two runs, one pair and four resamples."""
    tests = np.full(4, where, dtype=np.int64)
    return kernel.largest_scaled(
        numbers(2), numbers(resampled), numbers(1), 0.0, 4, marks(1), place, numbers(4), numbers(4), tests
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernel.observe_pairs(numbers(6), 2, 0, numbers(2), marks(3)),  # three pairs
        lambda: kernel.observe_pairs(numbers(6), 0, 0, numbers(3), marks(3)),
        lambda: kernel.observe_pairs(numbers(6), -2, 0, numbers(3), marks(3)),
        lambda: kernel.observe_pairs(numbers(6), 2, 4, numbers(3), marks(3)),
        lambda: kernel.observe_pairs(numbers(5), 2, 0, numbers(3), marks(3)),
        lambda: kernel.resample_means(numbers(6), numbers(5), 2, numbers(6)),
        lambda: kernel.resample_means(numbers(6), numbers(4), 2, numbers(5)),
        lambda: kernel.decide_pairs(numbers(3), numbers(2), 0.0, 4, marks(3), 1.0),
        lambda: kernel.decide_pairs(numbers(3), numbers(3), 0.0, 0, marks(3), 1.0),
        lambda: kernel.relate_runs(3, marks(3), marks(3), marks(8)),
        lambda: kernel.relate_runs(-3, marks(3), marks(3), marks(9)),
        lambda: kernel.median_of(numbers(3), marks(4)),
        lambda: kernel.count_draws(np.full(4, 2, dtype=np.int64), 2, numbers(4)),
        lambda: kernel.count_draws(np.full(4, -1, dtype=np.int64), 2, singles(4)),
        lambda: kernel.count_draws(np.zeros(4, dtype=np.int64), 2, singles(3)),
        lambda: kernel.count_draws(np.zeros(4, dtype=np.int64), 0, singles(4)),
        lambda: kernel.choose_rows(rows(0, 0), 2, 1),  # two of one
        lambda: kernel.choose_rows(rows(0, 0), 0, 4),
        lambda: kernel.choose_rows(rows(0, 0, 0), 2, 4),
        lambda: kernel.choose_rows(rows(0, 3), 2, 4),  # three are left for the second
        lambda: kernel.choose_rows(rows(0, -1), 2, 4),
        lambda: kernel.choose_rows(rows(0, 0), 2, 1 << 40),
        lambda: kernel.sum_rows(rows(0, 3), 2, numbers(6), 3, numbers(2)),
        lambda: kernel.sum_rows(rows(0, -1), 2, numbers(6), 3, numbers(2)),
        lambda: kernel.sum_rows(rows(0, 1), 2, numbers(6), 3, numbers(3)),
        lambda: kernel.sum_rows(rows(0, 1), 2, numbers(5), 3, numbers(2)),
        lambda: kernel.sum_rows(rows(0, 1), 0, numbers(6), 3, numbers(2)),
        lambda: kernel.sum_rows(rows(0, 1), 2, numbers(6), 0, numbers(2)),
        lambda: kernel.column_medians(singles(5), marks(2), singles(2)),
        lambda: kernel.largest_studentised(numbers(3), numbers(6), singles(2), 4, singles(5), marks(3), singles(2)),
        lambda: kernel.largest_studentised(numbers(3), numbers(6), singles(2), 0, singles(6), marks(3), singles(2)),
        lambda: kernel.largest_studentised(numbers(3), numbers(6), singles(2), 4, singles(6), marks(2), singles(2)),
        lambda: kernel.largest_studentised(numbers(3), numbers(6), singles(2), 4, singles(6), marks(3), singles(3)),
        lambda: kernel.largest_studentised(numbers(3), numbers(5), singles(2), 4, singles(6), marks(3), singles(2)),
        lambda: kernel.resample_variances(numbers(3), numbers(6), numbers(12), 4, singles(8), 2, singles(4)),
        lambda: kernel.resample_variances(numbers(3), numbers(6), numbers(12), 4, singles(7), 0, singles(4)),
        lambda: kernel.resample_variances(numbers(3), numbers(6), numbers(11), 4, singles(8), 0, singles(4)),
        lambda: kernel.resample_variances(numbers(3), numbers(6), numbers(12), 4, singles(8), -1, singles(4)),
        lambda: largest(place=5),
        lambda: largest(place=0),
        lambda: largest(resampled=7),
        lambda: largest(where=2),  # there is one pair
        lambda: largest(where=-2),
    ],
)
def test_arrays_that_do_not_fit_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        call()

"""Do the compiled sums of pairs give what NumPy gives? Whole numbers exactly, sums to their last bits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.stats.kernels import matrices, needs_kernel, without_kernel
from tests.stats.samples import Floats, make_ranks, reciprocal

from toprung.errors import InputError
from toprung.stats.kernel.compiled import kernel
from toprung.stats.pairs.difference_sorts import SortedDifferences
from toprung.stats.pairs.difference_sums import DifferenceKernel
from toprung.stats.pairs.encoded import EncodedRuns, encode_runs
from toprung.stats.pairs.pairwise import choose_kernel, pair_facets, pair_tests
from toprung.stats.pairs.pooled_ranks import CountedLevels, LookedUpValues, SweptValues, pool_ranks
from toprung.stats.pairs.results import PairTests, all_pairs
from toprung.stats.ranks.intervals import rank_intervals
from toprung.stats.ranks.mass import bootstrap_rank_mass

pytestmark = needs_kernel

SMALL = (0.0, -0.0, 1.0, -1.0, 1 / 3, 0.1 + 0.2, 0.3, 1e-11, 4e-11, 6e-11, 1e-9, 9e7, -9e7, 5e-324)
"""What may be sorted; two of them round to the same, and two do not."""

NOT_NUMBERS = r"found 1 (values that are not finite|infinite values)"

any_matrix = matrices(most_runs=7, most_queries=70, levels=SMALL)


def assert_same_sums(sums: DifferenceKernel, n_runs: int) -> None:
    pairs = all_pairs(n_runs)
    found = sums.sums(pairs.first, pairs.second)
    plain = without_kernel(partial(sums.sums, pairs.first, pairs.second))
    for name in ("n", "wins", "losses", "w_plus", "ties"):
        np.testing.assert_array_equal(getattr(found, name), getattr(plain, name), err_msg=name)
    size = np.sqrt(plain.squares)
    np.testing.assert_allclose(found.squares, plain.squares, rtol=1e-12)
    assert (np.abs(found.total - plain.total) <= 1e-12 * size * np.sqrt(plain.n + 1)).all()


@given(values=any_matrix, left_out=st.sampled_from([None, 0.0, 1.0]))
def test_sums_of_the_chosen_kind_are_those_of_numpy(values: Floats, left_out: float | None) -> None:
    assert_same_sums(choose_kernel(encode_runs(values), left_out=left_out), values.shape[1])


@settings(max_examples=200)
@given(values=any_matrix, left_out=st.sampled_from([None, 0.0, 1.0]))
def test_sums_by_sorting_are_those_of_numpy(values: Floats, left_out: float | None) -> None:
    runs = np.ascontiguousarray(values.T)
    assert_same_sums(SortedDifferences(values=np.where(runs == left_out, np.nan, runs)), len(runs))


def uneven(n: int) -> Floats:
    """Differences that all lie next to 0 but for one: sorted by all their digits."""
    rng = np.random.default_rng(n)
    values = 1e-4 * rng.random((n, 4))
    values[0] = [0.0, 1e8, -1e8, 1.0]
    return values


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 400, 3_000])
def test_uneven_sizes_are_sorted_too(n: int) -> None:
    assert_same_sums(SortedDifferences(values=np.ascontiguousarray(uneven(n).T)), 4)


def test_a_run_left_out_everywhere_has_no_queries() -> None:
    values = np.random.default_rng(0).random((3, 20))
    values[1] = np.nan
    sums = SortedDifferences(values=values).sums(np.array([0, 0]), np.array([1, 2]))
    assert (sums.n.tolist(), sums.wins[0], sums.total[0]) == ([0, 20], 0, 0)


@given(values=any_matrix)
def test_wins_among_all_values_are_those_of_numpy(values: Floats) -> None:
    runs, pairs = np.ascontiguousarray(values.T), all_pairs(values.shape[1])
    by_hand = [
        2 * (runs[b][:, None] > runs[a]).sum() + (runs[b][:, None] == runs[a]).sum()
        for a, b in zip(pairs.first, pairs.second, strict=True)
    ]
    for found in (SweptValues(values=runs), LookedUpValues(values=runs)):
        assert found.doubled_wins(pairs.first, pairs.second).tolist() == by_hand


def test_many_runs_are_swept_some_at_a_time() -> None:
    values = np.random.default_rng(3).integers(0, 30, (11, 150)) / 7
    runs, pairs = np.ascontiguousarray(values.T), all_pairs(150)
    found, expected = (
        kind(values=runs).doubled_wins(pairs.first, pairs.second) for kind in (SweptValues, LookedUpValues)
    )
    np.testing.assert_array_equal(found, expected)


def test_how_wins_are_counted_depends_on_levels_and_pairs() -> None:
    few, many = reciprocal(make_ranks(200, 8, seed=1)), np.random.default_rng(0).random((200, 8))
    assert isinstance(pool_ranks(encode_runs(few), 28), CountedLevels)
    assert isinstance(pool_ranks(encode_runs(many), 28), SweptValues)
    assert isinstance(pool_ranks(encode_runs(many), 1), LookedUpValues)
    assert isinstance(without_kernel(lambda: pool_ranks(encode_runs(many), 28)), LookedUpValues)


def assert_same_tests(found: PairTests, plain: PairTests) -> None:
    for name in ("signed_rank", "sign", "rank_sum"):
        np.testing.assert_array_equal(getattr(found, name).p, getattr(plain, name).p, err_msg=name)
    np.testing.assert_allclose(found.t.p, plain.t.p, rtol=1e-9, atol=1e-15)
    np.testing.assert_array_equal(found.t.direction, plain.t.direction)


@pytest.mark.parametrize("n", [1, 2, 30, 200])
@pytest.mark.parametrize("jitter", [0.0, 0.05])
def test_p_values_are_those_of_numpy(n: int, jitter: float) -> None:
    rng = np.random.default_rng(1)
    values = reciprocal(make_ranks(n, 9, seed=2))
    values += rng.uniform(-jitter, jitter, values.shape)
    values[:, 3], values[:, 4] = values[:, 2], values[:, 2] + 0.125
    assert_same_tests(pair_tests(values, resamples=99), without_kernel(lambda: pair_tests(values, resamples=99)))


@pytest.mark.parametrize("ask", [pair_tests, pair_facets, rank_intervals, bootstrap_rank_mass])
@given(values=any_matrix, seed=st.integers(0, 9), infinite=st.sampled_from([np.inf, -np.inf]))
def test_what_is_no_number_is_refused_with_the_kernel_and_without(
    ask: Callable[[Floats], object], values: Floats, seed: int, infinite: float
) -> None:
    """NaN too, but where it says that a query does not count for a run."""
    rng = np.random.default_rng(seed)
    where = rng.integers(len(values)), rng.integers(values.shape[1])
    for bad in (infinite, np.nan) if ask in (pair_tests, pair_facets) else (infinite,):
        values[where] = bad
        with pytest.raises(InputError, match=NOT_NUMBERS):
            ask(values)
        with pytest.raises(InputError, match=NOT_NUMBERS):
            without_kernel(partial(ask, values))


def test_facets_are_those_of_numpy() -> None:
    ranks = make_ranks(120, 6, seed=5, depth=2_000)
    found, plain = pair_facets(ranks), without_kernel(lambda: pair_facets(ranks))
    np.testing.assert_array_equal(found.signed_rank.p, plain.signed_rank.p)
    np.testing.assert_allclose(found.t.p, plain.t.p, rtol=1e-9)


@given(values=matrices(most_runs=4, most_queries=40, levels=(0.0, -0.0, 0.5, 1.0)), seed=st.integers(0, 5))
def test_some_queries_are_encoded_as_they_would_be_alone(values: Floats, seed: int) -> None:
    chosen = np.flatnonzero(np.random.default_rng(seed).random(len(values)) < 0.6)
    found, alone = encode_runs(values).select(chosen), encode_runs(values[chosen])
    np.testing.assert_array_equal(found.values, alone.values)
    for query, place in zip(chosen, found.places, strict=True):
        np.testing.assert_array_equal(found.values[:, place], values[query])
    if isinstance(found, EncodedRuns) and found.levels is not None and found.codes is not None:
        np.testing.assert_array_equal(found.levels[found.codes], found.values)


def runs_of(*numbers: int) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


def binned(*, codes: int = 0, bins: int = 0, first: int = 0, sums: int = 7, queries: int = 3) -> None:
    """Two runs of three queries with two levels; bins are win, loss, zero, left out."""
    kernel.sum_binned(
        np.full(6, codes, dtype=np.uint16),
        queries,
        np.full(4, bins, dtype=np.uint32),
        np.ones(1),
        runs_of(first),
        runs_of(1),
        np.empty(sums),
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: binned(codes=2),
        lambda: binned(bins=4),
        lambda: binned(first=2),
        lambda: binned(first=-1),
        lambda: binned(sums=6),
        lambda: binned(queries=4),
        lambda: binned(queries=0),
        lambda: kernel.sum_sorted(np.zeros(6), 3, runs_of(0), runs_of(2), np.empty(7)),
        lambda: kernel.sum_sorted(np.zeros(6), 4, runs_of(0), runs_of(1), np.empty(7)),
        lambda: kernel.sum_sorted(np.zeros(6), 3, runs_of(0), runs_of(1, 0), np.empty(7)),
        lambda: kernel.sum_sorted(np.array([1e300, 0.0]), 1, runs_of(0), runs_of(1), np.empty(7)),
        lambda: kernel.sum_sorted(np.array([np.inf, -np.inf]), 1, runs_of(0), runs_of(1), np.empty(7)),
        lambda: kernel.pooled_wins(np.full(3, 2, dtype=np.int32), np.ones(3, dtype=bool), 2, np.empty(4)),
        lambda: kernel.pooled_wins(np.full(3, -1, dtype=np.int32), np.ones(3, dtype=bool), 2, np.empty(4)),
        lambda: kernel.pooled_wins(np.zeros(3, dtype=np.int32), np.ones(2, dtype=bool), 2, np.empty(4)),
        lambda: kernel.pooled_wins(np.zeros(3, dtype=np.int32), np.ones(3, dtype=bool), 2, np.empty(3)),
        lambda: kernel.pooled_wins(np.zeros(46_341, dtype=np.int32), np.ones(46_341, dtype=bool), 1, np.empty(1)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(call: Callable[[], None]) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        call()

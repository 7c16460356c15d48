"""What a run costs a reader more than another: by hand, and against the break-even that Fieller's set gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.stats.samples import make_ranks

from toprung.errors import InputError
from toprung.stats.intervals.fieller import break_even
from toprung.stats.intervals.miss_cost import miss_cost

# B reads 1, 3, 4 and 0 ranks more, and misses one query fewer: 0, 0, −1, 0.
A, B = [1, 2, 0, 3], [2, 5, 4, 3]
T_3 = 3.182446305  # the 97.5% point of t with three degrees of freedom


def test_without_a_price_on_misses_only_the_reading_counts():
    found = miss_cost(A, B).at(0)
    assert found.estimate == 2
    # The squares of −1, 1, 2 and −2 add up to 10.
    reach = T_3 * math.sqrt(10 / 3 / 4)
    assert (found.low, found.high) == pytest.approx((2 - reach, 2 + reach))
    assert (found.n, found.confidence) == (4, 0.95)


def test_at_the_break_even_the_difference_is_zero():
    found = miss_cost(A, B).at(8)
    # 1, 3, 4 − 8 and 0: their squares add up to 26.
    reach = T_3 * math.sqrt(26 / 3 / 4)
    assert (found.estimate, found.low, found.high) == pytest.approx((0, -reach, reach))
    assert break_even(A, B).cost.estimate == 8


@given(st.integers(0, 500), st.floats(0, 400))
@settings(max_examples=60)
def test_the_band_leaves_zero_out_exactly_outside_fieller_s_set(seed: int, cost: float):
    ranks = make_ranks(60, 2, seed=seed)
    band = miss_cost(ranks[:, 0], ranks[:, 1]).at(cost)
    if min(abs(band.low), abs(band.high)) > 1e-9:
        assert (band.low < 0 < band.high) == (cost in break_even(ranks[:, 0], ranks[:, 1]).cost)


def test_swapping_the_runs_turns_the_band_round():
    one, other = miss_cost(A, B).at(20), miss_cost(B, A).at(20)
    assert (one.estimate, one.low, one.high) == pytest.approx((-other.estimate, -other.high, -other.low))


def test_shuffling_queries_changes_no_bit():
    ranks = make_ranks(300, 2, seed=4)
    shuffled = np.random.default_rng(1).permutation(ranks)
    assert miss_cost(ranks[:, 0], ranks[:, 1]) == miss_cost(shuffled[:, 0], shuffled[:, 1])


def test_runs_that_never_differ_cost_the_same_without_doubt():
    found = miss_cost([1, 0, 2], [1, 0, 2]).at(50)
    assert (found.estimate, found.low, found.high) == (0, 0, 0)


def test_one_query_has_no_band_and_none_has_no_mean():
    found = miss_cost([3], [1]).at(10)
    assert found.estimate == -2
    assert math.isnan(found.low)
    assert math.isnan(miss_cost([], []).at(10).estimate)


def test_ranks_must_be_ranks():
    with pytest.raises(InputError, match=r"found 1\.5"):
        miss_cost([1, 1.5], [1, 2])

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.stats.samples import make_ranks

from toprung.errors import InputError
from toprung.stats.intervals.fieller import BreakEven, RatioSet, SetKind, break_even, fieller_ratio


def test_the_break_even_cost_of_the_statistics_page():
    found = break_even([1, 0], [100, 99])
    assert (found.cost.estimate, found.b_wins) == (198, "above")
    assert found.search_difference == 198
    assert found.cost.kind == "complement"  # two queries: the cost of a miss could well be anything large


@given(st.integers(0, 10_000), st.floats(-3, 3), st.floats(0.01, 3), st.floats(-100, 100))
def test_the_set_holds_exactly_the_ratios_a_t_test_does_not_refute(seed: int, mean: float, sd: float, ratio: float):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(1, 1, 12), rng.normal(mean, sd, 12)
    found = fieller_ratio(x, y)
    p = stats.ttest_1samp(x - ratio * y, 0).pvalue
    if abs(p - 0.05) > 1e-6:
        assert (ratio in found) == (p > 0.05)


def test_a_clear_denominator_gives_an_interval_around_the_ratio():
    rng = np.random.default_rng(1)
    found = fieller_ratio(rng.normal(6, 1, 50), rng.normal(3, 0.5, 50))
    assert found.kind == "interval"
    assert found.low < found.estimate < found.high


def test_a_denominator_that_may_be_zero_gives_a_complement_or_everything():
    y = np.array([1, -1, 2, -1.5, 0.5, -0.5])
    assert fieller_ratio(np.array([5, 5.1, 4.9, 5, 5.2, 4.8]), y).kind == "complement"
    assert fieller_ratio(np.array([1, -1, -2, 1.5, 2, -1.5]), y).kind == "undetermined"


def test_a_denominator_of_zeros_is_undetermined():
    found = fieller_ratio([1, 2, 3], [0, 0, 0])
    assert (found.kind, found.estimate) == ("undetermined", math.inf)
    assert math.isnan(fieller_ratio([], []).estimate)


def test_swapping_runs_keeps_the_cost_and_turns_the_side():
    ranks = make_ranks(300, 2, seed=4)
    one, other = break_even(ranks[:, 0], ranks[:, 1]), break_even(ranks[:, 1], ranks[:, 0])
    assert one.cost.estimate == pytest.approx(other.cost.estimate)
    assert one.cost.kind == other.cost.kind
    assert [one.cost.low, one.cost.high] == pytest.approx([other.cost.low, other.cost.high])
    turned = {"above": "below", "below": "above", "always": "never", "never": "always", "equal": "equal"}
    assert other.b_wins == turned[one.b_wins]


def test_shuffling_queries_changes_no_bit():
    ranks = make_ranks(300, 2, seed=4)
    shuffled = np.random.default_rng(1).permutation(ranks)
    assert break_even(ranks[:, 0], ranks[:, 1]) == break_even(shuffled[:, 0], shuffled[:, 1])


@pytest.mark.parametrize(
    ("a", "b", "side"),
    [
        ([2, 3], [1, 2], "always"),
        ([1, 2], [2, 3], "never"),
        ([1, 2], [1, 2], "equal"),
        ([5, 0], [1, 3], "always"),
        ([1, 3], [5, 0], "never"),
        ([9, 1], [1, 0], "below"),
        ([1, 0], [9, 1], "above"),
    ],
)
def test_the_side_on_which_b_wins(a: list[int], b: list[int], side: str):
    assert break_even(a, b).b_wins == side


def test_ranks_must_be_ranks():
    with pytest.raises(InputError, match=r"found 1\.5"):
        break_even([1, 1.5], [1, 2])
    with pytest.raises(InputError, match="found -1"):
        break_even([1, 2], [-1, 2])


@pytest.mark.parametrize(
    ("kind", "low", "high", "undecided"),
    [
        ("interval", -5, -1, ()),
        ("interval", -5, 7, ((0, 7),)),
        ("interval", 3, 7, ((3, 7),)),
        ("interval", 3, math.inf, ((3, math.inf),)),
        ("complement", -5, -1, ((0, math.inf),)),
        ("complement", -5, 4, ((4, math.inf),)),
        ("complement", 2, 4, ((0, 2), (4, math.inf))),
        ("undetermined", -math.inf, math.inf, ((0, math.inf),)),
    ],
)
def test_costs_at_which_neither_is_shown_to_be_the_cheaper_start_at_zero(
    kind: SetKind, low: float, high: float, undecided: tuple[tuple[float, float], ...]
):
    cost = RatioSet(estimate=1, kind=kind, low=low, high=high, confidence=0.95, n=9)
    found = BreakEven(cost=cost, b_wins="above", search_difference=1)
    assert found.undecided == undecided

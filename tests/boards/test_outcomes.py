"""How a pair is taken apart, and what it carries for its figures."""

from __future__ import annotations

import math

import numpy as np

from toprung.analyses.compare.find import compare
from toprung.boards.lin2021.breakdown import Breakdown
from toprung.boards.outcomes import Outcomes
from toprung.data.matrices import FirstRanks


def broken_down(a: list[int], b: list[int]) -> Breakdown:
    values = np.array([a, b], dtype=np.int32).T
    ids = tuple(f"q{number}" for number in range(len(values)))
    (pair,) = compare(FirstRanks(query_ids=ids, runs=("A", "B"), values=values, cutoff=100)).pairs
    assert pair.breakdown is not None
    assert pair.cutoff == 100
    return pair.breakdown


def test_each_query_is_counted_where_it_belongs():
    """A finds it at the rank on the left, B on the right; 0 where it does not."""
    pairs = [(0, 0)] * 2 + [(3, 0)] * 3 + [(0, 1)] * 5 + [(1, 2)] * 7 + [(4, 4)] * 11 + [(2, 1)] * 13
    a, b = np.array(pairs, dtype=np.int32).T
    found = Outcomes.of(a, b)
    assert found == Outcomes(neither=2, only_a=3, only_b=5, a_higher=7, same=11, b_higher=13)
    assert (found.both, found.n) == (31, 41)
    assert found.share(found.only_b) == 5 / 41
    assert Outcomes.of(b, a) == Outcomes(neither=2, only_a=5, only_b=3, a_higher=13, same=11, b_higher=7)


def test_of_no_query_there_is_no_share():
    none = np.array([], dtype=np.int32)
    assert math.isnan(Outcomes.of(none, none).share(0))


def test_distances_count_the_queries_that_both_answer():
    found = broken_down([1, 5, 2, 0, 40], [1, 2, 4, 3, 1])
    assert found.rank_differences.same == 1
    assert found.rank_differences.b_higher == found.outcomes.b_higher == 2
    assert found.rank_differences.a_higher == found.outcomes.a_higher == 1


def test_the_costs_without_a_decision_are_those_of_fieller_s_set():
    # B misses one query fewer of twenty, and reads one rank more where both answer: 18 ones, a four, and a zero.
    found = broken_down([1] * 18 + [0, 2], [2] * 18 + [4, 2])
    low, high = found.break_even.cost.low, found.break_even.cost.high
    assert found.break_even.cost.kind == "complement"
    assert low < 0 < high
    assert found.undecided_costs == ((high, math.inf),)


def test_where_no_run_misses_more_the_band_decides_at_every_cost():
    sooner = broken_down([5, 6, 7, 8, 9, 5, 0], [1, 1, 3, 2, 4, 1, 0])
    assert sooner.break_even.cost.kind == "undetermined"
    assert sooner.undecided_costs == ()
    alike = broken_down([1, 2, 3, 0], [2, 1, 3, 0])
    assert alike.undecided_costs == ((0.0, math.inf),)

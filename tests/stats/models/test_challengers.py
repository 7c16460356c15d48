"""Many challengers at once are tested as one pair is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from toprung.stats.models.challengers import challenge_by_ranks, challenge_by_scores
from toprung.stats.tests.counts import mcnemar_test
from toprung.stats.tests.paired_t import paired_t_test

few_ranks = arrays(np.int32, st.tuples(st.integers(2, 6), st.integers(1, 30)), elements=st.integers(0, 5))
few_scores = arrays(
    np.float64, st.tuples(st.integers(2, 6), st.integers(1, 30)), elements=st.sampled_from([0.0, 0.1, 1 / 3, 0.5, 1.0])
)


@given(few_ranks)
@example(np.array([[1, 2, 3, 0], [3, 4, 5, 1], [1, 2, 3, 0]], dtype=np.int32)).via("the same difference everywhere")
@example(np.array([[1, 0], [2, 1]], dtype=np.int32)).via("one query that both answer")
@settings(max_examples=80)
def test_ranks_are_tested_as_pair_by_pair(ranks: NDArray[np.int32]) -> None:
    holder, runs = ranks[0], ranks[1:]
    found = challenge_by_ranks(holder, runs)
    for each, run in enumerate(runs):
        both = (holder > 0) & (run > 0)
        t = paired_t_test(holder[both], run[both])
        only_one = mcnemar_test(int(np.sum((holder > 0) & (run == 0))), int(np.sum((run > 0) & (holder == 0))))
        assert found.answered_p[each] == pytest.approx(only_one.p)
        assert found.answered_direction[each] == only_one.direction
        assert found.ranking.p[each] == pytest.approx(t.p)
        assert found.ranking.direction[each] == t.direction
        assert (found.ranking.n[each], found.ranking.is_constant[each]) == (t.n, t.is_constant)


@given(few_scores)
@example(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]])).via("the same difference everywhere")
@example(np.array([[0.0], [0.1]])).via("one query")
@settings(max_examples=80)
def test_scores_are_tested_as_pair_by_pair(scores: NDArray[np.float64]) -> None:
    found = challenge_by_scores(scores[0], scores[1:])
    for each, run in enumerate(scores[1:]):
        t = paired_t_test(scores[0], run)
        assert found.p[each] == pytest.approx(t.p)
        assert (found.direction[each], found.n[each], found.is_constant[each]) == (t.direction, t.n, t.is_constant)


def test_differences_that_are_only_rounding_are_none() -> None:
    holder = np.array([1 / 2 - 1 / 3, 0.2, 0.4])
    found = challenge_by_scores(holder, np.array([[1 / 3 - 1 / 6, 0.2, 0.4]]))
    assert (found.p.tolist(), found.direction.tolist(), found.is_constant.tolist()) == ([1.0], [0], [False])

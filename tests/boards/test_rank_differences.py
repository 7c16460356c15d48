"""Distances between two runs, counted in bins that widen: by hand."""

from __future__ import annotations

import numpy as np
import pytest

from toprung.boards.rank_differences import RankDifferences, count_rank_differences


def count(a: list[int], b: list[int]) -> RankDifferences:
    return count_rank_differences(np.array(a, dtype=np.int32), np.array(b, dtype=np.int32))


@pytest.mark.parametrize(
    ("distance", "words"),
    [
        *((1, "1"), (2, "2"), (3, "3"), (4, "4–5"), (5, "4–5"), (6, "6–10"), (10, "6–10")),
        *((11, "11–30"), (30, "11–30"), (31, "31+"), (900, "31+")),
    ],
)
def test_each_distance_falls_into_its_bin_on_the_side_of_who_is_higher(distance: int, words: str):
    b_higher = count([1 + distance], [1])
    assert [(each.words, each.b_higher, each.a_higher) for each in b_higher.bins][-1] == (words, 1, 0)
    a_higher = count([1], [1 + distance])
    assert [(each.words, each.b_higher, each.a_higher) for each in a_higher.bins][-1] == (words, 0, 1)


def test_only_queries_that_both_answer_count():
    found = count([0, 3, 2, 7], [1, 0, 2, 6])
    assert (found.same, found.b_higher, found.a_higher) == (1, 1, 0)


def test_empty_bins_stay_between_others_and_go_at_the_far_end():
    found = count([9, 1], [1, 2])
    assert [each.words for each in found.bins] == ["1", "2", "3", "4–5", "6–10"]
    assert [each.b_higher for each in found.bins] == [0, 0, 0, 0, 1]
    assert [each.a_higher for each in found.bins] == [1, 0, 0, 0, 0]


def test_runs_that_always_agree_have_no_bins():
    assert count([1, 2], [1, 2]) == RankDifferences(same=2, bins=())


def test_the_far_bin_has_no_end():
    *near, far = count([100], [1]).bins
    assert far.is_open
    assert not any(each.is_open for each in near)

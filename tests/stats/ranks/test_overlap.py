"""Rank-biased overlap, extrapolated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stats.samples import rank_biased_overlap

from toprung.errors import InputError
from toprung.stats.ranks.overlap import extrapolated_overlap

RANKINGS = st.lists(st.integers(0, 12), unique=True, max_size=10)


def test_two_lists_of_one_length_by_hand() -> None:
    # Overlaps 1, 1, 3; agreement 1, 1/2, 1. (1−p)/p = 1: 1/2 + 1/8 + 1/8, and 1 · 1/8 beyond.
    assert rank_biased_overlap("abc", "acb", p=0.5) == pytest.approx(0.875)
    # The last ranks alone agree: overlaps 0, 1 (a), so 1/2 · 1/4 + 1/2 · 1/4.
    assert rank_biased_overlap("ab", "xa", p=0.5) == pytest.approx(0.25)


def test_two_lists_of_different_lengths_by_hand() -> None:
    # Overlaps 1, 1, 1, 2; the shorter one agrees by half. Agreement 1, 1/2, (1 + 1/2)/3, (2 + 1)/4:
    # 1/2 + 1/8 + 1/16 + 3/64, and (1/4 + 1/2) · 1/16 beyond.
    assert rank_biased_overlap("ab", "axyb", p=0.5) == pytest.approx(0.78125)


def test_a_list_and_its_beginning_agree_entirely() -> None:
    assert rank_biased_overlap("abc", "abcdefghij") == 1


@given(a=RANKINGS, b=RANKINGS, p=st.sampled_from([0.5, 0.9, 0.98]))
def test_it_is_symmetric_and_lies_between_nothing_and_all(a: list[int], b: list[int], p: float) -> None:
    found = rank_biased_overlap(a, b, p=p)
    assert 0 <= found <= 1
    assert found == rank_biased_overlap(b, a, p=p)
    assert rank_biased_overlap(a, a, p=p) == 1
    apart = rank_biased_overlap(a, [item + 100 for item in b], p=p)
    assert apart == (0 if a or b else 1)


@given(a=st.permutations(range(8)), b=st.permutations(range(8)), p=st.sampled_from([0.5, 0.9]))
def test_lists_of_one_length_follow_the_plain_formula(a: list[int], b: list[int], p: float) -> None:
    agreement = [len(set(a[:depth]) & set(b[:depth])) / depth for depth in range(1, 9)]
    plain = (1 - p) / p * sum(share * p**depth for depth, share in enumerate(agreement, start=1)) + agreement[-1] * p**8
    assert rank_biased_overlap(a, b, p=p) == pytest.approx(plain)


def test_depth_cuts_both_lists() -> None:
    assert rank_biased_overlap("abxyz", "abuvw", depth=2) == 1


def test_many_pairs_at_once() -> None:
    overlaps = np.array([[1, 1, 3, 3], [1, 1, 1, 2], [0, 0, 0, 0]])
    found = extrapolated_overlap(overlaps, np.array([3, 2, 0]), np.array([3, 4, 0]), p=0.5)
    assert found.tolist() == pytest.approx([0.875, 0.78125, 1.0])


def test_a_bad_persistence_is_refused() -> None:
    with pytest.raises(InputError, match="p: found 1"):
        rank_biased_overlap("ab", "ab", p=1)

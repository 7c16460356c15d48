from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.errors import InputError
from toprung.stats.ranks.letters import letter_display


def test_the_letters_of_the_statistics_page():
    assert letter_display(3, [(0, 2)]).letters == ("a", "ab", "b")


def test_all_alike_and_all_different():
    assert letter_display(3, []).letters == ("a", "a", "a")
    assert letter_display(3, combinations(range(3), 2)).letters == ("a", "b", "c")
    assert letter_display(0, []).letters == ()


@given(
    st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.sampled_from([*combinations(range(9), 2)]))))
)
def test_two_items_share_a_letter_exactly_if_they_do_not_differ(case: tuple[int, set[tuple[int, int]]]):
    count, drawn = case
    different = {pair for pair in drawn if max(pair) < count}
    letters = letter_display(count, different).letters
    for pair in combinations(range(count), 2):
        shared = set(letters[pair[0]]) & set(letters[pair[1]])
        assert bool(shared) == (pair not in different)
    assert all(letters)


@given(st.sets(st.sampled_from([*combinations(range(8), 2)])))
def test_no_group_lies_within_another(different: set[tuple[int, int]]):
    groups = [set(group) for group in letter_display(8, different).groups]
    assert not any(one < other for one in groups for other in groups)


def test_many_runs_in_a_row_get_letters_that_can_be_told_apart():
    count, reach = 300, 5
    different = [(i, j) for i, j in combinations(range(count), 2) if j - i > reach]
    found = letter_display(count, different)
    assert len(found.groups) == count - reach
    assert found.letters[0] == "a"
    assert "a1" in found.names
    assert len(set(found.names)) == len(found.names)


def test_a_thousand_noisy_runs_are_done_in_seconds():
    rng = np.random.default_rng(1)
    scores = np.sort(rng.normal(0, 1, 1000))[::-1]
    first, second = np.triu_indices(1000, k=1)
    is_different = (scores[first] - scores[second]) > 0.2
    found = letter_display(1000, zip(first[is_different].tolist(), second[is_different].tolist(), strict=True))
    assert found.letters[0] == "a"


def test_pairs_outside_the_items_are_refused():
    with pytest.raises(InputError, match=r"the pair \(0, 3\)"):
        letter_display(3, [(0, 3)])
    with pytest.raises(InputError, match=r"the pair \(1, 1\)"):
        letter_display(3, [(1, 1)])

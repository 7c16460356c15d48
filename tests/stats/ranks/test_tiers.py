import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.errors import InputError
from toprung.stats.ranks.tiers import Tier, order_tiers


def test_a_cycle_of_three_is_one_tier_marked_so():
    assert order_tiers([(1,), (0,), (2,)], [(0, 1), (1, 2), (2, 0)]) == (Tier(items=(1, 0, 2), is_cyclic=True),)


def test_a_run_stands_below_those_that_beat_it_whatever_its_score():
    tiers = order_tiers([(-0.9, "a"), (-0.5, "b"), (-0.7, "c")], [(1, 0)])
    assert [tier.items for tier in tiers] == [(2,), (1,), (0,)]
    assert not any(tier.is_cyclic for tier in tiers)


def test_a_run_below_a_cycle():
    tiers = order_tiers([3, 2, 1, 0], [(0, 1), (1, 0), (0, 3), (1, 3)])
    assert [(tier.items, tier.is_cyclic) for tier in tiers] == [((2,), False), ((1, 0), True), ((3,), False)]


def test_without_verdicts_the_keys_order():
    assert [tier.items[0] for tier in order_tiers([2, 0, 1], [])] == [1, 2, 0]
    assert order_tiers([], []) == ()


edges = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda edge: edge[0] != edge[1]))


@given(edges, st.permutations(range(8)))
def test_every_verdict_across_tiers_is_respected_and_every_run_stands_once(
    beats: set[tuple[int, int]], keys: list[int]
):
    tiers = order_tiers(keys, beats)
    place = {item: position for position, tier in enumerate(tiers) for item in tier.items}
    assert sorted(place) == list(range(8))
    assert sum(len(tier.items) for tier in tiers) == 8
    for winner, loser in beats:
        assert place[winner] <= place[loser]
        assert place[winner] < place[loser] or tiers[place[winner]].is_cyclic


@given(edges, st.permutations(range(8)))
def test_the_order_of_the_verdicts_does_not_matter(beats: set[tuple[int, int]], keys: list[int]):
    assert order_tiers(keys, sorted(beats)) == order_tiers(keys, sorted(beats, reverse=True))


def test_verdicts_about_unknown_runs_are_refused():
    with pytest.raises(InputError, match="from 0 to 1"):
        order_tiers([1, 2], [(0, 2)])
    with pytest.raises(InputError, match="different"):
        order_tiers([1, 2], [(1, 1)])

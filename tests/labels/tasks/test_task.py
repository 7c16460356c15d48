"""What does one assessor do in one sitting?"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.data.judgments import Pair
from toprung.errors import InputError
from toprung.labels.pools.pool import Pool
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.task import Task, make_tasks, reissue

GOLDS = [Gold(f"g{i}", "good", "bad") for i in range(8)]


def pairs_of(*sizes: int) -> list[Pair]:
    """The pairs of a pool of each size."""
    pools = [Pool(query_id=f"q{q:04d}", items=tuple(f"d{i:03d}" for i in range(size))) for q, size in enumerate(sizes)]
    return [pair for pool in pools for pair in pool.pairs()]


def own_pairs(tasks: list[Task]) -> Counter[Pair]:
    return Counter(slot.pair for task in tasks for slot in task.slots if not slot.is_gold and not slot.is_repeat)


def pairs_by_count(*counts: int) -> list[Pair]:
    """So many pairs of each query."""
    return [Pair(f"q{q:04d}", "a", f"b{i:03d}") for q, count in enumerate(counts) for i in range(count)]


counts_of_pairs = st.lists(st.integers(1, 5), min_size=1, max_size=30) | st.lists(
    st.integers(1, 20), min_size=1, max_size=8
)


@given(counts=counts_of_pairs, per_task=st.integers(1, 12), seed=st.integers(0, 1000))
def test_every_pair_is_in_one_task_and_no_query_twice(counts: list[int], per_task: int, seed: int) -> None:
    pairs = pairs_by_count(*counts)
    tasks = make_tasks(pairs, GOLDS, per_task=per_task, seed=seed)
    assert own_pairs(tasks) == Counter(pairs)
    for task in tasks:
        queries = [slot.query_id for slot in task.slots]
        assert len(set(queries)) == len(queries)  # golds too: theirs are not among the pairs
        assert len(task.golds) == 3
        assert len(task.pairs) <= per_task


@given(counts=counts_of_pairs, per_task=st.integers(1, 12), seed=st.integers(0, 1000))
def test_there_are_no_more_tasks_than_the_pairs_need(counts: list[int], per_task: int, seed: int) -> None:
    pairs = pairs_by_count(*counts)
    tasks = make_tasks(pairs, GOLDS, per_task=per_task, seed=seed)
    of_one_query = max(Counter(pair.query_id for pair in pairs).values())
    assert len(tasks) == max(-(-len(pairs) // per_task), of_one_query)
    repeats = sum(slot.is_repeat for task in tasks for slot in task.slots)
    assert repeats < per_task  # only what the last task lacks is paid for twice


def test_the_last_task_is_filled_with_flagged_repeats() -> None:
    tasks = make_tasks(pairs_of(*[2] * 24), GOLDS, seed=5)
    assert [len(task.slots) for task in tasks] == [13, 13, 13]
    assert [sum(slot.is_repeat for slot in task.slots) for task in tasks] == [0, 0, 6]
    own = {slot.query_id for slot in tasks[2].slots if not slot.is_repeat and not slot.is_gold}
    repeats = {slot.query_id for slot in tasks[2].slots if slot.is_repeat}
    assert (len(own), len(repeats)) == (4, 6)
    assert not own & repeats


def test_where_two_queries_need_a_place_in_every_task_all_tasks_are_filled_evenly() -> None:
    """Eleven pairs, two queries of them with two pairs each: the second task cannot hold one pair only."""
    one = [Pair("a", "d1", "d2"), Pair("a", "d1", "d3"), Pair("b", "d1", "d2"), Pair("b", "d1", "d3")]
    tasks = make_tasks([*one, *pairs_of(*[2] * 7)], GOLDS, seed=1)
    own = [sum(not slot.is_gold and not slot.is_repeat for slot in task.slots) for task in tasks]
    assert sorted(own) == [5, 6]


@pytest.mark.parametrize("seed", range(20))
def test_a_query_with_a_pair_for_every_task_finds_a_place_in_each(seed: int) -> None:
    """The second task has two places; whoever needs one of them must come before it is full."""
    tasks = make_tasks(pairs_by_count(1, 1, 1, 2), GOLDS, per_task=3, seed=seed)
    assert [sum(pair.query_id == "q0003" for pair in task.pairs) for task in tasks] == [1, 1]


def test_a_query_with_many_pairs_gets_a_task_for_each_and_nothing_is_repeated() -> None:
    tasks = make_tasks(pairs_of(7, 2), GOLDS, seed=1)  # 21 pairs of one query, 1 of another
    assert len(tasks) == 21
    assert sum(len(task.pairs) for task in tasks) == 22


@given(counts=counts_of_pairs, seed=st.integers(0, 1000), shuffled=st.randoms())
def test_the_same_seed_makes_the_same_tasks_whatever_the_order(counts: list[int], seed: int, shuffled: Random) -> None:
    pairs = pairs_by_count(*counts)
    golds = list(GOLDS)
    expected = make_tasks(pairs, golds, seed=seed)
    shuffled.shuffle(pairs)
    shuffled.shuffle(golds)
    assert make_tasks(pairs, golds, seed=seed) == expected


def test_another_seed_makes_other_tasks() -> None:
    pairs = pairs_of(*[3] * 20)
    assert make_tasks(pairs, GOLDS, seed=1) != make_tasks(pairs, GOLDS, seed=2)


def test_sides_and_places_are_fair() -> None:
    """Of 3,000 pairs the first id stands left in half, within four standard deviations; of golds the good one."""
    tasks = make_tasks(pairs_of(*[3] * 1000), GOLDS, seed=8)
    slots = [slot for task in tasks for slot in task.slots]
    of_pairs = [slot.left == slot.pair.a for slot in slots if not slot.is_gold]
    of_golds = [slot.left == slot.good for slot in slots if slot.is_gold]
    assert abs(sum(of_pairs) - 1500) < 4 * 750**0.5
    assert abs(sum(of_golds) - 450) < 4 * 225**0.5
    places = Counter(place for task in tasks for place, slot in enumerate(task.slots) if slot.is_gold)
    assert min(places.values()) > 30  # 900 golds on 13 places: 69 each


def test_the_slots_of_one_query_are_spread_over_the_tasks() -> None:
    """Pairs of one pool must not stand in the same few tasks together with another pool's."""
    tasks = make_tasks(pairs_of(*[4] * 100), GOLDS, seed=2)
    together = Counter(
        tuple(sorted((one, other)))
        for task in tasks
        for one in {pair.query_id for pair in task.pairs}
        for other in {pair.query_id for pair in task.pairs}
        if one < other
    )
    assert max(together.values()) <= 4


def test_a_task_survives_its_record() -> None:
    [task] = make_tasks(pairs_of(*[2] * 6), GOLDS, seed=4)
    assert Task.from_record(task.to_record()) == task
    with pytest.raises(InputError, match="which is no task"):
        Task.from_record({"number": 1})


def test_tasks_go_on_counting() -> None:
    assert [task.task_id for task in make_tasks(pairs_of(*[2] * 11), GOLDS, first_number=7)] == ["t00007", "t00008"]


@pytest.mark.parametrize("seed", range(20))
def test_a_new_attempt_has_the_same_pairs_with_new_golds_and_sides(seed: int) -> None:
    [task] = make_tasks(pairs_of(*[2] * 10), GOLDS, seed=seed)
    again = reissue(task, GOLDS)
    assert (again.task_id, again.attempt, again.parent) == ("t00001-2", 2, "t00001")
    assert sorted(again.pairs) == sorted(task.pairs)
    assert not set(again.golds) & set(task.golds)
    assert [slot.left for slot in again.slots] != [slot.left for slot in task.slots]
    assert reissue(task, GOLDS) == again
    assert reissue(again, GOLDS).parent == "t00001-2"


def test_repeats_stay_flagged_in_a_new_attempt() -> None:
    tasks = make_tasks(pairs_of(*[2] * 12), GOLDS, seed=4)
    again = reissue(tasks[1], GOLDS)
    assert {slot.pair for slot in again.slots if slot.is_repeat} == {s.pair for s in tasks[1].slots if s.is_repeat}
    assert sum(slot.is_repeat for slot in again.slots) == 8


def test_no_pairs_make_no_tasks() -> None:
    assert make_tasks([], GOLDS) == []


@pytest.mark.parametrize(
    ("options", "message"), [({"per_task": 0}, "per_task"), ({"golds_per_task": -1}, "golds_per_task")]
)
def test_impossible_sizes_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_tasks(pairs_of(2), GOLDS, **options)


def test_golds_of_the_tasks_own_queries_do_not_count() -> None:
    golds = [Gold(f"q{i:04d}", "good", "bad") for i in range(3)]
    with pytest.raises(InputError, match="Found 0 golds for a task"):
        make_tasks(pairs_of(2, 2, 2), golds)


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": "1"},
        {"seed": None},
        {"attempt": True},
        {"penalty": 1e-300},
        {"penalty": 1e7},
        {"penalty": 10**400},
        {"penalty": True},
        {"penalty": float("nan")},
        {"slots": 3},
        {"slots": [5]},
        {"slots": [{"query_id": "q", "left": 1, "right": "b"}]},
        {"slots": [{"query_id": "q", "left": "a", "right": "a"}]},
        {"slots": [{"query_id": "q", "left": "a", "right": "b", "good": "c"}]},
    ],
)
def test_a_task_edited_by_hand_is_refused(wrong: dict[str, object]) -> None:
    [task] = make_tasks(pairs_of(*[2] * 6), GOLDS, seed=4)
    with pytest.raises(InputError, match="which is no task"):
        Task.from_record({**task.to_record(), **wrong})


@pytest.mark.parametrize("penalty", [1, 1e-6, 1_000_000])
def test_a_whole_penalty_is_one(penalty: float) -> None:
    [task] = make_tasks(pairs_of(*[2] * 6), GOLDS, seed=4)
    assert Task.from_record({**task.to_record(), "penalty": penalty}).penalty == penalty

"""How does a pair get more than one vote?"""

from __future__ import annotations

from collections import Counter

from toprung.data.judgments import Pair
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.rounds import make_rounds
from toprung.labels.tasks.task import make_tasks

PAIRS = [Pair(f"q{i:02d}", "a", "b") for i in range(20)]
GOLDS = [Gold(f"g{i}", "good", "bad") for i in range(12)]


def test_each_pair_is_in_as_many_tasks_as_it_lacks_votes() -> None:
    lacking = {pair: 1 + number % 3 for number, pair in enumerate(PAIRS)}
    tasks = make_rounds(lacking, GOLDS, per_task=5)
    own = Counter(slot.pair for task in tasks for slot in task.slots if not slot.is_gold and not slot.is_repeat)
    assert own == lacking
    assert [task.number for task in tasks] == list(range(1, len(tasks) + 1))


def test_one_round_is_what_make_tasks_makes() -> None:
    assert make_rounds(dict.fromkeys(PAIRS, 1), GOLDS, seed=3) == make_tasks(PAIRS, GOLDS, seed=3)


def test_rounds_have_the_same_parts_but_other_golds_and_sides() -> None:
    one, other, again, _ = make_rounds(dict.fromkeys(PAIRS, 2), GOLDS)
    assert set(one.pairs) == set(again.pairs)
    assert not set(one.pairs) & set(other.pairs)
    assert not set(one.golds) & set(again.golds)
    assert one.slots != again.slots


def test_nothing_that_lacks_makes_nothing() -> None:
    assert make_rounds({}, GOLDS) == []

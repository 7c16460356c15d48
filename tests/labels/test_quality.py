"""Can this work be used?"""

from __future__ import annotations

import pytest

from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.labels.golds import Gold
from toprung.labels.quality import review, to_void
from toprung.labels.tasks import make_tasks

[TASK] = make_tasks(
    [Pair(f"q{i}", "a", "b") for i in range(3)], [Gold(f"g{i}", "good", "bad") for i in range(2)], golds_per_task=2
)


def answers(of_golds: dict[str, Choice | None]) -> list[Judgment]:
    """Left for every pair; golds as they are told: by the query, with the side of the good answer by default."""
    found = []
    for number, slot in enumerate(TASK.slots):
        right_side = Choice.LEFT if slot.left == slot.good else Choice.RIGHT
        choice = of_golds.get(slot.query_id, right_side) if slot.is_gold else Choice.LEFT
        if choice is not None:
            found.append(
                Judgment(
                    judgment_id=str(number),
                    query_id=slot.query_id,
                    left=slot.left,
                    right=slot.right,
                    choice=choice,
                    slot=number,
                    is_gold=slot.is_gold,
                )
            )
    return found


def wrong_side(query_id: str) -> Choice:
    slot = next(slot for slot in TASK.slots if slot.query_id == query_id)
    return Choice.RIGHT if slot.left == slot.good else Choice.LEFT


def test_all_golds_right_pass() -> None:
    found = review(TASK, answers({}))
    assert (found.is_passed, found.n_answered, found.n_golds) == (True, 5, 2)


@pytest.mark.parametrize("miss", ["wrong", Choice.TIE, Choice.SKIP, None])
def test_one_missed_gold_fails(miss: str | Choice | None) -> None:
    choice = wrong_side("g1") if miss == "wrong" else miss
    found = review(TASK, answers({"g1": choice}))  # type: ignore[dict-item]  # a Choice or None
    assert [TASK.slots[number].query_id for number in found.failed] == ["g1"]
    assert not found.is_passed


def test_a_void_takes_a_judgment_back_and_is_the_same_each_time() -> None:
    judgment = answers({})[0]
    void = to_void(judgment)
    assert Judgments.of([judgment, void]).current == (void,)
    assert not void.is_vote
    assert to_void(judgment) == void
    assert (void.task_id, void.slot, void.assessor) == (judgment.task_id, judgment.slot, judgment.assessor)

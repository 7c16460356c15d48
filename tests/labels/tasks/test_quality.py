"""Can this work be used, and what is it paid?"""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.data.judgments import Choice, Judgment, Judgments, Pair
from toprung.errors import InputError
from toprung.labels.tasks.assignments import AssignmentStage
from toprung.labels.tasks.golds import Gold
from toprung.labels.tasks.quality import (
    VoidRule,
    VoidScope,
    pay_for,
    prorate,
    read_void_rule,
    restored_rows,
    review,
    tasks_failed_by,
    to_void,
)
from toprung.labels.tasks.task import make_tasks

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


def test_where_two_misses_are_asked_for_one_passes_and_two_fail() -> None:
    one, two = answers({"g1": Choice.TIE}), answers({"g0": Choice.TIE, "g1": Choice.TIE})
    assert [review(TASK, each, misses=2).is_passed for each in (one, two)] == [True, False]
    assert [tasks_failed_by(each, [TASK], misses=2) for each in (one, two)] == [set(), {TASK.task_id}]


@pytest.mark.parametrize("miss", [wrong_side("g1"), Choice.TIE, Choice.SKIP, None])
def test_one_missed_gold_fails(miss: Choice | None) -> None:
    found = review(TASK, answers({"g1": miss}))
    assert [TASK.slots[number].query_id for number in found.failed] == ["g1"]
    assert not found.is_passed


def test_a_void_takes_a_judgment_back_and_is_the_same_each_time() -> None:
    judgment = answers({})[0]
    void = to_void(judgment)
    assert Judgments.of([judgment, void]).current == (void,)
    assert not void.is_vote
    assert to_void(judgment) == void
    assert (void.task_id, void.slot, void.assessor) == (judgment.task_id, judgment.slot, judgment.assessor)


def test_leaving_after_five_of_thirteen_pays_77_cents() -> None:
    assert pay_for(AssignmentStage.EXITED, reward="2.00", n_answered=5, n_slots=13) == Decimal("0.77")


@pytest.mark.parametrize(
    ("stage", "pay"),
    [
        (AssignmentStage.OFFERED, "0"),
        (AssignmentStage.ACTIVE, "0"),
        (AssignmentStage.SUBMITTED, "2"),
        (AssignmentStage.ACCEPTED, "2"),
        (AssignmentStage.EXCLUDED, "2"),
        (AssignmentStage.RETURNED, "0"),
        (AssignmentStage.TIMED_OUT, "0"),
        (AssignmentStage.EXITED, "1.85"),
    ],
)
def test_work_that_was_handed_in_is_paid_in_full_whether_it_is_used_or_not(stage: AssignmentStage, pay: str) -> None:
    assert pay_for(stage, reward="2.00", n_answered=12, n_slots=13) == Decimal(pay)


@given(cents=st.integers(0, 10_000), n_slots=st.integers(1, 30), data=st.data())
def test_prorated_pay_is_never_less_than_the_share_and_less_than_a_cent_more(
    cents: int, n_slots: int, data: st.DataObject
) -> None:
    n_answered = data.draw(st.integers(0, n_slots))
    pay = prorate(Decimal(cents) / 100, n_answered, n_slots)
    too_much = pay * 100 * n_slots - cents * n_answered
    assert 0 <= too_much < n_slots
    assert pay == pay.quantize(Decimal("0.01"))


@pytest.mark.parametrize("reward", ["-1", "two", "1.005", "NaN", "Infinity"])
def test_no_money_is_refused(reward: str) -> None:
    with pytest.raises(InputError, match="expected an amount of money in whole cents"):
        prorate(reward, 1, 13)


@pytest.mark.parametrize(("n_answered", "n_slots"), [(14, 13), (-1, 13), (0, 0)])
def test_counts_that_do_not_fit_are_refused(n_answered: int, n_slots: int) -> None:
    with pytest.raises(InputError, match="expected counts that fit"):
        prorate("2.00", n_answered, n_slots)


def test_voided_answers_are_put_back_and_voided_again() -> None:
    rows = answers({})
    voided = [*rows, *map(to_void, rows)]
    assert not [each for each in Judgments.of(voided).current if each.is_vote]
    back = [*voided, *restored_rows(voided)]
    assert [each.choice for each in Judgments.of(back).current] == [each.choice for each in rows]
    assert restored_rows(back) == []
    again = [*back, *map(to_void, Judgments.of(back).current)]
    assert len(restored_rows(again)) == len(rows)


def test_one_missed_gold_voids_its_task_unless_the_manifest_says_otherwise() -> None:
    assert read_void_rule({}) == VoidRule(scope=VoidScope.TASK, misses=1)
    said = {"void_scope": "assessor", "void_misses": 2}
    assert read_void_rule(said) == VoidRule(scope=VoidScope.ASSESSOR, misses=2)


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ({"void_scope": "all"}, "Found 'all' as what a failed gold voids; expected one of task, assessor."),
        ({"void_scope": 1}, "Found 1 as what a failed gold voids"),
        ({"void_misses": 0}, "Found 0 as how many missed golds void a task; expected a whole number from 1."),
        ({"void_misses": True}, "Found True as how many missed golds"),
        ({"void_misses": "2"}, "Found '2' as how many missed golds"),
    ],
)
def test_a_rule_that_was_edited_by_hand_is_refused(manifest: dict[str, object], says: str) -> None:
    with pytest.raises(InputError) as refused:
        read_void_rule(manifest)
    assert str(refused.value).startswith(says)

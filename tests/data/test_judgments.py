"""Which of two answers did an assessor prefer?"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toprung.data.judgments import AssessorKind, Choice, Judgment, Judgments, Pair
from toprung.errors import InputError


def judgment(judgment_id: str = "j1", **changes: Any) -> Judgment:
    fields = {"query_id": "q", "left": "d2", "right": "d1", "choice": Choice.LEFT}
    return Judgment(judgment_id=judgment_id, **(fields | changes))


def test_a_pair_does_not_say_which_answer_stood_left() -> None:
    assert Pair.of("q", "d2", "d1") == Pair.of("q", "d1", "d2") == Pair("q", "d1", "d2")
    assert judgment().pair == Pair("q", "d1", "d2")


def test_the_same_answer_on_both_sides_is_refused() -> None:
    with pytest.raises(InputError, match="Found 'd1' on both sides of a pair of query 'q'"):
        Pair.of("q", "d1", "d1")
    with pytest.raises(InputError, match="Found 'd1' on both sides of a judgment of query 'q'"):
        judgment(left="d1")


def test_a_pair_out_of_order_is_refused() -> None:
    with pytest.raises(InputError, match="expected two answers in the order of their ids"):
        Pair("q", "d2", "d1")


@pytest.mark.parametrize(
    ("choice", "winner"), [(Choice.LEFT, "d2"), (Choice.RIGHT, "d1"), (Choice.TIE, None), (Choice.SKIP, None)]
)
def test_the_winner_is_what_stood_on_the_chosen_side(choice: Choice, winner: str | None) -> None:
    assert judgment(choice=choice).winner == winner


def test_skips_and_golds_are_no_votes() -> None:
    assert judgment(choice=Choice.TIE).is_vote
    assert not judgment(choice=Choice.SKIP).is_vote
    assert not judgment(is_gold=True).is_vote


def test_a_record_leaves_out_only_what_is_not_known() -> None:
    assert judgment(slot=0, ms=0).to_record() == {
        "judgment_id": "j1",
        "query_id": "q",
        "left": "d2",
        "right": "d1",
        "choice": "left",
        "kind": "human",
        "slot": 0,
        "ms": 0,
    }


@given(
    choice=st.sampled_from(Choice),
    kind=st.sampled_from(AssessorKind),
    slot=st.none() | st.integers(0, 12),
    ms=st.none() | st.integers(0, 10**6),
    is_gold=st.booleans(),
    assessor=st.text(max_size=5),
    task_id=st.none() | st.text(min_size=1, max_size=5),
)
def test_a_judgment_comes_back_from_its_record(**fields: Any) -> None:
    one = judgment(**fields)
    assert Judgment.from_record(json.loads(json.dumps(one.to_record()))) == one


@pytest.mark.parametrize(
    "changes",
    [
        {"choice": "maybe"},
        {"choice": ["left"]},
        {"kind": "robot"},
        {"colour": "red"},
        {"left": "d1"},
        {"right": 5},
        {"query_id": None},
        {"judgment_id": "\ud800"},
        {"is_gold": "false"},
        {"ms": 2**60},
        {"assessor": ["x"]},
        {"supersedes": ["a"]},
    ],
)
def test_a_record_that_is_no_judgment_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Judgment.from_record(judgment().to_record() | changes)
    with pytest.raises(InputError, match="expected a judgment"):
        Judgment.from_record({"query_id": "q"})


def test_what_a_later_judgment_takes_back_is_not_current() -> None:
    first, undone = judgment("j1"), judgment("j2", choice=Choice.RIGHT, supersedes="j1")
    judgments = Judgments.of([first, undone])
    assert judgments.current == (undone,)
    assert len(judgments) == 2
    assert repr(judgments) == "Judgments(2 rows, 1 current)"


def test_the_digest_is_of_what_is_current_in_whatever_order() -> None:
    one, other = judgment("j1"), judgment("j2", choice=Choice.TIE)
    undone = judgment("j0", query_id="other")
    again = judgment("j1", query_id="q", supersedes=None)
    assert Judgments.of([one, other]).digest == Judgments.of([other, again]).digest
    assert Judgments.of([one, other]).digest != Judgments.of([one]).digest
    replaced = judgment("j2", choice=Choice.TIE, supersedes="j0")
    assert Judgments.of([undone, one, replaced]).digest == Judgments.of([one, replaced]).digest

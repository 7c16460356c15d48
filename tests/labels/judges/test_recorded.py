"""What was answered elsewhere?"""

from __future__ import annotations

import pytest
from tests.labels.builders import votes

from toprung.data.judgments import AssessorKind, Choice
from toprung.labels.judges.recorded import NotOnRecordError, RecordedJudge
from toprung.labels.tasks.protocol import Text

Q, A, B, C = (Text(an_id, "") for an_id in "qabc")


def test_an_answer_is_found_whichever_side_it_stood_on() -> None:
    judge = RecordedJudge(votes("q a b left"), name="ann")
    assert judge.compare(Q, A, B).choice is Choice.LEFT
    assert judge.compare(Q, B, A).choice is Choice.RIGHT
    assert not judge.asks_both_orders


@pytest.mark.parametrize("choice", [Choice.TIE, Choice.SKIP])
def test_what_has_no_side_has_none_either_way(choice: Choice) -> None:
    judge = RecordedJudge(votes(f"q a b {choice}"), name="ann")
    assert judge.compare(Q, A, B).choice is judge.compare(Q, B, A).choice is choice


def test_a_model_is_looked_up_order_by_order() -> None:
    judge = RecordedJudge(votes("q a b left"), name="m", kind=AssessorKind.LLM)
    assert judge.asks_both_orders
    assert judge.compare(Q, A, B).choice is Choice.LEFT
    with pytest.raises(NotOnRecordError):
        judge.compare(Q, B, A)


def test_the_last_answer_counts_and_others_are_not_on_record() -> None:
    judge = RecordedJudge(votes("q a b left\nq a b right"), name="ann")
    assert judge.compare(Q, A, B).choice is Choice.RIGHT
    with pytest.raises(NotOnRecordError):
        judge.compare(Q, A, C)

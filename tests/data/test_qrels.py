"""Relevance labels as held in memory."""

from __future__ import annotations

import hashlib
from dataclasses import FrozenInstanceError

import pytest

import toprung as tr
from toprung.data.qrels import Qrels
from toprung.errors import FormatError, InputError

LABELS = {"q2": {"z": 0, "a": 2}, "q1": {"m": -1}}


@pytest.fixture
def qrels() -> Qrels:
    return Qrels.from_dict(LABELS)


def test_labels_come_back_as_they_went_in(qrels: Qrels) -> None:
    assert qrels.to_dict() == LABELS


def test_labels_keep_their_order(qrels: Qrels) -> None:
    assert qrels.query_ids == ("q2", "q1")
    assert qrels.doc_ids == ("z", "a", "m")
    assert qrels.grades.tolist() == [0, 2, -1]
    assert qrels.starts.tolist() == [0, 2, 3]
    assert qrels.query_of_row.tolist() == [0, 0, 1]


def test_rows_of_mixed_up_queries_are_brought_together_in_their_order() -> None:
    qrels = Qrels.from_rows([("q2", "z", 0), ("q1", "m", -1), ("q2", "a", 2)])
    assert qrels.to_dict() == LABELS
    assert qrels.doc_ids == ("z", "a", "m")


def test_a_query_has_an_answer_from_grade_one() -> None:
    qrels = Qrels.from_dict({"q1": {"a": 0, "b": 1}, "q2": {"a": 0}, "q3": {"a": -1}, "q4": {}, "q5": {"a": 3}})
    assert qrels.has_relevant == (True, False, False, False, True)


def test_labels_are_counted(qrels: Qrels) -> None:
    assert (len(qrels), qrels.n_queries) == (3, 2)


def test_labels_say_what_they_are(qrels: Qrels) -> None:
    assert repr(qrels) == "Qrels(2 queries, 3 judgments, grades -1 to 2)"


def test_labels_cannot_be_changed(qrels: Qrels) -> None:
    with pytest.raises(FrozenInstanceError):
        qrels.source = "other"  # type: ignore[misc]


@pytest.mark.parametrize("column", ["starts", "grades", "query_of_row"])
def test_the_columns_of_labels_cannot_be_changed(qrels: Qrels, column: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(qrels, column)[0] = 0


def test_changing_the_dict_they_were_made_from_does_not_change_labels() -> None:
    labels = {"q1": {"a": 1}}
    qrels = Qrels.from_dict(labels)
    labels["q1"]["a"] = 0
    assert qrels.to_dict() == {"q1": {"a": 1}}


def test_the_digest_is_of_the_labels_line_by_line(qrels: Qrels) -> None:
    lines = b"q2\tz\t0\nq2\ta\t2\nq1\tm\t-1\n"
    assert qrels.digest == "sha256:" + hashlib.sha256(lines).hexdigest()


def test_the_digest_does_not_depend_on_where_labels_came_from(qrels: Qrels) -> None:
    assert Qrels.from_dict(LABELS, source="elsewhere").digest == qrels.digest


def test_another_grade_order_or_document_gives_another_digest(qrels: Qrels) -> None:
    others = [
        {"q2": {"z": 1, "a": 2}, "q1": {"m": -1}},
        {"q2": {"a": 2, "z": 0}, "q1": {"m": -1}},
        {"q2": {"y": 0, "a": 2}, "q1": {"m": -1}},
    ]
    assert qrels.digest not in {Qrels.from_dict(other).digest for other in others}


@pytest.mark.parametrize("empty", [{}, {"q1": {}}])
def test_no_labels_at_all_are_refused(empty: dict[str, dict[str, int]]) -> None:
    with pytest.raises(FormatError) as caught:
        Qrels.from_dict(empty, source="mine")
    assert str(caught.value) == "mine: found no judgments; expected at least one judged document."


def test_a_document_judged_twice_is_refused() -> None:
    with pytest.raises(FormatError) as caught:
        Qrels.from_rows([("q1", "a", 1), ("q2", "a", 1), ("q1", "a", 1)], source="mine")
    assert str(caught.value) == (
        "mine: found document 'a' of query 'q1' twice; expected one grade for each document of a query."
    )


@pytest.mark.parametrize("grade", [0.7, float("nan"), 10**10, -(10**10), "1", None], ids=str)
def test_a_grade_that_is_no_whole_number_is_refused_and_never_rounded(grade: object) -> None:
    with pytest.raises(InputError) as caught:
        Qrels.from_dict({"q1": {"a": grade}}, source="mine")  # type: ignore[dict-item]
    assert str(caught.value).startswith(f"mine: found grade {grade!r}; expected a whole number")


@pytest.mark.parametrize("labels", [{7: {"a": 1}}, {"q1": {7: 1}}], ids=["query", "document"])
def test_ids_that_are_no_texts_are_refused(labels: dict[str, dict[str, int]]) -> None:
    with pytest.raises(InputError) as caught:
        Qrels.from_dict(labels, source="mine")
    assert str(caught.value) == "mine: found the id 7; expected texts as query and document ids."


@pytest.mark.parametrize("docs", [{"d1"}, ["d1"], (), "d1", 1, None])
def test_labels_without_grades_are_named(docs: object) -> None:
    with pytest.raises(tr.InputError, match=r"found an? \w+ for query 'q1'; expected a dict with a number for each"):
        tr.evaluate({"q1": docs}, {"q1": {"d1": 1.0}}, "RR")

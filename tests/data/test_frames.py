"""Frames of other tools, translated at the edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pytest

from toprung.data.frames import is_frame
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError

MakeFrame = Callable[[dict[str, list[Any]]], Any]

both_libraries = pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame], ids=["polars", "pandas"])

RUNS = {
    "toprung": {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "rank": [1, 2], "score": [0.25, 0.5]},
    "toprung without ranks": {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [0.25, 0.5]},
    "pyterrier": {
        "qid": ["q1", "q1"],
        "query": ["some words", "some words"],
        "docid": [4711, 4712],
        "docno": ["a", "b"],
        "rank": [1, 0],
        "score": [0.25, 0.5],
    },
    "ir_measures": {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [0.25, 0.5]},
}
LABELS = {
    "toprung": {"query_id": ["q2", "q1"], "doc_id": ["b", "a"], "grade": [0, 2]},
    "pyterrier": {"qid": ["q2", "q1"], "docno": ["b", "a"], "label": [0, 2], "iteration": ["0", "0"]},
    "ir_measures": {"query_id": ["q2", "q1"], "doc_id": ["b", "a"], "relevance": [0, 2], "iteration": ["0", "0"]},
}


@both_libraries
@pytest.mark.parametrize("columns", RUNS.values(), ids=RUNS)
def test_a_run_is_taken_under_the_names_of_every_tool(make: MakeFrame, columns: dict[str, list[Any]]) -> None:
    run = Run.from_frame(make(columns), name="mine")
    assert run.name == "mine"
    assert run.to_frame().rows() == [("q1", "b", 1, 0.5), ("q1", "a", 2, 0.25)]


@both_libraries
@pytest.mark.parametrize("columns", LABELS.values(), ids=LABELS)
def test_labels_are_taken_under_the_names_of_every_tool(make: MakeFrame, columns: dict[str, list[Any]]) -> None:
    assert Qrels.from_frame(make(columns)).to_dict() == {"q2": {"b": 0}, "q1": {"a": 2}}


@both_libraries
def test_whole_numbers_as_ids_are_taken_as_they_print(make: MakeFrame) -> None:
    run = Run.from_frame(make({"qid": [7, 7], "docno": [10, 9], "score": [1.0, 1.0]}))
    assert run.to_frame().rows() == [("7", "9", 1, 1.0), ("7", "10", 2, 1.0)], "tied, so ordered as texts"
    qrels = Qrels.from_frame(make({"qid": [7], "docno": [10], "label": [1]}))
    assert qrels.to_dict() == {"7": {"10": 1}}


@both_libraries
def test_whole_numbers_as_scores_are_numbers(make: MakeFrame) -> None:
    run = Run.from_frame(make({"qid": ["q1", "q1"], "docno": ["a", "b"], "score": [1, 3]}))
    assert run.to_dict() == {"q1": {"b": 3.0, "a": 1.0}}


@both_libraries
def test_without_scores_the_ranks_decide(make: MakeFrame) -> None:
    run = Run.from_frame(make({"qid": ["q1", "q1"], "docno": ["a", "b"], "rank": [5, 2]}))
    assert run.scores is None
    assert run.to_frame().rows() == [("q1", "b", 2), ("q1", "a", 5)]


def test_categories_are_taken_as_texts() -> None:
    frame = pd.DataFrame({"qid": ["q1"], "docno": ["a"], "score": [1.0]}).astype({"qid": "category"})
    assert Run.from_frame(frame).to_dict() == {"q1": {"a": 1.0}}
    polars = pl.DataFrame({"qid": ["q1"], "docno": ["a"], "score": [1.0]}).cast({"qid": pl.Categorical})
    assert Run.from_frame(polars).to_dict() == {"q1": {"a": 1.0}}


def test_an_index_of_another_order_changes_nothing() -> None:
    frame = pd.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "b"], "score": [1.0, 2.0]}, index=[1, 0])
    assert Run.from_frame(frame).to_dict() == {"q1": {"b": 2.0, "a": 1.0}}


def message_of(read: Callable[[Any], object], frame: Any) -> str:
    with pytest.raises(FormatError) as caught:
        read(frame)
    return str(caught.value)


@both_libraries
def test_a_missing_column_is_named_with_what_was_found(make: MakeFrame) -> None:
    message = message_of(Qrels.from_frame, make({"topic": ["q1"], "docno": ["a"], "label": [1]}))
    assert message == (
        "labels: found the columns topic, docno, label; expected one called query_id or qid or query-id. "
        "Rename the columns of the frame."
    )


@both_libraries
def test_a_run_with_neither_scores_nor_ranks_is_asked_for_either(make: MakeFrame) -> None:
    message = message_of(Run.from_frame, make({"qid": ["q1"], "docno": ["a"]}))
    assert message.startswith("run: found the columns qid, docno; expected one called ")
    assert "score" in message
    assert "rank" in message


@both_libraries
@pytest.mark.parametrize(
    "columns",
    [
        {"qid": ["q1", None], "docno": ["a", "b"], "score": [1.0, 2.0]},
        {"qid": ["q1", "q1"], "docno": ["a", None], "score": [1.0, 2.0]},
        {"qid": [0.5, 1.5], "docno": ["a", "b"], "score": [1.0, 2.0]},
        {"qid": ["q1", "q1"], "docno": ["a", "b"], "score": ["high", "low"]},
        {"qid": ["q1", "q1"], "docno": ["a", "b"], "score": [1.0, None]},
        {"qid": ["q1", "q1"], "docno": ["a", "b"], "rank": [1.0, 2.0]},
    ],
    ids=["no query", "no document", "fractional ids", "scores as texts", "no score", "fractional ranks"],
)
def test_a_frame_that_is_not_a_run_is_refused(make: MakeFrame, columns: dict[str, list[Any]]) -> None:
    assert message_of(Run.from_frame, make(columns)).startswith("run: found ")


def test_a_pandas_value_that_is_missing_is_refused() -> None:
    scores = pd.array([1.0, None], dtype="Float64")
    frame = pd.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "b"], "score": scores})
    assert "score" in message_of(Run.from_frame, frame)


def test_ids_of_more_than_one_type_are_refused() -> None:
    frame = pd.DataFrame({"qid": ["q1", 5], "docno": ["a", "b"], "score": [1.0, 2.0]})
    assert "query_id" in message_of(Run.from_frame, frame)


def test_the_type_and_the_missing_values_are_told() -> None:
    frame = pl.DataFrame({"qid": ["q1", None], "docno": ["a", "b"], "score": [1.0, 2.0]})
    assert message_of(Run.from_frame, frame) == (
        "run: found query_id of type String with 1 missing values; expected texts or whole numbers, none missing."
    )


@both_libraries
@pytest.mark.parametrize("grades", [[1.5, 0.0], ["1", "0"], [True, False]], ids=["fractional", "texts", "booleans"])
def test_grades_are_whole_numbers(make: MakeFrame, grades: list[Any]) -> None:
    message = message_of(Qrels.from_frame, make({"qid": ["q1", "q1"], "docno": ["a", "b"], "label": grades}))
    assert message.startswith("labels: found grade of type ")
    assert message.endswith("; expected whole numbers, none missing.")


@both_libraries
def test_grades_that_are_whole_may_be_held_as_floats(make: MakeFrame) -> None:
    qrels = Qrels.from_frame(make({"query-id": ["q1", "q1"], "corpus-id": ["a", "b"], "score": [1.0, 0.0]}))
    assert qrels.to_dict() == {"q1": {"a": 1, "b": 0}}


@both_libraries
def test_a_grade_too_large_to_hold_is_refused(make: MakeFrame) -> None:
    assert "10000000000" in message_of(Qrels.from_frame, make({"qid": ["q1"], "docno": ["a"], "label": [10**10]}))


@both_libraries
@pytest.mark.parametrize("ranks", [[0, 1], [-1, 2], [1, 2**31]])
def test_ranks_begin_at_one(make: MakeFrame, ranks: list[int]) -> None:
    message = message_of(Run.from_frame, make({"qid": ["q1", "q1"], "docno": ["a", "b"], "rank": ranks}))
    assert message == f"run: found ranks from {ranks[0]} to {ranks[1]}; expected ranks from 1."


@both_libraries
def test_a_score_that_is_not_finite_is_refused_with_its_row(make: MakeFrame) -> None:
    for score in (float("nan"), float("-inf")):
        message = message_of(Run.from_frame, make({"qid": ["q1", "q1"], "docno": ["a", "b"], "score": [1.0, score]}))
        assert message.lower() == (
            f"run: found score {score} in row 2 (document 'b' of query 'q1'); expected a finite number."
        )


@both_libraries
def test_a_document_twice_in_a_query_is_refused(make: MakeFrame) -> None:
    message = message_of(Run.from_frame, make({"qid": ["q1", "q1"], "docno": ["a", "a"], "score": [1.0, 2.0]}))
    assert message == "run: found document 'a' of query 'q1' twice; expected each document at most once in a query."


@both_libraries
def test_a_rank_twice_in_a_query_is_refused_where_ranks_decide(make: MakeFrame) -> None:
    message = message_of(Run.from_frame, make({"qid": ["q1", "q1"], "docno": ["a", "b"], "rank": [3, 3]}))
    assert message == "run: found rank '3' of query 'q1' twice; expected each rank at most once in a query."


def test_an_empty_frame_is_refused() -> None:
    frame = pl.DataFrame(schema={"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64})
    assert message_of(Run.from_frame, frame) == "run: found no rows; expected at least one retrieved document."
    labels = pl.DataFrame(schema={"query_id": pl.String, "doc_id": pl.String, "grade": pl.Int64})
    assert message_of(Qrels.from_frame, labels) == "labels: found no judgments; expected at least one judged document."


def test_frames_are_told_from_other_things() -> None:
    assert is_frame(pl.DataFrame())
    assert is_frame(pd.DataFrame())
    for other in ({}, "a.run", pl.Series([1]), pd.Series([1]), None):
        assert not is_frame(other)

"""A run as held in memory."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import polars as pl
import pytest

from toprung.data.run import Run
from toprung.errors import FormatError, InputError

SCORES = {"q2": {"a": 0.25, "b": 0.5, "c": 0.1}, "q1": {"a": 3.0}}


@pytest.fixture
def run() -> Run:
    return Run.from_dict(SCORES, name="toy")


@pytest.fixture
def ranked() -> Run:
    """A run without scores, with gaps in its ranks."""
    columns = {"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"], "rank": [7, 2, 4]}
    return Run.from_frame(pl.DataFrame(columns), name="ranked")


def test_a_run_from_a_dict_is_in_ranking_order(run: Run) -> None:
    assert run.to_frame().rows() == [
        ("q2", "b", 1, 0.5),
        ("q2", "a", 2, 0.25),
        ("q2", "c", 3, 0.1),
        ("q1", "a", 1, 3.0),
    ]


def test_queries_keep_the_order_they_were_given_in(run: Run) -> None:
    assert run.query_ids == ("q2", "q1")
    assert run.starts.tolist() == [0, 3, 4]
    assert run.query_of_row.tolist() == [0, 0, 0, 1]


def test_a_document_is_held_once_however_often_it_is_retrieved(run: Run) -> None:
    assert run.doc_ids.to_list() == ["b", "a", "c", "a"]


def test_a_dict_comes_back_as_it_went_in(run: Run) -> None:
    assert run.to_dict() == SCORES


def test_a_run_without_scores_gives_one_over_rank(ranked: Run) -> None:
    assert ranked.to_dict() == {"q1": {"b": 0.5, "a": 1 / 7}, "q2": {"a": 0.25}}
    assert ranked.to_frame().columns == ["query_id", "doc_id", "rank"]


def test_scores_may_be_whole_or_numpy_numbers() -> None:
    run = Run.from_dict({"q1": {"a": 1, "b": np.float32(2.5), "c": np.int64(3)}})
    assert run.to_dict() == {"q1": {"c": 3.0, "b": 2.5, "a": 1.0}}


def test_equal_scores_are_ordered_by_document_descending() -> None:
    run = Run.from_dict({"q1": {"a": 1.0, "é": 1.0, "b": 2.0, "z": 1.0, "-": -0.0, ".": 0.0}})
    assert list(run.to_dict()["q1"]) == ["b", "é", "z", "a", ".", "-"]


def test_the_top_of_a_run_is_the_first_ranks_of_each_query(run: Run) -> None:
    top = run.top(2)
    assert top.to_frame().rows() == [("q2", "b", 1, 0.5), ("q2", "a", 2, 0.25), ("q1", "a", 1, 3.0)]
    assert top.starts.tolist() == [0, 2, 3]
    assert (top.name, top.query_ids) == ("toy", ("q2", "q1"))
    assert len(run) == 4, "the run itself is not cut"


def test_the_top_deeper_than_the_run_is_the_run(run: Run) -> None:
    assert run.top(1000).to_frame().equals(run.to_frame())


def test_the_top_is_told_by_rank_and_not_by_position(ranked: Run) -> None:
    top = ranked.top(4)
    assert top.to_frame().rows() == [("q1", "b", 2), ("q2", "a", 4)]
    assert ranked.top(2).query_ids == ("q1",), "nothing of q2 is left"


def test_a_run_cannot_be_changed(run: Run) -> None:
    with pytest.raises(FrozenInstanceError):
        run.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("column", ["starts", "ranks", "scores"])
def test_the_columns_of_a_run_cannot_be_changed(run: Run, column: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(run, column)[0] = 0


def test_a_run_says_what_it_is(run: Run, ranked: Run) -> None:
    assert repr(run) == "Run('toy', 2 queries, 4 rows)"
    assert repr(ranked.top(2)) == "Run('ranked', 1 query, 1 rows)"
    many = Run.from_dict({"q1": {f"d{i}": float(i) for i in range(1234)}})
    assert repr(many) == "Run('run', 1 query, 1,234 rows)"
    assert len(many) == 1234


def test_ordered_anew_as_32_bit_numbers_documents_decide_the_tie() -> None:
    run = Run.from_dict({"q1": {"a": 0.100000001, "b": 0.1}})
    assert run.to_ordered().frame["doc_id"].to_list() == ["a", "b"]
    assert run.to_ordered(float32_ties=True).frame["doc_id"].to_list() == ["b", "a"]


@pytest.mark.parametrize("empty", [{}, {"q1": {}}])
def test_a_run_without_rows_is_refused(empty: dict[str, dict[str, float]]) -> None:
    with pytest.raises(FormatError) as caught:
        Run.from_dict(empty, name="toy")
    assert str(caught.value) == "toy: found no rows; expected at least one retrieved document."


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_score_that_is_not_finite_is_refused(score: float) -> None:
    with pytest.raises(FormatError) as caught:
        Run.from_dict({"q1": {"a": 1.0}, "q2": {"b": score}}, name="toy")
    assert str(caught.value).lower() == (
        f"toy: found score {score} in row 2 (document 'b' of query 'q2'); expected a finite number."
    )


@pytest.mark.parametrize(
    ("run", "found"),
    [
        ({1: {"a": 1.0}}, "the id 1"),
        ({"q1": {2: 1.0}}, "the id 2"),
        ({"q1": {"a": "high"}}, "score 'high'"),
        ({"q1": {"a": None}}, "score None"),
        ({"q1": {"a": 10**400}}, "score 1000"),
    ],
    ids=["query", "document", "score as text", "no score", "score beyond all numbers"],
)
def test_a_dict_of_other_types_is_refused(run: dict[str, dict[str, float]], found: str) -> None:
    with pytest.raises(InputError) as caught:
        Run.from_dict(run, name="toy")
    assert str(caught.value).startswith(f"toy: found {found}")

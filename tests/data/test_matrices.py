"""Matrices of queries × runs."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import InputError


@pytest.fixture
def ranks() -> FirstRanks:
    values = np.array([[1, 0], [3, 4], [5, 6]], dtype=np.int32)
    return FirstRanks(query_ids=("q2", "q10", "q1"), runs=("bm25", "bert"), values=values, cutoff=10)


def test_rows_are_sorted_by_query_whatever_order_they_came_in(ranks: FirstRanks) -> None:
    assert ranks.query_ids == ("q1", "q10", "q2")
    assert ranks.values.tolist() == [[5, 6], [3, 4], [1, 0]]
    assert ranks.runs == ("bm25", "bert"), "runs keep their order"


def test_a_matrix_is_a_table_with_a_column_for_each_run(ranks: FirstRanks) -> None:
    frame = ranks.to_frame()
    assert frame.columns == ["query_id", "bm25", "bert"]
    assert frame.rows() == [("q1", 5, 6), ("q10", 3, 4), ("q2", 1, 0)]


def test_runs_are_selected_in_the_order_asked_for(ranks: FirstRanks) -> None:
    selected = ranks.select(["bert", "bm25"])
    assert selected.runs == ("bert", "bm25")
    assert selected.values.tolist() == [[6, 5], [4, 3], [0, 1]]
    assert isinstance(selected, FirstRanks)
    assert selected.cutoff == 10
    assert ranks.select(["bert"]).values.tolist() == [[6], [4], [0]]


def test_an_unknown_run_is_refused_with_the_known_ones(ranks: FirstRanks) -> None:
    with pytest.raises(InputError) as caught:
        ranks.select(["bert", "t5"])
    assert str(caught.value) == "Found no run 't5'; expected one of bm25, bert."


def test_a_run_cannot_be_selected_twice(ranks: FirstRanks) -> None:
    with pytest.raises(InputError, match="Found run 'bert' twice; expected each run once"):
        ranks.select(["bert", "bert"])


def test_queries_are_selected_and_those_not_here_are_counted(ranks: FirstRanks) -> None:
    public = ranks.select_queries(["q2", "q1"], name="public")
    assert (public.query_ids, public.values.tolist(), public.remarks) == (("q1", "q2"), [[5, 6], [1, 0]], ())
    private = replace(ranks, remarks=("so it was",)).select_queries({"q10", "q11", "q12"}, name="private")
    assert private.query_ids == ("q10",)
    assert private.remarks == ("so it was", "private: left out 2 of 3 queries listed, which have no values here.")
    assert private.cutoff == 10


def test_a_set_of_queries_that_are_all_unknown_is_refused(ranks: FirstRanks) -> None:
    with pytest.raises(InputError) as caught:
        ranks.select_queries(["q11"], name="private")
    assert str(caught.value) == (
        "private: found 1 query, none of them with values; expected at least one in common. "
        "Are these the ids of the labelled queries?"
    )


def test_a_matrix_cannot_be_changed(ranks: FirstRanks) -> None:
    with pytest.raises(FrozenInstanceError):
        ranks.runs = ("other",)  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        ranks.values[0, 0] = 99


def test_changing_the_array_it_was_made_from_does_not_change_a_matrix() -> None:
    values = np.array([[1.0]])
    table = ScoreTable(query_ids=("q1",), runs=("a",), values=values, measure="RR")
    values[0, 0] = 0.0
    assert table.values.tolist() == [[1.0]]


def test_a_query_twice_is_refused() -> None:
    with pytest.raises(InputError, match="Found query 'q1' twice; expected each query once"):
        ScoreTable(query_ids=("q1", "q1"), runs=("a",), values=np.zeros((2, 1)), measure="RR")


@pytest.mark.parametrize("shape", [(1, 2), (2, 2), (2,), (2, 1, 1)])
def test_values_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError) as caught:
        ScoreTable(query_ids=("q1", "q2"), runs=("a",), values=np.zeros(shape), measure="RR")
    assert str(caught.value) == f"Found a matrix of shape {shape}; expected 2 queries × 1 run."


@pytest.mark.parametrize("value", [1e308, -2e8, np.inf])
def test_a_score_too_large_to_square_is_refused(value: float) -> None:
    with pytest.raises(InputError) as caught:
        ScoreTable(query_ids=("q2", "q1"), runs=("a", "b"), values=np.array([[0.1, value], [1e8, 0.3]]), measure="RR")
    assert str(caught.value) == (
        f"RR: found {value:g} in query 'q2' of run 'b'; expected a size of at most 1e+08. Rescale the measure."
    )


def test_tiny_scores_and_missing_ones_are_kept() -> None:
    table = ScoreTable(query_ids=("q1", "q2"), runs=("a",), values=np.array([[5e-324], [np.nan]]), measure="RR")
    assert table.values[0, 0] == 5e-324
    assert np.isnan(table.values[1, 0])


def test_a_matrix_says_what_it_is(ranks: FirstRanks) -> None:
    assert repr(ranks) == "FirstRanks(3 queries × 2 runs)"
    table = ScoreTable(query_ids=("q1",), runs=("a",), values=np.array([[0.5]]), measure="RR@10")
    assert repr(table) == "ScoreTable(1 query × 1 run)"
    assert table.measure == "RR@10"


def test_the_digest_follows_the_values_and_not_the_order_of_the_runs() -> None:
    table = FirstRanks(query_ids=("a", "b"), runs=("x", "y"), values=np.array([[1, 2], [3, 4]]), cutoff=None)
    turned = FirstRanks(query_ids=("b", "a"), runs=("y", "x"), values=np.array([[4, 3], [2, 1]]), cutoff=None)
    other = FirstRanks(query_ids=("a", "b"), runs=("x", "y"), values=np.array([[1, 2], [3, 5]]), cutoff=None)
    assert table.digest == turned.digest != other.digest


def test_rows_that_are_in_order_already_are_copied_all_the_same() -> None:
    values = np.array([[1.0], [0.5]])
    table = ScoreTable(query_ids=("q1", "q2"), runs=("A",), values=values, measure="RR")
    values[0, 0] = 0.0
    assert table.values.tolist() == [[1.0], [0.5]]
    assert not table.values.flags.writeable


def test_all_queries_selected_are_the_same_matrix(ranks: FirstRanks) -> None:
    assert ranks.select_queries(("q1", "q10", "q2"), name="all") is ranks
    assert ranks.select_queries(("q2", "q10", "q1"), name="all").values.tolist() == ranks.values.tolist()

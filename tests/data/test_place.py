"""Labelled documents looked up in a run."""

from __future__ import annotations

import pytest

from toprung.data.place import place_run
from toprung.data.qrels import Qrels
from toprung.data.run import Run

RUN = Run.from_dict({"q2": {"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.5, "e": 0.1}, "q9": {"a": 1.0}}, name="toy")
QRELS = Qrels.from_dict({"q1": {"a": 1}, "q2": {"z": 1, "e": 0, "c": 2, "a": 1}})


def test_each_labelled_document_gets_its_rank_in_the_order_of_the_labels() -> None:
    placed = place_run(RUN, QRELS)
    assert placed.run == "toy"
    assert placed.qrels is QRELS
    assert placed.rank.tolist() == [0, 0, 5, 3, 1]


def test_ties_give_the_first_and_last_rank_a_document_could_have() -> None:
    placed = place_run(RUN, QRELS)
    assert placed.tie_first.tolist() == [0, 0, 5, 2, 1]
    assert placed.tie_last.tolist() == [0, 0, 5, 4, 1]
    assert placed.has_ties


def test_queries_are_counted_whether_missing_or_unknown() -> None:
    placed = place_run(RUN, QRELS)
    assert placed.retrieved.tolist() == [0, 5]
    assert placed.n_unknown_queries == 1
    assert placed.n_rows == 6


def test_a_document_of_another_query_is_not_found() -> None:
    placed = place_run(Run.from_dict({"q1": {"a": 1.0}, "q2": {"b": 1.0}}), Qrels.from_dict({"q1": {"b": 1}}))
    assert placed.rank.tolist() == [0]


def test_without_any_shared_query_everything_is_nought() -> None:
    placed = place_run(RUN, Qrels.from_dict({"q5": {"a": 1}}))
    assert placed.rank.tolist() == [0]
    assert placed.retrieved.tolist() == [0]
    assert placed.n_unknown_queries == 2
    assert not placed.has_ties


@pytest.mark.parametrize(("float32_ties", "ranks"), [(False, [1, 2]), (True, [2, 1])])
def test_a_run_in_memory_can_be_placed_by_32_bit_scores(float32_ties: bool, ranks: list[int]) -> None:
    run = Run.from_dict({"q1": {"a": 0.100000001, "b": 0.1}})
    placed = place_run(run, Qrels.from_dict({"q1": {"a": 1, "b": 1}}), float32_ties=float32_ties)
    assert placed.rank.tolist() == ranks
    assert placed.has_ties == float32_ties


def test_a_tie_that_touches_no_labelled_document_is_no_tie_to_speak_of() -> None:
    assert not place_run(RUN, Qrels.from_dict({"q2": {"a": 1, "e": 1}})).has_ties

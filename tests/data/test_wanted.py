"""Labelled documents, made ready to be looked up."""

from __future__ import annotations

from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.data.wanted import WantedDocuments

QRELS = Qrels.from_dict({"q1": {"a": 1}, "q2": {"z": 1, "e": 0, "c": 2, "a": 1}})
RUN = Run.from_dict({"q2": {"a": 0.9, "b": 0.5, "e": 0.1}, "q9": {"a": 1.0, "z": 0.5}})


def find(run: Run, qrels: Qrels) -> set[tuple[int, int]]:
    at, rows = WantedDocuments.of(qrels).find(run.to_ordered())
    return set(zip(at.tolist(), rows.tolist(), strict=True))


def test_the_labels_as_a_table_know_their_rows() -> None:
    frame = WantedDocuments.of(QRELS).frame
    assert frame.rows()[:3] == [("q1", "a", 0), ("q2", "z", 1), ("q2", "e", 2)]


def test_rows_are_found_by_query_and_document() -> None:
    # The rows of the run are q2 a, q2 b, q2 e, q9 a, q9 z; those of the labels q1 a, q2 z, q2 e, q2 c, q2 a.
    assert find(RUN, QRELS) == {(0, 4), (2, 2)}


def test_nothing_is_found_where_nothing_is_shared() -> None:
    assert find(RUN, Qrels.from_dict({"q2": {"x": 1}})) == set()


def test_of_many_documents_just_the_labelled_ones_are_found_whatever_shares_their_hash() -> None:
    # A table of 64 places for one document: hundreds of the 20,000 others fall on its place.
    run = Run.from_dict({"q": {f"d{number}": -float(number) for number in range(20_000)}})
    assert find(run, Qrels.from_dict({"q": {"d12345": 1}})) == {(12_345, 0)}


def test_the_same_labels_serve_many_runs() -> None:
    wanted = WantedDocuments.of(QRELS)
    for run, expected in ((RUN, [0, 2]), (Run.from_dict({"q1": {"b": 2.0, "a": 1.0}}), [1])):
        at, _ = wanted.find(run.to_ordered())
        assert sorted(at.tolist()) == expected

"""What one version of the labels changes, counted by hand."""

from __future__ import annotations

import pytest

from toprung.data.qrels import Qrels
from toprung.data.qrels_difference import compare_qrels, find_losses

BEFORE = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}, "q3": {"d4": 1}, "q4": {"d5": 1}}
"""Five labels on four queries."""


def difference_to(after: dict[str, dict[str, int]]) -> dict[str, int]:
    found = compare_qrels(Qrels.from_dict(BEFORE), Qrels.from_dict(after)).to_dict()
    return {name: number for name, number in found.items() if number}


def test_the_same_labels_in_another_order_do_not_differ() -> None:
    assert difference_to(dict(reversed(BEFORE.items()))) == {}
    assert compare_qrels(Qrels.from_dict(BEFORE), Qrels.from_dict(BEFORE)).is_none


def test_queries_come_and_go_with_their_labels() -> None:
    after = {"q1": BEFORE["q1"], "q2": BEFORE["q2"], "q9": {"d8": 1, "d9": 2}}
    assert difference_to(after) == {"queries_added": 1, "queries_removed": 2, "labels_added": 2, "labels_removed": 2}


def test_another_grade_is_another_answer_only_where_relevance_changes() -> None:
    assert difference_to(BEFORE | {"q2": {"d3": 2}}) == {"grades_changed": 1}
    assert difference_to(BEFORE | {"q1": {"d1": 1, "d2": 1}}) == {"grades_changed": 1, "answers_changed": 1}


def test_another_document_is_a_label_less_and_one_more() -> None:
    assert difference_to(BEFORE | {"q4": {"d6": 1}}) == {"labels_added": 1, "labels_removed": 1, "answers_changed": 1}


def test_a_document_that_is_found_not_relevant_changes_no_answer() -> None:
    assert difference_to(BEFORE | {"q4": {"d5": 1, "d6": 0}}) == {"labels_added": 1}


def losses(before: dict[str, dict[str, int]], after: dict[str, dict[str, int]]) -> str:
    found = find_losses(Qrels.from_dict(before), Qrels.from_dict(after))
    return found.say() if found else ""


def best_answers(*n_docs: int) -> dict[str, dict[str, int]]:
    """So many documents of grade 1 for each query."""
    return {f"q{number}": {f"d{doc}": 1 for doc in range(n)} for number, n in enumerate(n_docs, 1)}


def test_what_graded_labels_lose_is_counted() -> None:
    """q1 loses a judged document that is not relevant and one grade, q2 a relevant document; q3 loses nothing."""
    before = {"q1": {"a": 3, "b": 0}, "q2": {"c": 1, "d": 2}, "q3": {"e": 1}}
    after = {"q1": {"a": 2, "n": 3}, "q2": {"d": 3}, "q3": {"e": 1, "f": 1}}
    assert losses(before, after) == "leave out 2 of the 5 judged documents and lower 1 grade (queries q1 and q2)"


def test_what_is_added_or_raised_is_no_loss() -> None:
    assert losses({"q1": {"a": 2, "b": 0}}, {"q1": {"a": 2, "b": 2, "c": 0}, "q2": {"d": 1}}) == ""


def test_of_many_queries_three_are_named() -> None:
    before = {f"q{number}": {"a": 2, "b": 1} for number in range(1200)}
    after = {query: {"a": 2} for query in before}
    assert losses(before, after) == "leave out 1,200 of the 2,400 judged documents (queries q0, q1, q2 and 1197 more)"


def test_a_name_shows_what_nobody_sees() -> None:
    assert losses({"q\x1b": {"a": 2, "b": 0}}, {"q\x1b": {"a": 2}}).endswith("(query q\\x1b)")


@pytest.mark.parametrize("labels", [best_answers(1, 1), {"q1": {"a": 2}, "q2": {"c": 1}}])
def test_a_query_that_is_left_out_is_lost_of_any_labels(labels: dict[str, dict[str, int]]) -> None:
    assert (
        losses(labels, {"q1": labels["q1"]})
        == "leave out 1 of the 2 queries and 1 of the 2 judged documents (query q2)"
    )


def test_best_answers_alone_give_way_to_others() -> None:
    """Of one grade and about one for each query: some are tied, and MS MARCO has 7,437 documents for 6,980 queries."""
    before = best_answers(2, 1, 1, 1)
    assert losses(before, before | {"q1": {"n": 1}, "q2": {"n": 1}}) == ""
    like_ms_marco = best_answers(*([1] * 6590 + [2] * 331 + [3] * 51 + [4] * 8))
    assert losses(like_ms_marco, {query: {"n": 1} for query in like_ms_marco}) == ""


def test_several_relevant_documents_for_most_queries_are_no_best_answers() -> None:
    """They are the relevant documents that are known, and a new one makes none of them wrong."""
    assert losses(best_answers(4), {"q1": {"z": 1}}) == "leave out 4 of the 4 judged documents (query q1)"
    before = best_answers(2, 2, 1)
    assert losses(before, before | {"q1": {"n": 1}}) == "leave out 2 of the 5 judged documents (query q1)"


def test_documents_judged_not_relevant_make_labels_graded() -> None:
    before = {"q1": {"a": 1}, "q2": {"c": 1, "d": 0}}
    assert losses(before, before | {"q1": {"n": 1}}) == "leave out 1 of the 3 judged documents (query q1)"


def test_a_query_without_an_answer_leaves_best_answers_what_they_are() -> None:
    before = {"q1": {"a": 1}, "q2": {"b": 0}}
    assert losses(before, before | {"q1": {"n": 1}}) == ""

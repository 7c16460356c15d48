"""What one version of the labels changes, counted by hand."""

from __future__ import annotations

from toprung.data.qrels import Qrels
from toprung.data.qrels_difference import compare_qrels, say_losses

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


def test_what_graded_labels_lose_is_counted() -> None:
    """q1 loses a judged document that is not relevant and one grade, q2 a relevant document; q3 loses nothing."""
    before = Qrels.from_dict({"q1": {"a": 3, "b": 0}, "q2": {"c": 1, "d": 2}, "q3": {"e": 1}})
    after = Qrels.from_dict({"q1": {"a": 2, "n": 3}, "q2": {"d": 3}, "q3": {"e": 1, "f": 1}})
    assert say_losses(before, after) == "2 of 5 judged documents left out and 1 grade lowered, on 2 queries"


def test_a_query_that_is_left_out_is_lost() -> None:
    before = Qrels.from_dict({"q1": {"a": 2}, "q2": {"c": 1}})
    assert say_losses(before, Qrels.from_dict({"q1": {"a": 2}})) == "1 of 2 judged documents left out, on 1 query"


def test_what_is_added_or_raised_is_no_loss() -> None:
    before = Qrels.from_dict({"q1": {"a": 2, "b": 0}})
    assert say_losses(before, Qrels.from_dict({"q1": {"a": 2, "b": 2, "c": 0}, "q2": {"d": 1}})) == ""


def test_best_answers_alone_give_way_to_others() -> None:
    """Labels of one grade, with nothing judged not relevant, are best answers: these are there to be replaced."""
    before = Qrels.from_dict({"q1": {"a": 1, "b": 1}, "q2": {"c": 1}})
    assert say_losses(before, Qrels.from_dict({"q1": {"n": 1}})) == ""


def test_documents_judged_not_relevant_make_labels_graded() -> None:
    before = Qrels.from_dict({"q1": {"a": 1}, "q2": {"c": 1, "d": 0}})
    after = Qrels.from_dict({"q1": {"n": 1}, "q2": {"c": 1, "d": 0}})
    assert say_losses(before, after) == "1 of 3 judged documents left out, on 1 query"

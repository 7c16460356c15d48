from __future__ import annotations

import numpy as np

import toprung as tr
from toprung.data.place import place_run
from toprung.scoring.ranked_labels import LabelledQueries, RankedLabels, ratio

QRELS = tr.Qrels.from_dict({"q2": {"a": 1, "b": 2, "c": 0}, "q9": {"a": 0}, "q1": {"a": 1}})


def ranked(run: dict[str, dict[str, float]]) -> RankedLabels:
    labels = LabelledQueries.of(QRELS)
    return RankedLabels.of(place_run(tr.Run.from_dict(run), QRELS), labels)


def test_scored_queries_are_those_with_a_relevant_document_sorted_by_id() -> None:
    labels = LabelledQueries.of(QRELS)
    assert labels.query_ids == ("q1", "q2")
    assert len(labels) == 2
    assert labels.n_left_out == 1


def test_relevant_documents_are_counted_from_the_grade_asked_for() -> None:
    labels = LabelledQueries.of(QRELS)
    assert labels.count_relevant(1).tolist() == [1, 2]
    assert labels.count_relevant(2).tolist() == [0, 1]
    assert labels.count_relevant(3).tolist() == [0, 0]


def test_the_ideal_ranking_has_the_best_grades_first() -> None:
    ideal = LabelledQueries.of(QRELS).ideal
    assert ideal.query.tolist() == [0, 1, 1, 1]
    assert ideal.rank.tolist() == [1, 1, 2, 3]
    assert ideal.grade.tolist() == [1, 2, 1, 0]


def test_labelled_documents_stand_by_query_then_by_rank() -> None:
    # q2: x, b, c, a (a and c tie, and c is the greater id); q1 is missing; q9 has nothing relevant.
    rows = ranked({"q2": {"a": 1.0, "b": 2.0, "c": 1.0, "x": 3.0}, "q9": {"a": 1.0}})
    assert rows.query.tolist() == [1, 1, 1]
    assert rows.rank.tolist() == [2, 3, 4]
    assert rows.grade.tolist() == [2, 0, 1]
    assert rows.retrieved.tolist() == [0, 4]


def test_cuts_keep_what_stands_high_enough_or_is_good_enough() -> None:
    rows = ranked({"q2": {"a": 1.0, "b": 2.0, "c": 1.0, "x": 3.0}})
    assert rows.up_to(3).rank.tolist() == [2, 3]
    assert rows.up_to(None).rank.tolist() == [2, 3, 4]
    assert rows.relevant(1).rank.tolist() == [2, 4]
    assert rows.relevant(1).place_in_query().tolist() == [1, 2]
    assert rows.relevant(1).count_by_query().tolist() == [0, 2]


def test_ties_are_broken_for_and_against_the_better_label() -> None:
    labels = LabelledQueries.of(QRELS)
    run = tr.Run.from_dict({"q2": {"a": 1.0, "b": 1.0, "c": 1.0, "x": 1.0, "y": 2.0}})
    placement = place_run(run, QRELS)
    # ranks 2 to 5 are one tie of a (1), b (2), c (0) and x (no label)
    best = RankedLabels.best_of_ties(placement, labels)
    assert list(zip(best.rank.tolist(), best.grade.tolist(), strict=True)) == [(2, 2), (3, 1), (4, 0)]
    worst = RankedLabels.worst_of_ties(placement, labels)
    assert list(zip(worst.rank.tolist(), worst.grade.tolist(), strict=True)) == [(3, 0), (4, 1), (5, 2)]


def test_a_ratio_without_denominator_is_0() -> None:
    assert ratio(np.array([1.0, 3.0]), np.array([0.0, 2.0])).tolist() == [0, 1.5]

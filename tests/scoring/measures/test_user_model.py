from __future__ import annotations

from collections.abc import Callable

import pytest

Score = Callable[..., dict[str, float]]

# Ranking: x (no label), a (grade 1), f (0), c (2), y (no label). The highest grade, 3, was not found.
LABELS = "q1 0 a 1\nq1 0 f 0\nq1 0 c 2\nq1 0 e 1\nq1 0 z 3\n"
RUN = "q1 Q0 x 1 5 t\nq1 Q0 a 2 4 t\nq1 Q0 f 3 3 t\nq1 Q0 c 4 2 t\nq1 Q0 y 5 1 t\n"


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # (1 - p) × (1/3 × p^1 + 2/3 × p^3)
        ("RBP(p=0.5)", 0.5 * (1 / 6 + 1 / 12)),
        ("RBP(p=0.5)@3", 0.5 * (1 / 6)),
        ("RBP", 0.2 * (0.8 / 3 + 2 * 0.512 / 3)),
        ("RBP(p=0.5)@1", 0),
    ],
)
def test_rbp_gains_each_grade_as_its_share_of_the_highest(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("RBP(p=0.5, rel=1)", 0.5 * (0.5 + 0.125)),
        ("RBP(p=0.5, rel=2)", 0.5 * 0.125),
        ("RBP(p=0.5, rel=1)@2", 0.5 * 0.5),
        ("RBP(p=0.5, rel=3)", 0),
    ],
)
def test_rbp_with_rel_gains_1_for_each_relevant_document(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


def test_the_highest_grade_of_rbp_is_that_of_all_labels_not_of_the_query(score: Score) -> None:
    labels = "q1 0 a 1\nq2 0 b 4\n"
    run = "q1 Q0 a 1 1 t\nq2 Q0 b 1 1 t\n"
    assert score("RBP(p=0.5)", labels, run) == pytest.approx({"q1": 0.5 / 4, "q2": 0.5})


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # a stops the user with chance (2^1 - 1) / 16 = 1/16, c with (2^2 - 1) / 16 = 3/16
        ("ERR", 1 / 2 * 1 / 16 + 1 / 4 * 15 / 16 * 3 / 16),
        ("ERR@3", 1 / 2 * 1 / 16),
        ("ERR@1", 0),
    ],
)
def test_err_is_the_expected_reciprocal_of_where_the_user_stops(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


def test_err_by_hand_on_three_grades_in_a_row(score: Score) -> None:
    labels = "q1 0 a 3\nq1 0 b 2\nq1 0 c 4\n"
    run = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\n"
    # chances 7/16, 3/16, 15/16: 7/16 + 9/16 × 3/16 / 2 + 9/16 × 13/16 × 15/16 / 3
    assert score("ERR", labels, run)["q1"] == pytest.approx(0.4375 + 0.052734375 + 0.142822265625)


def test_err_is_computed_query_by_query(score: Score) -> None:
    labels = "q1 0 a 1\nq2 0 a 4\nq2 0 b -1\n"
    run = "q1 Q0 a 1 1 t\nq2 Q0 b 1 2 t\nq2 Q0 a 2 1 t\n"
    assert score("ERR", labels, run) == pytest.approx({"q1": 1 / 16, "q2": 15 / 16 / 2})

from __future__ import annotations

from collections.abc import Callable

import pytest

Score = Callable[..., dict[str, float]]

# Ranking: x (no label), a (grade 1), f (0), c (2), y (no label); e (1) and z (3) were not found.
LABELS = "q1 0 a 1\nq1 0 f 0\nq1 0 c 2\nq1 0 e 1\nq1 0 z 3\n"
RUN = "q1 Q0 x 1 5 t\nq1 Q0 a 2 4 t\nq1 Q0 f 3 3 t\nq1 Q0 c 4 2 t\nq1 Q0 y 5 1 t\n"


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("P@1", 0), ("P@2", 1 / 2), ("P@4", 2 / 4), ("P(rel=2)@4", 1 / 4), ("P(rel=3)@5", 0)],
)
def test_p_is_the_relevant_share_of_the_first_k(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


def test_p_counts_the_ranks_that_a_short_list_leaves_empty(score: Score) -> None:
    assert score("P@10", LABELS, RUN)["q1"] == pytest.approx(2 / 10)  # five documents, as if five more were bad


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("R", 2 / 4), ("R@2", 1 / 4), ("R@1", 0), ("R(rel=2)", 1 / 2), ("R(rel=2)@3", 0), ("R(rel=4)", 0)],
)
def test_r_is_the_found_share_of_the_relevant(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("Success@1", 0), ("Success@2", 1), ("Success@100", 1), ("Success(rel=2)@3", 0), ("Success(rel=2)@4", 1)],
)
def test_success_is_1_if_anything_relevant_is_among_the_first_k(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN) == {"q1": expected}


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("Judged@1", 0), ("Judged@2", 1 / 2), ("Judged@4", 3 / 4), ("Judged", 3 / 5)],
)
def test_judged_is_the_labelled_share_of_the_first_k(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


def test_judged_of_a_list_shorter_than_k_is_a_share_of_that_list(score: Score) -> None:
    assert score("Judged@10", LABELS, RUN)["q1"] == pytest.approx(3 / 5)


def test_judged_of_a_query_missing_from_the_run_is_0(score: Score) -> None:
    labels, run = "q1 0 a 1\nq2 0 b 1\n", "q1 Q0 a 1 1 t\n"
    assert score("Judged@10", labels, run) == {"q1": 1, "q2": 0}

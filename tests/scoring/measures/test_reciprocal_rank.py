from __future__ import annotations

import math
from collections.abc import Callable

import pytest

import toprung as tr

Score = Callable[..., dict[str, float]]

# Ranking of q1: x (no label), a (grade 1), f (0), c (2), y (no label).
LABELS = "q1 0 a 1\nq1 0 f 0\nq1 0 c 2\n"
RUN = "q1 Q0 x 1 5 t\nq1 Q0 a 2 4 t\nq1 Q0 f 3 3 t\nq1 Q0 c 4 2 t\nq1 Q0 y 5 1 t\n"


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("RR", 1 / 2),  # a at rank 2
        ("RR@2", 1 / 2),
        ("RR@1", 0),  # nothing relevant among the first
        ("RR(rel=2)", 1 / 4),  # c at rank 4
        ("RR(rel=2)@3", 0),
        ("RR(rel=3)", 0),  # no document of that grade
    ],
)
def test_rr_is_one_over_the_first_relevant_rank(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN) == {"q1": expected}


@pytest.mark.parametrize(("measure", "expected"), [("ESL", 2), ("ESL@2", 2), ("ESL(rel=2)", 4), ("ESL(rel=2)@4", 4)])
def test_esl_is_the_first_relevant_rank(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN) == {"q1": expected}


@pytest.mark.parametrize("measure", ["ESL@1", "ESL(rel=2)@3", "ESL(rel=3)"])
def test_esl_of_an_unanswered_query_is_not_made_up(score: Score, measure: str) -> None:
    assert math.isnan(score(measure, LABELS, RUN)["q1"])


def test_the_mean_esl_is_over_the_answered_queries_only(evaluate_text: Callable[..., tr.Evaluation]) -> None:
    labels = "q1 0 a 1\nq2 0 b 1\nq3 0 c 1\nq4 0 d 1\n"
    # q1: rank 1. q2: rank 3. q3: not found. q4: not in the run.
    run = "q1 Q0 a 1 1 t\nq2 Q0 x 1 3 t\nq2 Q0 y 2 2 t\nq2 Q0 b 3 1 t\nq3 Q0 z 1 1 t\n"
    (esl,) = evaluate_text(labels, run, "ESL").scores
    assert (esl.value, esl.n_queries) == ((1 + 3) / 2, 2)


def test_a_run_that_answers_nothing_has_no_mean_esl(evaluate_text: Callable[..., tr.Evaluation]) -> None:
    (esl,) = evaluate_text("q1 0 a 1\n", "q1 Q0 b 1 1 t\n", "ESL").scores
    assert math.isnan(esl.value)
    assert esl.n_queries == 0


@pytest.mark.parametrize(
    ("ranks", "mean_esl", "mean_rr"),
    [
        ((1, 9), 5, 0.5556),  # STATISTICS.md, section 5
        ((4, 6), 5, 0.2083),
    ],
)
def test_the_same_esl_can_be_two_rr(
    evaluate_text: Callable[..., tr.Evaluation], ranks: tuple[int, int], mean_esl: float, mean_rr: float
) -> None:
    def lines(query_id: str, relevant_rank: int) -> str:
        docs = ["r" if rank == relevant_rank else f"x{rank}" for rank in range(1, 11)]
        return "".join(f"{query_id} Q0 {doc} {rank} {-rank} t\n" for rank, doc in enumerate(docs, 1))

    evaluation = evaluate_text("q1 0 r 1\nq2 0 r 1\n", lines("q1", ranks[0]) + lines("q2", ranks[1]), "ESL", "RR")
    assert evaluation.value("run", "ESL") == mean_esl
    assert round(evaluation.value("run", "RR"), 4) == mean_rr

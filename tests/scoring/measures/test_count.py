from __future__ import annotations

from collections.abc import Callable

import pytest

import toprung as tr

# q1: five retrieved; relevant a (1), c (2), e (1), z (3), of which a and c are found. q2: one of one found.
# q3 is missing from the run, and has two relevant documents.
LABELS = "q1 0 a 1\nq1 0 f 0\nq1 0 c 2\nq1 0 e 1\nq1 0 z 3\nq2 0 a 1\nq3 0 a 2\nq3 0 b 1\n"
RUN = (
    "q1 Q0 x 1 5 t\nq1 Q0 a 2 4 t\nq1 Q0 f 3 3 t\nq1 Q0 c 4 2 t\nq1 Q0 y 5 1 t\n"
    "q2 Q0 a 1 2 t\nq2 Q0 b 2 1 t\n"
    "unknown Q0 a 1 1 t\n"
)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("NumRet", {"q1": 5, "q2": 2, "q3": 0}),
        ("NumRel", {"q1": 4, "q2": 1, "q3": 2}),
        ("NumRel(rel=2)", {"q1": 2, "q2": 0, "q3": 1}),
        ("NumRelRet", {"q1": 2, "q2": 1, "q3": 0}),
        ("NumRelRet(rel=2)", {"q1": 1, "q2": 0, "q3": 0}),
    ],
)
def test_each_query_is_counted(
    score: Callable[..., dict[str, float]], measure: str, expected: dict[str, float]
) -> None:
    assert score(measure, LABELS, RUN) == expected


def test_counts_are_added_up_over_the_queries(evaluate_text: Callable[..., tr.Evaluation]) -> None:
    evaluation = evaluate_text(LABELS, RUN, "NumRet", "NumRel", "NumRelRet")
    assert [score.value for score in evaluation.scores] == [7, 7, 3]

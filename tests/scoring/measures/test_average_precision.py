from __future__ import annotations

from collections.abc import Callable

import pytest

Score = Callable[..., dict[str, float]]

# Ranking: x (no label), a (grade 1), f (0), c (2), y (no label); e (1) and z (3) were not found.
LABELS = "q1 0 a 1\nq1 0 f 0\nq1 0 c 2\nq1 0 e 1\nq1 0 z 3\n"
RUN = "q1 Q0 x 1 5 t\nq1 Q0 a 2 4 t\nq1 Q0 f 3 3 t\nq1 Q0 c 4 2 t\nq1 Q0 y 5 1 t\n"


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("AP", (1 / 2 + 2 / 4) / 4),  # a is the first relevant one, at rank 2; c the second, at 4; four exist
        ("AP@4", (1 / 2 + 2 / 4) / 4),
        ("AP@3", (1 / 2) / 4),
        ("AP(rel=2)", (1 / 4) / 2),  # only c; c and z exist
        ("AP(rel=2)@3", 0),
        ("AP(rel=4)", 0),  # none exists
    ],
)
def test_ap_is_the_mean_precision_at_the_relevant_documents(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


def test_a_ranking_that_begins_with_all_relevant_documents_has_ap_1(score: Score) -> None:
    assert score("AP", "q1 0 a 1\nq1 0 b 1\n", "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 x 3 1 t\n") == {"q1": 1}

from __future__ import annotations

from collections.abc import Callable
from math import log2

import pytest

Score = Callable[..., dict[str, float]]

# Ranking: x (no label), a (grade 1), f (0), c (2), y (no label). The ideal one: z (3), c (2), a (1), e (1), f (0).
LABELS = "q1 0 a 1\nq1 0 f 0\nq1 0 c 2\nq1 0 e 1\nq1 0 z 3\n"
RUN = "q1 Q0 x 1 5 t\nq1 Q0 a 2 4 t\nq1 Q0 f 3 3 t\nq1 Q0 c 4 2 t\nq1 Q0 y 5 1 t\n"


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # DCG 1/log2(3) + 2/log2(5) = 1.492283; ideal 3 + 2/log2(3) + 1/log2(4) + 1/log2(5) = 5.192536
        ("nDCG", 0.287390),
        ("nDCG@10", 0.287390),
        # DCG 1/log2(3) = 0.630930; ideal 3 + 2/log2(3) = 4.261860
        ("nDCG@2", 0.148041),
        ("nDCG@1", 0),
        # gains 2^grade - 1: 1/log2(3) + 3/log2(5) = 1.922960; ideal 7 + 3/log2(3) + 1/2 + 1/log2(5) = 9.823466
        ("nDCG(dcg='exp-log2')", 0.195752),
        ("nDCG(dcg='exp-log2')@10", 0.195752),
        # 0.630930 / (7 + 3/log2(3) = 8.892789)
        ("nDCG(dcg='exp-log2')@2", 0.070948),
    ],
)
def test_ndcg_is_the_discounted_gain_over_the_ideal_one(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("NCG@1", 0),
        ("NCG@2", 1 / (3 + 2)),
        ("NCG@4", (1 + 2) / (3 + 2 + 1 + 1)),
        ("NCG@10", (1 + 2) / (3 + 2 + 1 + 1)),
    ],
)
def test_ncg_is_the_gain_over_the_ideal_one_without_discount(score: Score, measure: str, expected: float) -> None:
    assert score(measure, LABELS, RUN)["q1"] == pytest.approx(expected)


@pytest.mark.parametrize("measure", ["nDCG", "nDCG@3", "nDCG(dcg='exp-log2')", "NCG@3"])
def test_the_ideal_ranking_has_1(score: Score, measure: str) -> None:
    run = "q1 Q0 z 1 5 t\nq1 Q0 c 2 4 t\nq1 Q0 a 3 3 t\nq1 Q0 e 4 2 t\nq1 Q0 f 5 1 t\n"
    assert score(measure, LABELS, run)["q1"] == pytest.approx(1)


def test_a_negative_grade_gains_nothing_and_costs_nothing(score: Score) -> None:
    labels = "q1 0 spam -2\nq1 0 a 1\n"
    run = "q1 Q0 spam 1 2 t\nq1 Q0 a 2 1 t\n"
    assert score("nDCG", labels, run)["q1"] == pytest.approx(1 / log2(3))  # as if spam had no label
    assert score("nDCG(dcg='exp-log2')", labels, run)["q1"] == pytest.approx(1 / log2(3))
    assert score("NCG@1", labels, run)["q1"] == 0

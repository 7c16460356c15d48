from __future__ import annotations

import math

import numpy as np
import pytest

from toprung.analyses.run_scores import (
    order_correlation,
    perfect_run,
    relevant_documents,
    restrict,
    score_runs,
)
from toprung.data.qrels import Qrels


@pytest.mark.parametrize(
    ("one", "other", "tau"),
    [
        ([1, 2, 3, 4], [1, 2, 4, 3], 2 / 3),  # 5 pairs agree, 1 does not
        ([1, 2, 2], [1, 2, 3], 2 / math.sqrt(2 * 3)),  # τ-b
        ([1, 2, math.nan], [2, 1, 5], -1.0),
    ],
)
def test_tau_is_kendalls(one: list[float], other: list[float], tau: float) -> None:
    assert order_correlation(np.array(one), np.array(other)) == pytest.approx(tau)


@pytest.mark.parametrize(("one", "other"), [([1], [1]), ([1, 1], [1, 2]), ([1, 2], [math.nan, 1])])
def test_tau_is_unknown_where_there_is_no_order(one: list[float], other: list[float]) -> None:
    assert math.isnan(order_correlation(np.array(one), np.array(other)))


def test_the_perfect_run_puts_high_grades_first_then_the_order_of_the_file() -> None:
    qrels = Qrels.from_dict({"q": {"d9": 1, "d1": 0, "d5": 2, "d2": 1}, "r": {"x": 0}})
    assert relevant_documents(qrels) == {"q": ["d5", "d9", "d2"]}
    assert perfect_run(qrels) == {"q": {"d5": 0.0, "d9": -1.0, "d2": -2.0}}


def test_restricting_keeps_the_order_of_the_file() -> None:
    qrels = Qrels.from_dict({"b": {"z": 1, "y": 1}, "a": {"x": 1}, "c": {"w": 1}})
    assert list(restrict(qrels, {"a", "b"}).to_dict().items()) == [("b", {"z": 1, "y": 1}), ("a", {"x": 1})]


def test_runs_stand_by_name_and_a_missing_query_scores_0() -> None:
    qrels = Qrels.from_dict({"q": {"d": 1}, "r": {"d": 1}})
    runs = {"z": {"q": {"d": 1.0}}, "a": {"q": {"x": 2.0, "d": 1.0}, "r": {"d": 1.0}}}
    table = score_runs(qrels, runs, "RR")
    assert table.runs == ("a", "z")
    assert table.values.T.tolist() == [[0.5, 1.0], [1.0, 0.0]]

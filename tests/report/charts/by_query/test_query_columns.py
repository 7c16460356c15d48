from __future__ import annotations

import numpy as np
import pytest

from toprung.data.matrices import ScoreTable
from toprung.report.charts.by_query.query_columns import QueryColumns


def table(values: list[list[float]], *, measure: str = "AP", runs: str = "ab") -> ScoreTable:
    """A row for each query, a column for each run."""
    ids = tuple(f"q{number}" for number in range(len(values)))
    return ScoreTable(query_ids=ids, runs=tuple(runs), values=np.array(values), measure=measure)


def test_the_best_run_is_first_and_the_hardest_query_leftmost() -> None:
    grid = QueryColumns.of(table([[0.2, 0.9], [0.0, 0.1], [0.3, 0.4]]))
    assert grid.runs == ("b", "a")
    assert grid.means == pytest.approx((1.4 / 3, 0.5 / 3))
    assert grid.names == ("q1", "q2", "q0")
    assert grid.scores.tolist() == [[0.1, 0.4, 0.9], [0.0, 0.3, 0.2]]


def test_where_less_is_better_the_least_mean_is_first_and_the_most_leftmost() -> None:
    grid = QueryColumns.of(table([[1.0, 3.0], [9.0, 2.0]], measure="ESL"))
    assert grid.runs == ("b", "a")
    assert grid.names == ("q1", "q0")


def test_a_matrix_with_a_measure_of_its_own_is_better_where_it_is_higher() -> None:
    assert QueryColumns.of(table([[1.0, 3.0]], measure="clicks")).runs == ("b", "a")


def test_many_queries_share_columns_with_their_mean() -> None:
    grid = QueryColumns.of(table([[0.4, 0.4], [0.1, 0.1], [0.2, 0.2], [0.3, 0.5]]), most=2)
    assert grid.names == ("2 queries", "2 queries")
    assert not grid.has_queries_alone
    assert grid.scores == pytest.approx(np.array([[0.15, 0.45], [0.15, 0.35]]))


def test_what_has_no_score_stays_without_and_counts_in_no_mean() -> None:
    nan = float("nan")
    grid = QueryColumns.of(table([[nan, 0.5], [nan, nan], [0.2, nan]]))
    assert grid.runs == ("b", "a")
    assert grid.means == pytest.approx((0.5, 0.2))
    assert grid.names == ("q1", "q2", "q0")
    assert np.isnan(grid.scores[:, 0]).all()

"""Which tables of scores can be analysed?"""

from __future__ import annotations

import numpy as np
import pytest

from toprung.analyses.inputs import check_run_count, check_scores
from toprung.data.matrices import ScoreTable
from toprung.errors import InputError


def table_of(values: list[list[float]], runs: str) -> ScoreTable:
    matrix = np.array(values).reshape(-1, len(runs))
    return ScoreTable(
        query_ids=tuple(f"q{row}" for row in range(len(matrix))), runs=tuple(runs), values=matrix, measure="MQ"
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (table_of([[1.0]], "A"), "Found 1 run; expected at least two to compare."),
        (table_of([], "AB"), "Found 0 queries; expected at least 2."),
        (table_of([[1.0, 2.0]], "AB"), "Found 1 query; expected at least 2."),
        (
            table_of([[1.0, 2.0], [np.nan, 2.0]], "AB"),
            "Found queries without a value of MQ; expected one for every query and run. Take a measure that is 0 "
            "where a run finds nothing, such as RR.",
        ),
    ],
)
def test_what_cannot_be_analysed_is_refused(table: ScoreTable, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_scores(table, least_queries=2)
    assert str(caught.value) == message


def test_two_runs_with_values_are_enough() -> None:
    check_scores(table_of([[1.0, 2.0], [2.0, 2.0]], "AB"), least_queries=2)


def test_no_run_is_said_in_the_plural_and_where_it_was_looked_for() -> None:
    with pytest.raises(InputError, match="Found 0 runs in all 2 conditions; expected at least two to compare"):
        check_run_count([], where=" in all 2 conditions")

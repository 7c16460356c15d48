from __future__ import annotations

import pytest
from tests.every_result import Cast, make_results
from tests.report.charts.drawn import all_rows, rows_with

from toprung.analyses.estimate.result import Estimate
from toprung.report.charts.kinds.three_estimates import CORRECTED, MODEL, PEOPLE, draw


@pytest.fixture(scope="module")
def result() -> Estimate:
    found = make_results(Cast())["estimate"]
    assert isinstance(found, Estimate)
    return found


def test_every_run_has_three_marks_at_its_three_scores(result: Estimate) -> None:
    marks = {(row["run"], row["kind"]): row["score"] for row in rows_with(draw(result), "kind")}
    assert len(marks) == 3 * len(result.rows)
    for row in result.rows:
        expected = {CORRECTED: row.corrected.estimate, PEOPLE: row.people.estimate, MODEL: row.model}
        assert {kind: marks[row.run, kind] for kind in expected} == expected


def test_people_and_corrected_have_lines_and_the_model_has_none(result: Estimate) -> None:
    lines = [(line["score"], line["high"]) for line in all_rows(draw(result)) if "high" in line]
    drawn = [(each.low, each.high) for row in result.rows for each in (row.people, row.corrected)]
    assert sorted(lines) == sorted(drawn)


def test_the_caption_says_how_many_queries_each_judged(result: Estimate) -> None:
    assert "labels of 12 queries corrected by people's of 6" in draw(result).caption

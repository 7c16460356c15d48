from __future__ import annotations

import numpy as np
import pytest
from tests.every_result import Cast, make_results
from tests.report.charts.drawn import marks_of, told_by

from toprung.analyses.estimate.result import Estimate
from toprung.report.charts.kinds.three_estimates import CORRECTED, MODEL, PEOPLE, draw
from toprung.report.charts.svg.marks import PointMark, RuleMark


@pytest.fixture(scope="module")
def result() -> Estimate:
    found = make_results(Cast())["estimate"]
    assert isinstance(found, Estimate)
    return found


def test_every_run_has_three_marks_at_its_three_scores(result: Estimate) -> None:
    figure = draw(result)
    marks = {(mark.facts["run"], mark.facts["kind"]): mark.x for mark in told_by(figure, PointMark)}
    assert len(marks) == 3 * len(result.rows)
    scores = {
        (row.run, kind): score
        for row in result.rows
        for kind, score in ((CORRECTED, row.corrected.estimate), (PEOPLE, row.people.estimate), (MODEL, row.model))
    }
    slope, start = np.polyfit(list(scores.values()), [marks[key] for key in scores], 1)
    assert [marks[key] for key in scores] == pytest.approx([start + slope * score for score in scores.values()])
    assert slope > 0


def test_people_and_corrected_have_lines_and_the_model_has_none(result: Estimate) -> None:
    lines = [rule for rule in marks_of(draw(result), RuleMark) if rule.look.width in (1.2, 2.8)]
    assert len(lines) == 2 * len(result.rows)
    spans = [each.high - each.low for row in result.rows for each in (row.people, row.corrected)]
    widths = [line.x2 - line.x for line in lines]
    assert [width / widths[0] for width in widths] == pytest.approx([span / spans[0] for span in spans])


def test_the_caption_says_how_many_queries_each_judged(result: Estimate) -> None:
    assert "labels of 12 queries corrected by people's of 6" in draw(result).caption

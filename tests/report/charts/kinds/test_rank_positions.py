from __future__ import annotations

from itertools import pairwise

import pytest
from tests.report.charts.drawn import facts_of, marks_of, told_by, words_of

import toprung as tr
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.rank_positions import draw
from toprung.report.charts.svg.marks import PointMark, RectMark, RuleMark


@pytest.fixture(scope="module")
def figure(sure_late_never: tr.FirstRanks) -> Figure:
    """The same order on forty queries and on five, too few to tell apart three runs (1 + ⌈log₂ 3/0.05⌉ = 7)."""
    scores = sure_late_never.reciprocal()
    few = scores.select_queries(scores.query_ids[:5], name="few")
    drawn = draw(tr.stability({"public": scores, "private": few}, trials=20, follow=["late", "sure"]))
    assert drawn is not None
    return drawn


def test_one_condition_alone_is_not_drawn(sure_late_never: tr.FirstRanks) -> None:
    assert draw(tr.stability(sure_late_never.reciprocal(), trials=20)) is None


def test_every_run_has_a_strip_for_every_condition(figure: Figure) -> None:
    strips = [(row["run"], row["condition"]) for row in facts_of(figure)]
    assert strips == [("late", "public"), ("late", "private"), ("sure", "public"), ("sure", "private")]


def test_the_finding_is_of_the_best_run_that_is_drawn(sure_late_never: tr.FirstRanks) -> None:
    scores = sure_late_never.reciprocal()
    drawn = draw(tr.stability({"one": scores, "two": scores}, trials=20, follow=["never", "late"]))
    assert drawn is not None
    assert drawn.finding == (
        "late, at no. 2 by one, has the best score under 0 of 2 conditions; its expected rank is 2.00 under all."
    )


def test_dots_are_expected_ranks_and_lines_the_intervals(figure: Figure) -> None:
    dots = told_by(figure, PointMark)
    step = figure.drawing.width / 3
    assert [dot.x / step + 0.5 for dot in dots] == pytest.approx([2, 2, 1, 1])
    assert [row["interval"] for row in facts_of(figure)] == ["2", "1–3", "1", "1–3"]
    level = [rule for rule in marks_of(figure, RuleMark) if rule.look.width == 1.5 and rule.y == rule.y2]
    assert [(line.x / step + 0.5, line.x2 / step + 0.5) for line in level[:2]] == [
        pytest.approx((2, 2)),
        pytest.approx((1, 3)),
    ]


def test_figures_stand_at_the_right(figure: Figure) -> None:
    texts = words_of(figure)
    assert [text for text in texts if text in ("2.0", "1.0")] == ["2.0", "2.0", "1.0", "1.0"]
    assert [text for text in texts if text in ("2", "1", "1–3")][-4:] == ["2", "1–3", "1", "1–3"]
    assert "private (5 queries)" in texts


def test_strips_do_not_touch(figure: Figure) -> None:
    edges = sorted({(rect.top, rect.bottom) for rect in marks_of(figure, RectMark)})
    assert len(edges) == 4
    assert all(below < above for (_, below), (above, _) in pairwise(edges))
    assert edges[-1][1] < figure.drawing.height

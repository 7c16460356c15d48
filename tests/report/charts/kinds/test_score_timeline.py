"""A published leaderboard over time: the highest score, and no top rung."""

from __future__ import annotations

from datetime import date

import pytest
from tests.report.charts.drawn import facts_of, marks_of

from toprung.analyses.timeline.published import ScoreTimeline, score_timeline
from toprung.data.submissions import DatedEntry, PublishedBoard
from toprung.report.charts.kinds.score_timeline import draw
from toprung.report.charts.svg.marks import LineMark, PointMark
from toprung.report.charts.tokens import TOP


@pytest.fixture
def result() -> ScoreTimeline:
    entries = tuple(
        DatedEntry(run_id=name, name=name, team="Halden", date=date(2021, month, 1), score=score, line=month + 1)
        for month, (name, score) in enumerate([("one", 0.31), ("two", 0.25), ("three", 0.4)], start=1)
    )
    board = PublishedBoard(
        source="board.csv",
        digest="",
        score_column="eval",
        other_score_columns=(),
        entries=entries,
        n_without_date=0,
        n_without_score=0,
    )
    return score_timeline(board)


def test_entries_that_had_the_highest_score_are_set_apart(result: ScoreTimeline) -> None:
    assert {row["entry"]: row["kind"] for row in facts_of(draw(result))} == {
        "one": "highest score so far",
        "two": "other entry",
        "three": "highest score so far",
    }


def test_the_staircase_follows_the_leaders(result: ScoreTimeline) -> None:
    figure = draw(result)
    (stairs,) = marks_of(figure, LineMark)
    dots = {mark.facts["entry"]: (mark.x, mark.y) for mark in marks_of(figure, PointMark)}
    first, last = dots["one"], dots["three"]
    assert stairs.points[:3] == (first, (last[0], first[1]), last)


def test_scores_alone_never_have_the_colour_of_the_top_rung(result: ScoreTimeline) -> None:
    figure = draw(result)
    assert TOP not in figure.to_inline_svg()
    assert figure.finding == result.sentence
    assert "that needs the ranks of every query" in figure.caption


def test_scores_are_shown_with_the_decimals_they_were_published_with(result: ScoreTimeline) -> None:
    assert [row["eval"] for row in facts_of(draw(result))] == ["0.25", "0.31", "0.40"]

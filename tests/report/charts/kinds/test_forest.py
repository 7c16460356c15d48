"""Scores with their intervals: by score, those that may be best tinted, whoever is far away only pointed at."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from tests.report.charts.drawn import facts_of, marks_of, words_of

import toprung as tr
from toprung.analyses.leaderboard.find import leaderboard
from toprung.data.matrices import FirstRanks
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.forest import ROW, draw
from toprung.report.charts.svg.marks import PointMark, RectMark, RuleMark, TextMark
from toprung.report.charts.svg.setting import ChartSetting
from toprung.report.charts.tokens import TOP

# Of 80 queries these are found at rank 1. B answers 32 more than A, and its claim passes; C and D one and two more than
# B, by which nobody is told apart.
FOUND = {"A": 24, "B": 56, "C": 57, "D": 58}
DATES = {run: date(2021, month, 1) for month, run in enumerate(FOUND, start=1)}


def ranks() -> FirstRanks:
    values = np.array([[1] * n + [0] * (80 - n) for n in FOUND.values()], dtype=np.int32).T
    return FirstRanks(query_ids=tuple(map(str, range(80))), runs=tuple(FOUND), values=values, cutoff=10)


@pytest.fixture
def figure() -> Figure:
    return draw(leaderboard(ranks(), dates=DATES, tags={"D": ["dense"]}))


def test_runs_stand_in_order_of_score(figure: Figure) -> None:
    dots = marks_of(figure, PointMark)
    assert [(dot.facts["run"], dot.y) for dot in dots] == [
        ("D", ROW / 2),
        ("C", ROW * 3 / 2),
        ("B", ROW * 5 / 2),
        ("A", ROW * 7 / 2),
    ]
    # Scores are read off the ticks of the axis.
    ticks = {mark.text: mark.x for mark in marks_of(figure, TextMark) if mark.align == "center"}
    a_tenth = ticks["0.4"] - ticks["0.3"]
    assert [dot.x - ticks["0.3"] for dot in dots] == pytest.approx(
        [a_tenth * (n / 80 - 0.3) * 10 for n in (58, 57, 56, 24)], abs=1e-6
    )


def tints(figure: Figure) -> list[tuple[float, float]]:
    return [(rect.top, rect.bottom) for rect in marks_of(figure, RectMark) if rect.look.opacity < 1]


def test_the_tint_is_behind_those_that_may_be_best_and_the_dashed_line_at_the_highest_score(figure: Figure) -> None:
    assert tints(figure) == [(0, 3 * ROW)]
    (dashed,) = [rule for rule in marks_of(figure, RuleMark) if rule.look.dash]
    assert dashed.x == marks_of(figure, PointMark)[0].x
    assert dashed.look.stroke == TOP


def test_those_that_may_be_best_need_not_be_neighbours() -> None:
    found = leaderboard(ranks())
    apart = replace(found, rows=tuple(replace(row, top_group=row.run in "DB") for row in found.rows))
    assert tints(draw(apart)) == [(0, ROW), (2 * ROW, 3 * ROW)]


def test_marks_say_what_came_of_a_claim(figure: Figure) -> None:
    assert {row["run"]: row["kind"] for row in facts_of(figure)} == {
        "D": "tagged, claim not passed",
        "C": "claim not passed",
        "B": "last proved gain",
        "A": "other run",
    }


@pytest.mark.parametrize("of_scores", [False, True])
def test_baselines_and_runs_without_a_claim_have_their_marks(of_scores: bool) -> None:
    matrix = ranks().reciprocal() if of_scores else ranks()
    drawn = draw(leaderboard(matrix, baselines=["A"], tags={"C": ["dense"]}))
    kinds = {row["run"]: row["kind"] for row in facts_of(drawn)}
    assert kinds == {"A": "baseline", "B": "other run", "C": "tagged", "D": "other run"}


def test_figures_stand_beside_the_dots(figure: Figure, sure_late_never: tr.FirstRanks) -> None:
    assert {"B", "RR@10 (95%)", "ranks"} <= set(words_of(figure))
    # Forty queries alike have an interval without length, and settled ranks.
    settled = draw(leaderboard(sure_late_never))
    assert {"0.5000 (0.5000 to 0.5000)", "2"} <= set(words_of(settled))


def intervals(figure: Figure) -> list[RuleMark]:
    return [rule for rule in marks_of(figure, RuleMark) if rule.look.width == 2.5]


def test_an_interval_reaches_from_low_to_high(figure: Figure) -> None:
    found = leaderboard(ranks(), dates=DATES)
    dots = marks_of(figure, PointMark)
    scale = (dots[0].x - dots[3].x) / ((58 - 24) / 80)
    assert [(rule.x, rule.x2) for rule in intervals(figure)] == [
        pytest.approx((dot.x - scale * (row.score - row.score_low), dot.x + scale * (row.score_high - row.score)))
        for dot, row in zip(dots, found.rows, strict=True)
    ]


def near_and_far(far: list[int]) -> Figure:
    """Six runs that differ by a rank here and there around 1/20, and another one."""
    near = [[20 + (query + run) % 2 for query in range(40)] for run in range(6)]
    runs = (*(f"near {n}" for n in range(6)), "far")
    values = np.array([*near, far], dtype=np.int32).T
    return draw(leaderboard(FirstRanks(query_ids=tuple(map(str, range(40))), runs=runs, values=values, cutoff=25)))


def test_a_run_far_away_is_pointed_at_so_that_the_others_can_be_read() -> None:
    drawn = near_and_far([25] + [0] * 39)
    assert words_of(drawn).count("◄ below the scale") == 1
    assert "far" not in {row["run"] for row in facts_of(drawn)}
    assert any(text.startswith("0.0010 (") for text in words_of(drawn)), "its score is still said: 1/25 over 40"


def test_if_most_are_far_away_the_axis_is_long() -> None:
    drawn = near_and_far([1] * 39 + [2])
    assert not any("scale" in text for text in words_of(drawn))
    assert len(facts_of(drawn)) == 7


def test_a_single_query_has_scores_but_no_intervals() -> None:
    one = FirstRanks(query_ids=("1",), runs=("x", "y"), values=np.array([[1, 2]], dtype=np.int32), cutoff=10)
    drawn = draw(leaderboard(one))
    assert intervals(drawn) == []
    assert {"1.0000", "0.5000"} <= set(words_of(drawn))
    assert drawn.to_svg().startswith("<svg")


def test_the_finding_is_the_sentence_and_the_caption_warns_of_overlaps() -> None:
    found = leaderboard(ranks(), dates=DATES)
    assert draw(found).finding == found.sentence
    assert "Intervals that overlap do not show that runs are alike" in draw(found).caption


def test_on_a_small_screen_names_stand_over_their_dots() -> None:
    figure = draw(leaderboard(ranks(), dates=DATES), ChartSetting(width=356))
    assert figure.drawing is not None
    assert figure.drawing.box.right - figure.drawing.box.left <= 356
    names = {mark.text: mark.y for mark in marks_of(figure, TextMark)}
    assert all(
        names[str(dot.facts["run"])] < dot.y < names[str(dot.facts["run"])] + 20 for dot in marks_of(figure, PointMark)
    )

"""Scores with their intervals: by score, those that may be best tinted, whoever is far away only pointed at."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from tests.report.charts.drawn import all_rows, rows_with, texts_of

import toprung as tr
from toprung.analyses.leaderboard.find import leaderboard
from toprung.data.matrices import FirstRanks
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.forest import ROW, draw
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
    dots = rows_with(figure, "run", "score")
    assert [(row["run"], row["down"]) for row in dots] == [
        ("D", ROW / 2),
        ("C", ROW * 3 / 2),
        ("B", ROW * 5 / 2),
        ("A", ROW * 7 / 2),
    ]
    assert [row["score"] for row in dots] == [58 / 80, 57 / 80, 56 / 80, 24 / 80]


def test_the_tint_is_behind_those_that_may_be_best_and_the_dashed_line_at_the_highest_score(figure: Figure) -> None:
    assert rows_with(figure, "above", "below") == [{"above": 0, "below": 3 * ROW}]
    spec = figure.to_spec()
    (dashed,) = [layer for layer in spec["layer"] if "strokeDash" in layer["mark"]]
    assert spec["datasets"][dashed["data"]["name"]] == [{"score": 58 / 80}]
    assert dashed["mark"]["color"] == TOP


def test_those_that_may_be_best_need_not_be_neighbours() -> None:
    found = leaderboard(ranks())
    apart = replace(found, rows=tuple(replace(row, top_group=row.run in "DB") for row in found.rows))
    assert rows_with(draw(apart), "above", "below") == [
        {"above": 0, "below": ROW},
        {"above": 2 * ROW, "below": 3 * ROW},
    ]


def test_marks_say_what_came_of_a_claim(figure: Figure) -> None:
    assert {row["run"]: row["kind"] for row in rows_with(figure, "run", "kind")} == {
        "D": "tagged, claim not passed",
        "C": "claim not passed",
        "B": "last proved gain",
        "A": "other run",
    }


@pytest.mark.parametrize("of_scores", [False, True])
def test_baselines_and_runs_without_a_claim_have_their_marks(of_scores: bool) -> None:
    matrix = ranks().reciprocal() if of_scores else ranks()
    drawn = draw(leaderboard(matrix, baselines=["A"], tags={"C": ["dense"]}))
    kinds = {row["run"]: row["kind"] for row in rows_with(drawn, "run", "kind")}
    assert kinds == {"A": "baseline", "B": "other run", "C": "tagged", "D": "other run"}


def test_figures_stand_beside_the_dots(figure: Figure, sure_late_never: tr.FirstRanks) -> None:
    assert {"B", "RR@10 (95%)", "ranks"} <= set(texts_of(figure))
    # Forty queries alike have an interval without length, and settled ranks.
    settled = draw(leaderboard(sure_late_never))
    assert {"0.5000 (0.5000 to 0.5000)", "2"} <= set(texts_of(settled))


def interval_rows(figure: Figure) -> list[dict[str, Any]]:
    return [row for row in all_rows(figure) if "high" in row]


def test_an_interval_reaches_from_low_to_high(figure: Figure) -> None:
    found = leaderboard(ranks(), dates=DATES)
    assert [(row["score"], row["high"]) for row in interval_rows(figure)] == [
        (row.score_low, row.score_high) for row in found.rows
    ]


def near_and_far(far: list[int]) -> Figure:
    """Six runs that differ by a rank here and there around 1/20, and another one."""
    near = [[20 + (query + run) % 2 for query in range(40)] for run in range(6)]
    runs = (*(f"near {n}" for n in range(6)), "far")
    values = np.array([*near, far], dtype=np.int32).T
    return draw(leaderboard(FirstRanks(query_ids=tuple(map(str, range(40))), runs=runs, values=values, cutoff=25)))


def test_a_run_far_away_is_pointed_at_so_that_the_others_can_be_read() -> None:
    drawn = near_and_far([25] + [0] * 39)
    assert texts_of(drawn).count("◀ below the scale") == 1
    assert "far" not in {row["run"] for row in rows_with(drawn, "run", "kind")}
    assert any(text.startswith("0.0010 (") for text in texts_of(drawn)), "its score is still said: 1/25 over 40"


def test_if_most_are_far_away_the_axis_is_long() -> None:
    drawn = near_and_far([1] * 39 + [2])
    assert not any("scale" in text for text in texts_of(drawn))
    assert len(rows_with(drawn, "run", "kind")) == 7


def test_a_single_query_has_scores_but_no_intervals() -> None:
    one = FirstRanks(query_ids=("1",), runs=("x", "y"), values=np.array([[1, 2]], dtype=np.int32), cutoff=10)
    drawn = draw(leaderboard(one))
    assert interval_rows(drawn) == []
    assert {"1.0000", "0.5000"} <= set(texts_of(drawn))
    assert drawn.to_svg().startswith("<svg")


def test_the_finding_is_the_sentence_and_the_caption_warns_of_overlaps() -> None:
    found = leaderboard(ranks(), dates=DATES)
    assert draw(found).finding == found.sentence
    assert "Intervals that overlap do not show that runs are alike" in draw(found).caption

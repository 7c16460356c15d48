"""Claims over time: who is drawn how, and where."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from tests.report.charts.drawn import all_rows, rows_with

from toprung.analyses.timeline.find import Timeline, timeline
from toprung.data.matrices import FirstRanks
from toprung.report.charts.kinds.timeline import draw
from toprung.report.charts.tokens import INK_2, TAG, TOP

# Of 60 queries these are found at rank 1. B's claim over A passes, C's and D's over B do not.
FOUND = {"A": 24, "B": 36, "C": 39, "D": 42, "E": 21}


def board() -> FirstRanks:
    values = np.array([[1] * n + [0] * (60 - n) for n in FOUND.values()], dtype=np.int32).T
    return FirstRanks(query_ids=tuple(map(str, range(60))), runs=tuple(FOUND), values=values, cutoff=10)


DATES = {run: date(2021, month, 1) for month, run in enumerate(FOUND, start=1)}


def kinds_of(result: Timeline) -> dict[str, str]:
    return {row["run"]: row["kind"] for row in rows_with(draw(result), "run", "kind")}


def test_claims_that_passed_those_that_did_not_and_others_are_told_apart() -> None:
    assert kinds_of(timeline(board())) == {
        "A": "other run",
        "B": "claim passed",
        "C": "claim not passed",
        "D": "claim not passed",
        "E": "other run",
    }


def test_tagged_runs_are_diamonds_and_what_passed_keeps_its_colour() -> None:
    result = timeline(board(), tags={"B": ["dense"], "D": ["dense"], "E": ["dense"]})
    assert kinds_of(result) == {
        "A": "other run",
        "B": "tagged “dense”, claim passed",
        "C": "claim not passed",
        "D": "tagged “dense”, claim not passed",
        "E": "tagged “dense”",
    }
    marks = next(each for each in draw(result).to_spec()["layer"] if each["mark"]["type"] == "point")
    looks = {channel: marks["encoding"][channel]["scale"] for channel in ("shape", "fill", "stroke")}
    shown = {
        kind: tuple(looks[channel]["range"][i] for channel in looks) for i, kind in enumerate(looks["fill"]["domain"])
    }
    assert shown["tagged “dense”, claim passed"] == ("diamond", TOP, TOP)
    assert shown["tagged “dense”"] == ("diamond", TAG, TAG)
    assert shown["tagged “dense”, claim not passed"][::2] == ("diamond", TAG)
    assert shown["claim not passed"][0] == "circle"


def test_several_tags_are_all_just_tagged() -> None:
    assert kinds_of(timeline(board(), tags={"D": ["dense"], "E": ["sparse"]}))["E"] == "tagged"


@pytest.mark.parametrize("dates", [None, DATES])
def test_two_staircases_show_what_was_proved_and_the_score(dates: dict[str, date] | None) -> None:
    spec = draw(timeline(board(), dates=dates)).to_spec()
    stairs = [layer for layer in spec["layer"] if layer["mark"]["type"] == "line"]
    dotted, solid = ([row["score"] for row in spec["datasets"][layer["data"]["name"]]] for layer in stairs)
    assert dotted == [0.4, 0.6, 0.65, 0.7, 0.7], "A, B, C and D had the highest score"
    assert solid == [0.4, 0.6, 0.6], "A and then B were to be beaten"
    assert [("strokeDash" in layer["mark"], layer["mark"]["color"]) for layer in stairs][1] == (False, TOP)


def test_a_baseline_that_comes_late_stands_in_the_stairs_when_it_came() -> None:
    spec = draw(timeline(board(), dates=DATES, baselines=["C"])).to_spec()
    dotted, _ = (layer for layer in spec["layer"] if layer["mark"]["type"] == "line")
    moments = [row["moment"] for row in spec["datasets"][dotted["data"]["name"]]]
    assert moments == sorted(moments)
    assert moments[2].startswith("2021-03-01")


def test_moments_are_dates_or_places_in_the_order() -> None:
    dated = rows_with(draw(timeline(board(), dates=DATES)), "run", "moment")
    assert {row["run"]: row["moment"] for row in dated} == {run: day.isoformat() for run, day in DATES.items()}
    ordered = rows_with(draw(timeline(board())), "run", "moment")
    assert {row["run"]: row["moment"] for row in ordered} == {run: n for n, run in enumerate(FOUND, start=1)}


def test_who_is_on_top_stands_at_the_edge_with_who_scores_higher() -> None:
    right_edge = 6
    ends = [row["name"] for row in all_rows(draw(timeline(board()))) if "name" in row and row["moment"] == right_edge]
    assert ends == ["Last proved gain: B at 0.6000", "Highest score: D at 0.7000"]


def test_baselines_are_dashed_and_named_and_make_no_mark() -> None:
    figure = draw(timeline(board(), baselines=["A", "E"]))
    spec = figure.to_spec()
    assert "A" not in {row["run"] for row in rows_with(figure, "run", "kind")}
    rules = [layer for layer in spec["layer"] if layer["mark"]["type"] == "rule"]
    (dashed,) = [layer for layer in rules if layer["mark"].get("opacity") != 0]  # the other is room for the names
    assert [row["score"] for row in spec["datasets"][dashed["data"]["name"]]] == [0.4, 0.35]
    names = {row["name"] for row in all_rows(figure) if "name" in row}
    assert {"A, baseline", "E, baseline"} <= names
    assert "Dashed: a baseline" in figure.caption


def test_nothing_but_baselines_can_be_drawn() -> None:
    assert draw(timeline(board(), baselines=list(FOUND))).to_svg().startswith("<svg")


def test_where_nothing_was_tested_nothing_has_the_colour_of_a_proof() -> None:
    figure = draw(timeline(board(), rule="score"))
    assert TOP not in figure.to_inline_svg()
    assert INK_2 in figure.to_inline_svg()
    assert figure.title == "The highest score over time"
    assert "No claim was tested" in figure.caption
    assert set(kinds_of(timeline(board(), rule="score")).values()) == {"had the highest score", "other run"}


def test_the_finding_is_the_sentence_and_a_claim_says_its_p_and_level() -> None:
    result = timeline(board())
    figure = draw(result)
    assert figure.finding == result.sentence
    claims = {row["run"]: row["claim"] for row in rows_with(figure, "run", "claim")}
    # B answers 12 more: 2/2¹², doubled; the first level of steady:10.
    assert claims["B"].startswith(
        "over A: proved to be better, doing no harm (p = 0.0010, level 0.0022; could see gains of "
    )
    assert claims["A"] == ""


def test_where_no_claim_passed_the_first_is_to_beat() -> None:
    right_edge = 3
    figure = draw(timeline(board().select(["B", "C"])))
    ends = [row["name"] for row in all_rows(figure) if "name" in row and row["moment"] == right_edge]
    assert ends == ["To beat: B at 0.6000", "Highest score: C at 0.6500"]

"""Claims over time: who is drawn how, and where."""

from __future__ import annotations

from datetime import date
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.report.charts.drawn import facts_of, marks_of, words_of

from toprung.analyses.timeline.find import Timeline, timeline
from toprung.data.matrices import FirstRanks
from toprung.report.charts.figure import Figure
from toprung.report.charts.kinds.timeline import draw
from toprung.report.charts.over_time import HEIGHT, WIDTH
from toprung.report.charts.svg.marks import LineMark, PointMark, RuleMark, TextMark
from toprung.report.charts.svg.setting import Address, ChartSetting
from toprung.report.charts.tokens import INK_2, PAPER, TAG, TOP

# Of 60 queries these are found at rank 1. B's claim over A passes, C's and D's over B do not.
FOUND = {"A": 24, "B": 36, "C": 39, "D": 42, "E": 21}


def board() -> FirstRanks:
    values = np.array([[1] * n + [0] * (60 - n) for n in FOUND.values()], dtype=np.int32).T
    return FirstRanks(query_ids=tuple(map(str, range(60))), runs=tuple(FOUND), values=values, cutoff=10)


DATES = {run: date(2021, month, 1) for month, run in enumerate(FOUND, start=1)}


def kinds_of(result: Timeline) -> dict[str, str]:
    return {row["run"]: row["kind"] for row in facts_of(draw(result))}


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
    shown = {
        mark.facts["kind"]: (mark.shape, mark.look.fill, mark.look.stroke) for mark in marks_of(draw(result), PointMark)
    }
    assert shown["tagged “dense”, claim passed"] == ("diamond", TOP, TOP)
    assert shown["tagged “dense”"] == ("diamond", TAG, TAG)
    assert shown["tagged “dense”, claim not passed"] == ("diamond", PAPER, TAG)
    assert shown["claim not passed"][0] == "circle"


def test_where_every_run_has_a_tag_tags_tell_nothing_apart() -> None:
    tags = {run: ["dense"] for run in FOUND}
    assert kinds_of(timeline(board(), tags=tags)) == kinds_of(timeline(board()))


def test_other_labels_are_a_line_with_words_where_they_have_room() -> None:
    """From 2021-01-01 to 05-01 there are 120 days, and a margin of 3 at each side: 02-05 is the 38th of 126."""
    changes = [(date(2021, 2, 5), "labels v2"), (date(2021, 2, 7), "labels v3"), (date(2021, 6, 1), "labels v4")]
    drawn = draw(timeline(board(), dates=DATES), changes=changes)
    assert [each for each in words_of(drawn) if each.startswith("labels")] == ["labels v3"]
    lines = [each for each in marks_of(drawn, RuleMark) if each.look.dash == "1 3"]
    assert [each.x for each in lines] == [pytest.approx(WIDTH * day / 126) for day in (40, 38)]
    assert {each.y2 - each.y for each in lines} == {HEIGHT}
    assert not any(each.startswith("labels") for each in words_of(draw(timeline(board()), changes=changes)))


def test_several_tags_are_all_just_tagged() -> None:
    assert kinds_of(timeline(board(), tags={"D": ["dense"], "E": ["sparse"]}))["E"] == "tagged"


@pytest.mark.parametrize("dates", [None, DATES])
def test_two_staircases_show_what_was_proved_and_the_score(dates: dict[str, date] | None) -> None:
    figure = draw(timeline(board(), dates=dates))
    dotted, solid = marks_of(figure, LineMark)
    height = {mark.facts["run"]: mark.y for mark in marks_of(figure, PointMark)}
    assert [y for _, y in dotted.points] == steps(height, "ABCD"), "A, B, C and D had the highest score"
    assert [y for _, y in solid.points] == steps(height, "AB"), "A and then B were to be beaten"
    assert (solid.look.stroke, solid.look.dash, dotted.look.dash) == (TOP, "", "2 3")
    assert solid.points[-1][0] == WIDTH


def steps(height: dict[object, float], runs: str) -> list[float]:
    """How high a staircase stands at each of its corners."""
    return [height[run] for run in runs for _ in range(2)]


def test_dots_stand_at_their_day_and_score() -> None:
    """By hand: 120 days from A to E have a margin of 3; scores from .35 to .70 one of .028."""
    places = {mark.facts["run"]: (mark.x, mark.y) for mark in marks_of(draw(timeline(board(), dates=DATES)), PointMark)}
    assert places["A"] == pytest.approx((WIDTH * 3 / 126, HEIGHT * (0.728 - 0.4) / 0.406))
    assert places["E"] == pytest.approx((WIDTH * 123 / 126, HEIGHT * (0.728 - 0.35) / 0.406))


def test_a_baseline_that_comes_late_stands_in_the_stairs_when_it_came() -> None:
    figure = draw(timeline(board(), dates=DATES, baselines=["C"]))
    dotted, _ = marks_of(figure, LineMark)
    corners = [x for x, _ in dotted.points]
    assert corners == sorted(corners)
    place = {mark.facts["run"]: mark.x for mark in marks_of(figure, PointMark)}
    assert place["B"] < corners[4] < place["D"], "between February and April"


def test_moments_are_dates_or_places_in_the_order() -> None:
    dated = facts_of(draw(timeline(board(), dates=DATES)))
    assert {row["run"]: row["when"] for row in dated} == {run: day.isoformat() for run, day in DATES.items()}
    ordered = facts_of(draw(timeline(board())))
    assert {row["run"]: row["when"] for row in ordered} == {
        run: f"submission {number}" for number, run in enumerate(FOUND, start=1)
    }


def ends(figure: Figure) -> list[str]:
    """What stands at the right of the plot."""
    return [mark.text for mark in marks_of(figure, TextMark) if mark.x > WIDTH]


def test_who_is_on_top_stands_at_the_edge_with_who_scores_higher() -> None:
    assert ends(draw(timeline(board()))) == ["Last proved gain: B at 0.6000", "Highest score: D at 0.7000"]


def test_baselines_are_dashed_and_named_and_make_no_mark() -> None:
    figure = draw(timeline(board(), baselines=["A", "E"]))
    assert "A" not in {row["run"] for row in facts_of(figure)}
    dashed = [rule for rule in marks_of(figure, RuleMark) if rule.look.dash]
    # From .35 to .70 with a margin of .028 at each end.
    assert [rule.y for rule in dashed] == pytest.approx([HEIGHT * (0.728 - score) / 0.406 for score in (0.4, 0.35)])
    assert {"A, baseline", "E, baseline"} <= set(words_of(figure))
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
    claims = {row["run"]: row["claim"] for row in facts_of(figure)}
    # B answers 12 more: 2/2¹², doubled; the first level of steady:10.
    assert claims["B"].startswith(
        "over A: proved to be better, doing no harm (p = 0.0010, level 0.0022; could see gains of "
    )
    assert claims["A"] == ""


def test_where_no_claim_passed_the_first_is_to_beat() -> None:
    figure = draw(timeline(board().select(["B", "C"])))
    assert ends(figure) == ["To beat: B at 0.6000", "Highest score: C at 0.6500"]


def test_marks_lead_to_their_runs_under_the_names_of_the_page() -> None:
    setting = ChartSetting(
        name_of=lambda run: f"run {run}",
        address_of=lambda subject: Address(f"/runs/{subject.key}?a&b", row=f"c-{subject.key}"),
    )
    svg = draw(timeline(board(), dates=DATES), setting).to_inline_svg()
    links = ElementTree.fromstring(svg).iter("a")
    told = {link.attrib["data-row"]: (link.attrib["href"], link.attrib["aria-label"]) for link in links}
    assert set(told) == {f"c-{run}" for run in FOUND}
    assert told["c-E"] == ("/runs/E?a&b", "run E, 2021-05-01, RR@10 0.3500, other run")
    assert "Last proved gain: run B at 0.6000" in svg


def test_a_small_screen_has_a_drawing_of_its_own() -> None:
    figure = draw(timeline(board(), dates=DATES), ChartSetting(width=356))
    assert figure.drawing is not None
    assert figure.drawing.box.right - figure.drawing.box.left <= 356
    assert len(facts_of(figure)) == len(FOUND), "every run is in it"

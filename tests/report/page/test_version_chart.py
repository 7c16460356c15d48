from __future__ import annotations

import re

import pytest

from toprung.report.page.bars import Interval
from toprung.report.page.version_chart import Line, Version, draw_versions

VERSIONS = (
    Version(number=1, date="2026-02-02", href="/b/x/?labels=1"),
    Version(number=2, date="2026-06-15", href="/b/x/?labels=2"),
)


def score(value: float) -> Interval:
    return Interval(value=value, low=value - 0.01, high=value + 0.01)


TOP = Line(run="R32", role="top rung", is_top=True, scores={1: score(0.44), 2: score(0.45)})
THIS = Line(run="R37", role="this run", is_top=False, scores={1: score(0.43), 2: score(0.46)})


def circles(svg: str, colour: str) -> list[tuple[float, float]]:
    found = re.findall(rf'<circle class="{colour}" cx="([\d.]+)" cy="([\d.]+)"', svg)
    return [(float(x), float(y)) for x, y in found]


def test_the_title_says_every_score_of_both_runs() -> None:
    svg = draw_versions("RR@100", VERSIONS, [TOP, THIS], decimals=3)
    assert "RR@100 under each version of the labels: R32 v1 0.440, v2 0.450 and R37 v1 0.430, v2 0.460." in svg


def test_every_score_is_a_link_to_the_board_of_its_version_and_says_its_interval() -> None:
    svg = draw_versions("RR@100", VERSIONS, [TOP, THIS], decimals=3)
    links = re.findall(r'<a href="([^"]+)" aria-label="([^"]+)"><circle', svg)
    assert [href for href, _ in links] == ["/b/x/?labels=1", "/b/x/?labels=2"] * 2
    assert links[2][1] == "R37, labels v1, 0.430 (0.420 to 0.440)"


def test_higher_scores_stand_higher_and_versions_go_to_the_right() -> None:
    svg = draw_versions("RR@100", VERSIONS, [TOP, THIS], decimals=3)
    (x1, y1), (x2, y2) = circles(svg, "ink")
    (_, top1), (_, top2) = circles(svg, "top")
    assert x1 < x2
    assert (y1 > top1, y2 < top2) == (True, True)  # 0.43 below 0.44, then 0.46 above 0.45
    assert y1 - y2 == pytest.approx(3 * (top1 - top2), abs=0.3)  # 0.03 against 0.01 on one scale


def test_a_run_that_came_later_has_marks_from_then_on() -> None:
    late = Line(run="R40", role="this run", is_top=False, scores={2: score(0.4)})
    svg = draw_versions("RR@100", VERSIONS, [TOP, late], decimals=3)
    assert (len(circles(svg, "top")), len(circles(svg, "ink"))) == (2, 1)


def test_names_of_equal_scores_do_not_cover_each_other() -> None:
    same = Line(run="R37", role="this run", is_top=False, scores={2: score(0.45)})
    svg = draw_versions("RR@100", VERSIONS, [TOP, same], decimals=3)
    heights = [float(y) for y in re.findall(r'x="418" y="([\d.]+)"', svg)]
    assert heights[1] - heights[0] == pytest.approx(18)


def test_hostile_labels_are_written_as_text() -> None:
    named = Line(run="<b>", role="this run", is_top=False, scores={1: score(0.4)})
    assert "<b>" not in draw_versions("RR@100", VERSIONS[:1], [named], decimals=3)

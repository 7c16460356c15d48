"""The chart of a run's scores under each version of the labels: what is drawn, where marks lead, what it says."""

from __future__ import annotations

import re

import pytest

from toprung.report.charts.svg.setting import PHONE, PLAIN, ChartSetting
from toprung.report.page.bars import Interval
from toprung.web.services.shown.run.version_chart import LabelsVersion, VersionLine, draw_versions, leading_to

pytestmark = pytest.mark.figures

VERSIONS = (
    LabelsVersion(number=1, date="2026-02-02", href="/b/x/?labels=1"),
    LabelsVersion(number=2, date="2026-06-15", href="/b/x/?labels=2"),
)


def score(value: float) -> Interval:
    return Interval(value=value, low=value - 0.01, high=value + 0.01)


TOP = VersionLine(name="tern-b", role="highest score", is_highest=True, scores={1: score(0.44), 2: score(0.45)})
THIS = VersionLine(name="godwit", role="this run", is_highest=False, scores={1: score(0.43), 2: score(0.46)})


def drawn(*lines: VersionLine, versions: tuple[LabelsVersion, ...] = VERSIONS, setting: ChartSetting = PLAIN) -> str:
    return draw_versions("RR@100", versions, lines, decimals=3, setting=setting).to_inline_svg(has_legend=False)


def points(svg: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([-\d.]+)" cy="([-\d.]+)"', svg)]


def test_what_it_finds_says_every_score_of_both_runs_by_name() -> None:
    figure = draw_versions("RR@100", VERSIONS, [TOP, THIS], decimals=3)
    said = "RR@100 under each version of the labels: tern-b v1 0.440, v2 0.450 and godwit v1 0.430, v2 0.460."
    assert figure.finding == said


def test_every_score_is_a_link_to_the_board_of_its_version_and_says_its_interval() -> None:
    svg = drawn(TOP, THIS, setting=ChartSetting(address_of=leading_to(VERSIONS)))
    links = re.findall(r'<a href="([^"]+)" data-row="([^"]+)" aria-label="([^"]+)">', svg)
    assert [href for href, _, _ in links] == ["/b/x/?labels=1", "/b/x/?labels=2"] * 2
    assert [row for _, row, _ in links] == ["labels-1", "labels-2"] * 2
    assert links[2][2] == "godwit, labels v1, RR@100 0.430, 95% 0.420 to 0.440"


def test_higher_scores_stand_higher_and_versions_go_to_the_right() -> None:
    (_, top1), (_, top2), (x1, y1), (x2, y2) = points(drawn(TOP, THIS))
    assert x1 < x2
    assert (y1 > top1, y2 < top2) == (True, True)  # 0.43 below 0.44, then 0.46 above 0.45
    assert y1 - y2 == pytest.approx(3 * (top1 - top2), abs=0.3)  # 0.03 against 0.01 on one scale


def test_a_run_that_came_later_has_marks_from_then_on() -> None:
    late = VersionLine(name="late", role="this run", is_highest=False, scores={2: score(0.4)})
    assert len(points(drawn(TOP, late))) == 3


def test_names_of_any_length_stand_whole_in_the_legend() -> None:
    long = VersionLine(name="a-name-" * 12, role="this run", is_highest=False, scores=THIS.scores)
    figure = draw_versions("RR@100", VERSIONS, [TOP, long], decimals=3, setting=ChartSetting(width=PHONE))
    assert "a-name-" * 12 + ", this run" in figure.legends
    assert not any(
        "a-name" in text for text in re.findall(r"<text[^>]*>([^<]*)", figure.to_inline_svg(has_legend=False))
    )


def test_on_a_phone_it_is_as_wide_as_the_phone_and_dates_without_room_are_left_out() -> None:
    many = tuple(LabelsVersion(number=n, date=f"2026-0{n}-01", href="") for n in range(1, 9))
    line = VersionLine(name="godwit", role="this run", is_highest=False, scores={n: score(0.4) for n in range(1, 9)})
    narrow = drawn(line, versions=many, setting=ChartSetting(width=PHONE))
    assert float(re.findall(r'width="([\d.]+)"', narrow)[0]) <= PHONE
    assert "2026-01-01" in narrow
    assert narrow.count("2026-") < 8
    assert "v1<" in narrow


def test_hostile_names_are_written_as_text() -> None:
    named = VersionLine(name="<b>", role="this run", is_highest=False, scores={1: score(0.4)})
    figure = draw_versions("RR@100", VERSIONS[:1], [named], decimals=3)
    assert "<b>" not in figure.to_inline_svg() + figure.legends

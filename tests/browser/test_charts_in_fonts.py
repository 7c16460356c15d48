"""Every kind of chart in three faces, wide and narrow: no text lies on another, and none is cut off."""

from __future__ import annotations

import pytest
from tests.browser.conftest import OpenPage
from tests.browser.looking import FACES
from tests.browser.serving import PageServer
from tests.every_result import Cast, make_results
from tests.hostile_names import CASTS

from toprung.report.charts.catalogue import figures_of
from toprung.report.charts.figure import Figure
from toprung.report.charts.svg.setting import PHONE, PLAIN, ChartSetting

SETTINGS = {"wide": PLAIN, "narrow": ChartSetting(width=PHONE)}
CUT_OFF = """() => [...document.querySelectorAll("svg.marks")].flatMap((drawing) => {
  const edge = drawing.getBoundingClientRect();
  const isCut = ({ left, right }) => right > edge.right + 1 || left < edge.left - 1;
  return [...drawing.querySelectorAll("text")].filter((each) => isCut(each.getBoundingClientRect()))
    .map((each) => each.textContent);
})"""


def drawn(cast: Cast, setting: ChartSetting) -> list[Figure]:
    """Of small results of every kind, the first figure of each."""
    figures = [figure for result in make_results(cast).values() for figure in figures_of(result, setting)]
    return list({figure.kind: figure for figure in reversed(figures)}.values())


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("cast", ["plain", "worst"])
def test_texts_stand_apart_in_every_face(server: PageServer, open_page: OpenPage, cast: str, setting: str) -> None:
    figures = drawn(Cast() if cast == "plain" else CASTS[cast], SETTINGS[setting])
    body = "".join(f"<figure>{figure.to_svg()}</figure>" for figure in figures)
    seen = open_page(server.add(f'<!doctype html><html lang="en"><meta charset="utf-8"><title>c</title>{body}</html>'))
    for face in FACES:
        seen.add_style(f"svg text {{ font-family: '{face}' !important }}")
        assert seen.find_overlap() == [], face
        assert seen.run(lambda page: page.evaluate(CUT_OFF)) == [], face

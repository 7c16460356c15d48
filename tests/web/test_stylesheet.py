"""The board's stylesheet means by each colour what the figures and the report mean by it, in light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toprung import web
from toprung.report.charts.tokens import TOKENS
from toprung.report.page.shell import asset

CSS = (Path(web.__file__).parent / "static/toprung/toprung.css").read_text(encoding="utf-8")


def declared(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", block))


LIGHT = declared(CSS[: CSS.index("@media")])
DARK = declared(CSS[CSS.index("@media") : CSS.index("/* ---------- base")])


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_has_the_colours_of_the_charts(name: str) -> None:
    assert (LIGHT[name], DARK[name]) == TOKENS[name]


@pytest.mark.parametrize("name", [name for name in TOKENS if name != "h-hi-ink"])
def test_charts_in_a_page_turn_dark_with_it(name: str) -> None:
    light = TOKENS[name].light
    assert f'svg.marks [fill="{light}"] {{ fill: var(--{name}); }}' in CSS
    assert f'svg.marks [stroke="{light}"] {{ stroke: var(--{name}); }}' in CSS


def test_the_report_has_no_colour_that_a_board_has_otherwise() -> None:
    report = asset("page.css")
    of_report = declared(report[: report.index("@media")])
    assert {name: LIGHT[name] for name in of_report.keys() & LIGHT.keys()} == {
        name: of_report[name] for name in of_report.keys() & LIGHT.keys()
    }

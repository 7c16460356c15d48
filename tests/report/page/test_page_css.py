from __future__ import annotations

import re

import pytest

from toprung.report.charts.tokens import TOKENS
from toprung.report.page.shell import asset

BASE = asset("shared/base.css")
CSS = BASE + asset("page.css")


def declared(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", block))


LIGHT = declared(BASE[: BASE.index("@media")])
DARK = declared(BASE[BASE.index("@media") : BASE.index("/* ---------- base")])


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_has_the_colours_of_the_charts(name: str) -> None:
    assert (LIGHT[name], DARK[name]) == TOKENS[name]


def test_every_colour_has_a_dark_one() -> None:
    assert LIGHT.keys() == DARK.keys()


@pytest.mark.parametrize("name", TOKENS)
def test_charts_in_the_page_turn_dark_with_it(name: str) -> None:
    light = TOKENS[name].light
    assert f'svg.marks [fill="{light}"] {{ fill: var(--{name}); }}' in CSS
    assert f'svg.marks [stroke="{light}"] {{ stroke: var(--{name}); }}' in CSS


def test_no_colour_stands_outside_the_tokens() -> None:
    rules = CSS[CSS.index("/* ---------- base") :]
    written = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", re.sub(r"svg\.marks[^}]*}", "", rules)))
    assert written <= {"#fff"}  # paper, in print


def test_every_token_that_is_used_is_there() -> None:
    used = set(re.findall(r"var\(--([a-z0-9-]+)\)", CSS))
    assert used <= set(re.findall(r"--([a-z0-9-]+):", CSS))


def test_nothing_is_fetched_and_nothing_ends_the_sheet_early() -> None:
    assert not re.search(r"url\(|@import|https?:|//|</", CSS)


@pytest.mark.parametrize(
    "medium",
    [
        "print",
        "prefers-color-scheme: dark",
        "prefers-contrast: more",
        "forced-colors: active",
        "prefers-reduced-motion",
    ],
)
def test_readers_with_other_media_are_thought_of(medium: str) -> None:
    assert re.search(rf"@media[^{{]*{re.escape(medium)}", CSS)


def test_the_columns_of_the_board_leave_room_for_names_and_intervals() -> None:
    widths = {name: float(rem) for name, rem in re.findall(r"\.board \.c-([a-z]+) { width: ([0-9.]+)rem; }", CSS)}
    (least,) = re.findall(r"\.board { min-width: ([0-9.]+)rem; }", CSS)
    assert ".board { table-layout: fixed; }" in CSS
    (with_outcomes,) = re.findall(r"\.board:has\(\.c-vs\) { min-width: ([0-9.]+)rem; }", CSS)
    assert {"rank", "run", "vs", "status"} <= widths.keys()
    assert widths["run"] >= 11
    assert "ci" not in widths  # the intervals take what is left
    assert float(with_outcomes) - sum(widths.values()) >= 10
    assert float(least) - sum(width for name, width in widths.items() if name != "vs") >= 10

"""The gallery shows every kind of figure, and each is what the command beside it draws today."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from scripts import make_gallery
from scripts.make_gallery import FIGURES

from toprung.report.charts.catalogue import all_kinds

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "docs/gallery"
DRAW_AGAIN = "run `make gallery` and look at what changed"


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def differences(found: str, expected: str) -> list[str]:
    """Where two drawings differ, by more than machines do in the last digit of a place."""
    if NUMBER.sub("#", found) != NUMBER.sub("#", expected):
        return ["other marks or words"]
    pairs = zip(NUMBER.findall(found), NUMBER.findall(expected), strict=True)
    return [f"{one}, in the gallery {other}" for one, other in pairs if abs(float(one) - float(other)) > 0.0101]


def test_every_kind_is_shown_once_in_the_order_of_the_catalogue() -> None:
    assert [shown.kind for shown in FIGURES] == [kind.name for kind in all_kinds()]


@pytest.mark.parametrize("shown", FIGURES, ids=lambda shown: shown.kind)
def test_each_figure_is_what_its_command_draws(shown: Any) -> None:
    with make_gallery.working_folder() as folder:
        make_gallery.run_all(shown.before)
        found = make_gallery.draw(shown, folder / "figure.svg").decode()
    changed = differences(found, (GALLERY / f"{shown.kind}.svg").read_text())
    if changed:
        pytest.fail(f"{DRAW_AGAIN}: {'; '.join(changed[:3])[:500]}", pytrace=False)


def test_the_page_is_made_of_the_commands_and_what_they_draw() -> None:
    told = json.loads((GALLERY / "words.json").read_text())
    assert (GALLERY / "README.md").read_text() == make_gallery.to_page(told), DRAW_AGAIN


def test_nothing_else_lies_in_the_gallery() -> None:
    expected = {"README.md", "words.json"} | {f"{shown.kind}.svg" for shown in FIGURES}
    assert {path.name for path in GALLERY.iterdir()} == expected, DRAW_AGAIN


def test_a_changed_place_or_word_is_seen() -> None:
    assert not differences('<text x="2.51">a</text>', '<text x="2.5">a</text>')
    assert differences('<text x="2.6">a</text>', '<text x="2.5">a</text>') == ["2.6, in the gallery 2.5"]
    assert differences('<text x="2.5">b</text>', '<text x="2.5">a</text>') == ["other marks or words"]

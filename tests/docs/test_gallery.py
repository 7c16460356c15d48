"""The gallery shows every kind of figure, and each is what the command beside it draws today."""

from __future__ import annotations

import importlib.util
import json
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from toprung.report.charts.catalogue import all_kinds

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "docs/gallery"
DRAW_AGAIN = "run `make gallery` and look at what changed"


@cache
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_gallery", ROOT / "scripts/make_gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FIGURES = maker().FIGURES


def committed(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GALLERY / f"{kind}.json").read_text())
    return found


def with_plain_names(spec: dict[str, Any]) -> dict[str, Any]:
    """Data are named by a digest of their values: by their number instead, so that close values have equal names."""
    text = json.dumps(spec)
    for number, name in enumerate(spec.get("datasets", {})):
        text = text.replace(name, f"data {number}")
    found: dict[str, Any] = json.loads(text)
    return found


def differences(found: object, expected: object, place: str = "") -> list[str]:
    """Where two specifications differ, by more than machines do in the last digits of a number."""
    if isinstance(found, dict) and isinstance(expected, dict):
        return [
            each
            for key in sorted(found.keys() | expected.keys())
            for each in differences(found.get(key), expected.get(key), f"{place}.{key}")
        ]
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return [
            each
            for number, (one, other) in enumerate(zip(found, expected, strict=True))
            for each in differences(one, other, f"{place}[{number}]")
        ]
    is_same = found == pytest.approx(expected, rel=1e-6, abs=1e-9) if is_number(expected) else found == expected
    return [] if is_same else [f"{place}: {found!r}, in the gallery {expected!r}"]


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def test_every_kind_is_shown_once_in_the_order_of_the_catalogue() -> None:
    assert [shown.kind for shown in FIGURES] == [kind.name for kind in all_kinds()]


@pytest.mark.parametrize("shown", FIGURES, ids=lambda shown: shown.kind)
def test_each_figure_is_what_its_command_draws(shown: Any) -> None:
    gallery = maker()
    with gallery.working_folder() as folder:
        gallery.run_all(shown.before)
        found = json.loads(gallery.draw(shown, folder / "figure.json"))
    changed = differences(with_plain_names(found), with_plain_names(committed(shown.kind)))
    if changed:
        pytest.fail(f"{DRAW_AGAIN}: {'; '.join(changed[:3])[:500]}", pytrace=False)


@pytest.mark.parametrize("shown", FIGURES, ids=lambda shown: shown.kind)
def test_pictures_are_drawn_from_the_specification_beside_them(shown: Any) -> None:
    digest = maker().digest_of((GALLERY / f"{shown.kind}.json").read_text())
    for name in (f"{shown.kind}.svg", f"{shown.kind}-dark.svg"):
        picture = (GALLERY / name).read_text()
        assert re.findall(r"<!-- drawn from the specification (\w+) -->", picture) == [digest], DRAW_AGAIN


def test_the_page_is_made_of_the_commands_and_what_they_draw() -> None:
    specs = {shown.kind: committed(shown.kind) for shown in FIGURES}
    assert (GALLERY / "README.md").read_text() == maker().to_page(specs), DRAW_AGAIN


def test_nothing_else_lies_in_the_gallery() -> None:
    expected = {"README.md"} | {
        f"{shown.kind}{ending}" for shown in FIGURES for ending in (".svg", "-dark.svg", ".json")
    }
    assert {path.name for path in GALLERY.iterdir()} == expected, DRAW_AGAIN


def test_a_changed_value_or_option_is_seen() -> None:
    spec: dict[str, Any] = {
        "mark": {"type": "bar"},
        "datasets": {"data-ab12": [{"x": 0.25}]},
        "data": {"name": "data-ab12"},
    }
    close: dict[str, Any] = {
        "mark": {"type": "bar"},
        "datasets": {"data-ff": [{"x": 0.25 + 1e-12}]},
        "data": {"name": "data-ff"},
    }
    other: dict[str, Any] = {
        "mark": {"type": "bar"},
        "datasets": {"data-ff": [{"x": 0.2501}]},
        "data": {"name": "data-ff"},
    }
    assert not differences(with_plain_names(close), with_plain_names(spec))
    assert differences(with_plain_names(other), with_plain_names(spec)) == [
        ".datasets.data 0[0].x: 0.2501, in the gallery 0.25"
    ]
    assert differences({"dark": True}, {}) == [".dark: True, in the gallery None"]

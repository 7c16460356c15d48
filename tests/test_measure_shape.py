"""The figures of a tree that is small enough to count by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scripts import measure_shape
from scripts.shape import times
from scripts.shape.figure import LISTED, Figure, to_dict, to_markdown
from scripts.shape.pages import read_rules

FILES = {
    "src/tiny/__init__.py": "",
    "src/tiny/result.py": "class Result:\n    pass\n",
    "src/tiny/a.py": "from tiny.b import Twice as Other\n\n\nclass Twice:\n    class Meta: ...\n",
    "src/tiny/b.py": "from tiny.deep import d\nclass Twice:\n    class Meta: ...\n",
    "src/tiny/deep/__init__.py": "",
    "src/tiny/deep/d.py": "def late() -> None:\n    import tiny.a\n\n    print(tiny.a)\n",
    "src/tiny/deep/e.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from tiny.deep import f\n",
    "src/tiny/deep/f.py": "from tiny.deep import e\nfrom tiny.result import Result\nclass Found(Result): ...\n",
    "src/tiny/web/migrations/0001_initial.py": "class Twice: ...\nclass Found: ...\n",
    "src/tiny/web/backups/manifest.py": "NAME = 1\n",
    "src/tiny/web/backups/making.py": "def make() -> int:\n    return 1\n\n\ndef check() -> int: return 2\n",
    "src/tiny/boards/archive/manifest.py": "NAME = 2\n\nOTHER = 3\n",
    "src/tiny/web/templates/page.html": f"<p>\n{'x' * 121}\n{'x' * 120}\n</p>\n",
    "src/tiny/web/static/a.css": "/* p {} */ p { color: red; top: 0 }\n@media print { q { top: 0; } }\nb { top: 1px }",
    "src/tiny/page.css": "p {\n  color: red;\n  top: 0;\n}\nq { top: 0 }\nb { top: 2px }\n",
    "tests/test_it.py": "def helper(): assert 1\ndef test_a():\n    assert 2\nclass TestB:\n    def test_b(self): 0\n",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def figures(tree: Path) -> dict[str, Figure]:
    return {figure.name: figure for figure in measure_shape.measure_tree(tree)}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("modules in src without `__init__` and migrations", 9),
        ("lines in src without migrations", 2 + 5 + 3 + 4 + 3 + 3 + 1 + 5 + 3),
        ("lines of a function, median", 2),
        ("lines of a function, p90", 4),
        ("template lines > 120 characters, %", 25.0),
        ("test functions", 2),
        ("`assert` statements in tests", 2),
    ],
)
def test_sizes_are_those_counted_by_hand(figures: dict[str, Figure], name: str, value: float) -> None:
    assert figures[name].value == value


def test_the_largest_folder_is_named_with_those_that_follow(figures: dict[str, Figure]) -> None:
    found = figures["files in the largest folder"]
    assert (found.value, found.which[:2]) == (5, ("tiny 5", "tiny/deep 4"))


def test_a_cycle_through_a_late_import_is_found_and_one_of_types_alone_is_none(figures: dict[str, Figure]) -> None:
    assert figures["packages with a cycle"][1:] == (1, ("tiny: a → b → deep → a",))


def test_a_class_name_said_twice_is_found_but_not_inside_classes_or_migrations(figures: dict[str, Figure]) -> None:
    assert figures["class names that occur twice"][1:] == (1, ("Twice (tiny/a.py, tiny/b.py)",))


def test_whole_files_count_that_hold_a_result(figures: dict[str, Figure]) -> None:
    assert figures["lines of files with a Result class"][1:] == (3, ("tiny/deep/f.py 3",))


def test_archives_count_where_they_were_and_where_they_go(figures: dict[str, Figure]) -> None:
    lines, manifests = (figures[f"{what} of bundle, backup, publication"] for what in ("lines", "manifests"))
    assert lines[1:] == (9, ("tiny/web/backups 6", "tiny/boards/archive 3"))
    assert manifests[1:] == (2, ("tiny/web/backups/manifest.py", "tiny/boards/archive/manifest.py"))


def test_a_rule_is_said_twice_whatever_its_whitespace_and_its_media(figures: dict[str, Figure]) -> None:
    assert figures["CSS rules that occur twice"][1:] == (2, ("`p`", "`q`"))


def test_rules_are_told_from_what_stands_around_them() -> None:
    css = '@import "x.css"; @media print { a, b { top: 0; left: 0 } @supports (top: 0) { c { top: 1px } } } d {}'
    assert list(read_rules(css)) == [("a, b", "top: 0; left: 0"), ("c", "top: 1px")]


def test_seconds_of_tests_are_added_by_file(tmp_path: Path) -> None:
    cases = (("tests.web.test_x", 1.25), ("tests.web.test_x.TestClass", 2), ("tests.test_y", 4))
    path = tmp_path / "junit.xml"
    inside = "".join(f'<testcase classname="{name}" name="test" time="{seconds}"/>' for name, seconds in cases)
    path.write_text(f"<testsuites><testsuite>{inside}</testsuite></testsuites>")
    assert times.measure_test_times(path)[1:] == (7.2, ("tests/test_y.py 4.0", "tests/web/test_x.py 3.2"))


def test_the_table_cuts_long_lists_and_json_has_all() -> None:
    figure = Figure("names", 1234, tuple(f"a|{number}" for number in range(LISTED + 2)))
    row = to_markdown([figure]).splitlines()[-1]
    assert row.startswith("| names | 1,234 | a\\|0; a\\|1;")
    assert row.endswith("; and 2 more |")
    assert to_dict([figure]) == {"names": {"value": 1234, "which": list(figure.which)}}


def test_the_script_prints_what_it_measures(
    tree: Path, figures: dict[str, Figure], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure_shape, "ROOT", tree)
    monkeypatch.setattr(times, "TRIES", 1)
    measure_shape.main(["--json"])
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == [*figures, "`toprung --help`, CPU s"]
    assert printed["`toprung --help`, CPU s"]["value"] > 0

"""Every output is as it was recorded: ``python -m tests.golden.record`` records what was changed on purpose."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.golden.api import make_api_part
from tests.golden.part import Part
from tests.golden.results import make_results_part
from tests.golden.varying import fold, settle

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("make_part", [make_results_part, make_api_part])
def test_every_output_is_as_recorded(make_part: Callable[[], Part], tmp_path: Path) -> None:
    assert list(make_part().compare(tmp_path)) == []


def test_what_commands_say_of_themselves_is_as_recorded(tmp_path: Path) -> None:
    """In a process of its own, for Click keeps the help option as it was first asked for, and other tests have."""
    check_apart("commands", tmp_path)


@pytest.mark.slow
def test_every_page_is_as_recorded(tmp_path: Path) -> None:
    """In a process of its own, for numbers of rows stand in addresses, and other tests have used some."""
    check_apart("site", tmp_path)


def check_apart(part: str, folder: Path) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    command = [sys.executable, "-m", "tests.golden.record", "--only", part, "--check", str(folder)]
    asked = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=False)
    assert asked.stdout.splitlines() == [], asked.stderr
    assert asked.returncode == 0, asked.stderr


# ---- how it is compared ----


def test_what_differs_is_named_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.golden.part.RECORDS", tmp_path / "records")
    Part(name="p", whole={"a.txt": "old"}, digested={"x": {"csv": "1\n", "gone": "", "same": "s"}}).write_records()
    now = Part(name="p", whole={"a.txt": "new"}, digested={"x": {"csv": "2\n", "same": "s"}, "y": {"repr": ["Y()"]}})
    records, made = tmp_path / "records" / "a.txt", tmp_path / "now"
    assert list(now.compare(made)) == [
        f"a.txt differs: diff {records} {made / 'a.txt'}",
        f"p: x csv differs: see {made / 'p' / 'x' / 'csv'}",
        "p: x gone is no more",
        f"p: y repr is new: see {made / 'p' / 'y' / 'repr'}",
    ]
    assert (made / "a.txt").read_text() == "new"
    assert (made / "p" / "x" / "csv").read_text() == "2\n"
    now.write_records()
    assert list(now.compare(made)) == []


def test_white_space_that_does_not_show_is_folded() -> None:
    one = "<ul>\n  <li>\n    a\n    <b>b</b>\n  </li>\n</ul>"
    assert fold(one) == fold("<ul><li >a <b>b</b></li></ul>") == "<ul>\n<li>\na <b>b</b>\n</li>\n</ul>\n"
    assert fold("<p>a<b>b</b></p>") != fold("<p>a <b>b</b></p>")


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("0.12345678901234567", "0.123456789"),
        ("1.2345678901234e-20", "1.23456789e-20"),
        ("<toprung.a.B object at 0x7f00>", "<B>"),
        ('"created": "2026-11-15T22:44:12+00:00"', '"created": "[time]"'),
        ("created\n</dt>\n<dd>\n2026-11-15T22:44:12+00:00", "created\n</dt>\n<dd>\n[time]"),
        (f"in {tempfile.gettempdir()}/tmp_a\\_/b", "in [folder]/b"),
        ("1.2.3, 0.5 and sha256:00.11", "1.2.3, 0.5 and sha256:00.11"),
    ],
)
def test_what_varies_is_put_aside(text: str, settled: str) -> None:
    assert settle(text) == settled

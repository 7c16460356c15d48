"""A result writes itself: the same text as a command writes, whole, in a folder that is there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.every_result import make_results

import toprung as tr
from toprung.report.render import OutputFormat, render
from toprung.result import Result
from toprung.version import __version__

LABELS = {f"q{number:02}": {"a": 1} for number in range(12)}
RUNS = {"old": {query: {"x": 2.0, "a": 1.0} for query in LABELS}, "new": {query: {"a": 1.0} for query in LABELS}}


@pytest.fixture
def found() -> Result:
    return tr.significance(LABELS, RUNS, "P@1")


def test_every_result_writes_itself_as_a_command_does() -> None:
    for result in make_results().values():
        assert result.to_markdown() == render(result, OutputFormat.MARKDOWN)
        assert result.to_latex() == render(result, OutputFormat.LATEX)
        assert json.loads(result.to_json())["sentence"] == result.sentence


def test_a_page_is_a_page(found: Result) -> None:
    assert found.to_html().startswith("<!doctype html>")
    assert "new is better" in found.to_html()


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("txt", b"new is better"),
        ("csv", b"a,b,delta,"),
        ("json", b"{"),
        ("md", b"new is better"),
        ("tex", b"%"),
        ("html", b"<!doctype html>"),
        ("svg", b"<svg"),
        ("png", b"\x89PNG"),
        ("pdf", b"%PDF"),
    ],
)
def test_the_ending_says_how_it_is_saved(ending: str, start: bytes, found: Result, tmp_path: Path) -> None:
    found.save(tmp_path / f"result.{ending}")
    assert (tmp_path / f"result.{ending}").read_bytes().startswith(start)
    assert [each.name for each in tmp_path.iterdir()] == [f"result.{ending}"]


def test_a_folder_that_is_missing_is_named(found: Result, tmp_path: Path) -> None:
    with pytest.raises(tr.InputError, match=r"found no folder .*/nowhere; make it, or name another"):
        found.save(tmp_path / "nowhere" / "result.md")


def test_an_ending_that_nobody_knows_is_refused_and_nothing_written(found: Result, tmp_path: Path) -> None:
    known = re.escape(".txt, .csv, .json, .md, .tex, .html, .svg, .png or .pdf.")
    with pytest.raises(tr.InputError, match=rf"ending '.docx'; expected {known}"):
        found.save(tmp_path / "result.docx")
    assert list(tmp_path.iterdir()) == []


def test_what_stood_there_stays_when_writing_fails(tmp_path: Path) -> None:
    (tmp_path / "scores.svg").write_text("before")
    plain = tr.plan(difference=0.01, sd=0.3)
    with pytest.raises(tr.InputError, match="nothing to draw"):
        plain.save(tmp_path / "scores.svg")
    assert (tmp_path / "scores.svg").read_text() == "before"


def test_a_result_is_drawn_as_by_plot(found: Result) -> None:
    assert found.plot() == tr.plot(found)
    with pytest.raises(tr.InputError, match="kind: found 'pie'"):
        found.plot("pie")


def test_the_package_is_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toprung", "--version"], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout == f"toprung {__version__}\n"

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


def test_a_name_without_an_ending_is_refused(found: Result, tmp_path: Path) -> None:
    with pytest.raises(tr.InputError, match=r"found a name without an ending; expected \.txt"):
        found.save(tmp_path / "result")


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    (tmp_path / "labels.txt").write_text("q1 0 a 1\nq2 0 b 1\n")
    (tmp_path / "run.txt").write_text("q1 Q0 a 1 2 t\nq2 Q0 x 1 2 t\n")
    (tmp_path / "scores.csv").write_text("query_id,A,B\nq1,1,0\nq2,0.5,0\n")
    (tmp_path / "link.csv").symlink_to("scores.csv")
    (tmp_path / "hard.csv").hardlink_to(tmp_path / "scores.csv")
    return tmp_path


@pytest.mark.parametrize("name", ["labels.txt", "run.txt", "scores.csv", "link.csv", "hard.csv"])
def test_no_file_is_saved_over_one_that_was_read(inputs: Path, name: str) -> None:
    before = (inputs / name).read_bytes()
    tr.read_scores(inputs / "scores.csv")
    found = tr.evaluate(inputs / "labels.txt", inputs / "run.txt", "RR")
    with pytest.raises(tr.InputError, match="found a file that was read as an input; expected another name"):
        found.save(inputs / name)
    assert (inputs / name).read_bytes() == before


def test_no_figure_is_saved_over_a_file_that_was_read(inputs: Path, found: Result) -> None:
    tr.read_scores(inputs / "scores.csv")
    with pytest.raises(tr.InputError, match="found a file that was read as an input"):
        found.plot().save(inputs / "link.csv")


def test_runs_that_other_processes_read_are_not_saved_over(inputs: Path) -> None:
    (inputs / "other.txt").write_text("q1 Q0 a 1 2 t\n")
    runs = [inputs / "run.txt", inputs / "other.txt"]
    found = tr.evaluate(inputs / "labels.txt", runs, "RR", workers=tr.Workers(count=2))
    with pytest.raises(tr.InputError, match="found a file that was read as an input"):
        found.save(inputs / "other.txt")


def test_a_result_may_be_saved_again_and_over_what_was_deleted(inputs: Path) -> None:
    found = tr.compare(tr.read_scores(inputs / "scores.csv"))
    for _ in range(2):
        found.save(inputs / "out.csv")
    (inputs / "scores.csv").unlink()
    for _ in range(2):
        found.save(inputs / "scores.csv")
    assert (inputs / "scores.csv").read_bytes() == (inputs / "out.csv").read_bytes()


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

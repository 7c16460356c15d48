"""A command that writes a file refuses one that it reads, and a name that does not say how to write."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from toprung.cli.main import app
from toprung.cli.options.output_file import OutputFile, OutputOption

Command = Callable[..., Any]
SCORES = "query_id,good,poor\nq1,1,0.5\nq2,1,0\n"
DATES = "run,date\ngood,2020-01-01\npoor,2020-01-02\n"


@pytest.fixture
def inputs(files: Path) -> Path:
    """Inputs whose names end as outputs do."""
    for name, text in {
        "scores.csv": SCORES,
        "dates.csv": DATES,
        "other.txt": "q1 0 a 1\nq2 0 c 1\n",
        "runs.csv": (files / "good.run").read_text(),
    }.items():
        (files / name).write_text(text)
    os.symlink("scores.csv", files / "link.csv")
    os.link(files / "scores.csv", files / "hard.csv")
    return files


OVERWRITING = [
    ("evaluate", "qrels.txt", "good.run", "-o", "qrels.txt"),
    ("evaluate", "-o", "qrels.txt", "qrels.txt", "good.run"),
    ("evaluate", "qrels.txt", "good.run", "--output=./qrels.txt", "-f", "csv"),
    ("evaluate", "qrels.txt", "good.run", "-f", "csv", "-o", "good.run"),
    ("evaluate", "qrels.txt", "good.run", "runs.csv", "-o", "runs.csv"),
    ("compare", "--scores", "scores.csv", "-o", "scores.csv"),
    ("compare", "--scores", "scores.csv", "-o", "link.csv"),
    ("compare", "--scores", "link.csv", "-o", "hard.csv"),
    ("timeline", "--scores", "scores.csv", "--dates", "dates.csv", "-o", "dates.csv"),
    ("stability", "qrels.txt", "good.run", "poor.run", "--labels", "new=other.txt", "-o", "other.txt"),
    ("report", "qrels.txt", "good.run", "poor.run", "--dates", "dates.csv", "-f", "json", "-o", "dates.csv"),
    ("plot", "stability", "--scores", "scores.csv", "-o", "scores.csv"),
    ("table", "--scores", "scores.csv", "--bibtex", "scores.csv"),
    ("table", "--scores", "scores.csv", "--bibtex", "new.txt", "-o", "new.txt"),
    ("labels", "merge", "qrels.txt", "other.txt", "-o", "other.txt"),
    ("labels", "rescore", "qrels.txt", "other.txt", "good.run", "-o", "other.txt"),
    ("convert", "good.run", "good.run"),
    ("convert", "good.run", "./good.run", "--depth", "1"),
]


@pytest.mark.parametrize("arguments", OVERWRITING, ids=" ".join)
def test_no_input_is_written_over(toprung: Command, inputs: Path, arguments: tuple[str, ...]) -> None:
    before = {path.name: path.read_bytes() for path in inputs.iterdir()}
    outcome = toprung(*arguments)
    assert outcome.code == 2
    assert "which this command also names; expected another file to write" in outcome.err
    assert {path.name: path.read_bytes() for path in inputs.iterdir()} == before


def test_a_file_of_an_effort_is_not_written_over_by_a_report(toprung: Command, inputs: Path) -> None:
    (inputs / "votes").write_text("q1 a x a\n")
    assert toprung("labels", "import", "votes", "--state", "S").code == 0
    before = (inputs / "S" / "manifest.json").read_bytes()
    outcome = toprung("report", "qrels.txt", "good.run", "poor.run", "--labels", "S", "-o", "S/manifest.json")
    assert (outcome.code, "a file of the judging effort itself" in outcome.err) == (2, True)
    assert (inputs / "S" / "manifest.json").read_bytes() == before


def test_an_earlier_output_is_replaced(toprung: Command, inputs: Path) -> None:
    (inputs / "out.csv").write_text("an earlier output")
    assert toprung("compare", "--scores", "scores.csv", "-o", "out.csv").code == 0
    assert "an earlier output" not in (inputs / "out.csv").read_text()


@pytest.mark.parametrize("name", ["x.foo", "x", "x.csv.gz", ".csv"])
def test_an_ending_that_says_nothing_is_refused_before_anything_is_read(
    toprung: Command, files: Path, name: str
) -> None:
    outcome = toprung("evaluate", "no-labels", "no-run", "-o", name)
    assert outcome.code == 2
    assert "expected .txt, .csv, .json, .md, .tex, .html, .svg, .png or .pdf" in outcome.err
    assert "--format" in outcome.err
    assert not (files / name).exists()


def test_a_dash_is_the_name_of_no_file(toprung: Command, files: Path) -> None:
    outcome = toprung("evaluate", "qrels.txt", "good.run", "-f", "csv", "-o", "-")
    assert outcome.code == 2
    assert "For the standard output say /dev/stdout." in outcome.err
    assert not (files / "-").exists()


def test_a_format_serves_any_name(toprung: Command, files: Path) -> None:
    assert toprung("evaluate", "qrels.txt", "good.run", "-m", "RR", "-f", "csv", "-o", "x.foo").code == 0
    assert (files / "x.foo").read_text() == "run,measure,value\ngood,RR,1.0\n"


def test_capitals_are_endings_too(toprung: Command, files: Path) -> None:
    assert toprung("evaluate", "qrels.txt", "good.run", "-m", "RR", "-o", "X.CSV").code == 0
    assert (files / "X.CSV").read_text() == "run,measure,value\ngood,RR,1.0\n"


def test_a_report_is_written_as_its_ending_says(toprung: Command, files: Path) -> None:
    assert toprung("report", "qrels.txt", "good.run", "poor.run", "--trials", "9", "-o", "r.json").code == 0
    assert (files / "r.json").read_text().startswith("{")
    outcome = toprung("report", "no-labels", "no-run", "-o", "r.pdf")
    assert (outcome.code, "r.pdf: found the ending '.pdf'; expected" in outcome.err) == (2, True)


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    toprung: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "x.foo").write_text("old")

    def fill_the_disk(path: Path, text: str, **_: object) -> int:
        with path.open("w") as file:
            file.write(text[:5])
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_text", fill_the_disk)
    outcome = toprung("evaluate", "qrels.txt", "good.run", "-f", "csv", "-o", "x.foo")
    assert (outcome.code, outcome.err) == (2, "toprung: x.foo: No space left on device.\n")
    assert sorted(path.name for path in files.glob("*x.foo*")) == ["x.foo"]
    assert (files / "x.foo").read_text() == "old"


def _commands(group: click.Group, context: click.Context) -> Iterator[click.Command]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, context)
        elif command is not None:
            yield command


def test_every_option_that_names_an_output_is_held_to_this() -> None:
    """Those of `export`, which never replaces a file, apart."""
    context = click.Context(app)
    options = [
        option
        for command in _commands(app, context)
        for option in command.params
        if isinstance(option.type, OutputFile) or option.name in ("output", "bibtex", "labels_path")
        if command.name != "export"
    ]
    assert len(options) > 40
    assert {type(option) for option in options} == {OutputOption}

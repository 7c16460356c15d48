from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from toprung.cli.main import app
from toprung.cli.options import plot_output
from toprung.cli.plot import FIGURE_OPTIONS, FigureCommand, plot
from toprung.report.charts.catalogue import all_kinds

Command = Callable[..., Any]
# Five queries: `best` is above `good` on every one, `good` above `poor`.
SCORES = "qid,best,good,poor\n" + "".join(f"q{n},0.{9 - n},0.{8 - n},0.{7 - n}\n" for n in range(5))
STABILITY = ("plot", "stability", "--scores", "scores.csv", "--trials", "20")


@pytest.fixture(autouse=True)
def scores(files: Path) -> None:
    (files / "scores.csv").write_text(SCORES)


def command_behind(kind: str) -> FigureCommand:
    command = plot.get_command(click.Context(plot), kind)  # type: ignore[attr-defined]
    assert isinstance(command, FigureCommand)
    return command


def test_help_lists_every_kind_with_what_it_shows(toprung: Command) -> None:
    said = " ".join(toprung("plot", "--help").out.split())
    for kind in all_kinds():
        assert f" {kind.name} {kind.shows[0].upper()}{kind.shows[1:]}." in said


def test_help_imports_no_charts_and_no_analyses() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from toprung.cli.main import app;"
        "assert CliRunner().invoke(app, ['plot', '--help']).exit_code == 0;"
        "print([name for name in sys.modules if name.split('.')[0] in ('vl_convert', 'scipy', 'polars')"
        " or name.startswith('toprung.analyses') and name.endswith('.find')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
def test_each_kind_takes_what_the_command_takes_that_computes_its_result(kind: Any) -> None:
    computes: Any = app
    for name in kind.computed_by.split():
        computes = computes.get_command(click.Context(computes), name)
    taken = {spelling for parameter in command_behind(kind.name).params for spelling in parameter.opts}
    assert taken == {spelling for parameter in computes.params for spelling in parameter.opts} - {"--format", "-f"}
    assert {"--output", "-o"} <= taken


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
def test_help_of_each_kind_explains_all_its_options(kind: Any) -> None:
    said = CliRunner().invoke(app, ["plot", kind.name, "--help"]).output
    assert f"toprung {kind.computed_by}" in said
    options = [each for each in [*command_behind(kind.name).params, *FIGURE_OPTIONS] if isinstance(each, click.Option)]
    for option in options:
        assert option.help, option.name
        for spelling in option.opts:
            assert spelling in said


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("f.svg", b"<svg "),
        ("F.SVG", b"<svg "),
        ("f.png", b"\x89PNG\r\n"),
        ("f.pdf", b"%PDF-"),
        ("f.html", b"<!doctype html>"),
        ("f.csv", b"run,rank,share\n"),
        ("f.json", b"{\n"),
    ],
)
def test_the_ending_of_the_file_decides_what_is_written(toprung: Command, name: str, start: bytes) -> None:
    outcome = toprung(*STABILITY, "-o", name)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert Path(name).read_bytes().lstrip()[: len(start)] == start


def test_options_of_the_command_behind_are_taken(toprung: Command) -> None:
    toprung(*STABILITY, "best", "poor", "-o", "f.json")
    told = json.loads(Path("f.json").read_text())
    assert {row["run"] for row in told["rows"]} == {"best", "poor"}
    assert "20 bootstrap" in told["finding"]


def test_dark_is_drawn_on_dark_paper(toprung: Command) -> None:
    toprung(*STABILITY, "-o", "light.svg")
    toprung(*STABILITY, "-o", "dark.svg", "--dark")
    assert '"#fcfcfa"' in Path("light.svg").read_text()
    assert '"#131619"' in Path("dark.svg").read_text()


def test_scale_is_the_pixels_of_a_point(toprung: Command) -> None:
    def width(*options: str) -> int:
        assert toprung(*STABILITY, "-o", "f.png", *options).code == 0
        return int.from_bytes(Path("f.png").read_bytes()[16:20])

    assert width() == width("--scale", "2") == 2 * width("--scale", "1")


def test_a_pipe_gets_svg(real_toprung: Command) -> None:
    outcome = real_toprung(*STABILITY)
    assert (outcome.code, outcome.err) == (0, "")
    assert re.fullmatch(r"<svg .*</svg>\n", outcome.out, re.DOTALL)


def test_a_terminal_is_asked_for_a_file(toprung: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    class System:
        stdout = Terminal()

    monkeypatch.setattr(plot_output, "sys", System)
    outcome = toprung(*STABILITY)
    assert (outcome.code, outcome.out) == (2, "")
    endings = "a name that ends in .svg, .png, .pdf, .html, .csv or .json"
    assert outcome.err == f"toprung: Found no --output; expected a file, {endings}, or a pipe, which gets SVG.\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "f.gif"), "Found --output f.gif; expected a name that ends in .svg, .png, .pdf, .html, .csv or .json."),
        (("-o", "figure"), "Found --output figure; expected a name that ends in"),
        (("-o", "f.svg", "--scale", "3"), "Found --scale with .svg; expected .png"),
        (("-o", "nowhere/f.svg"), "nowhere/f.svg: found no folder nowhere; make it, or name another."),
        (("-o", "folder.svg"), "folder.svg"),
        (("-o", "f.svg", "-f", "csv"), "No such option"),
        (("-o", "f.svg", "best", "worst"), "Found no run 'worst'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_without_a_file(
    toprung: Command, files: Path, arguments: tuple[str, ...], message: str
) -> None:
    (files / "folder.svg").mkdir()
    before = sorted(files.iterdir())
    outcome = toprung(*STABILITY, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err
    assert sorted(files.iterdir()) == before


def test_a_wrong_ending_is_told_before_anything_is_read(toprung: Command) -> None:
    assert "f.gif" in toprung("plot", "stability", "--scores", "missing.csv", "-o", "f.gif").err


def test_a_figure_takes_the_place_of_the_one_before_only_when_it_is_whole(toprung: Command, files: Path) -> None:
    toprung(*STABILITY, "-o", "f.svg")
    first = (files / "f.svg").read_text()
    toprung(*STABILITY, "best", "worst", "-o", "f.svg")
    assert (files / "f.svg").read_text() == first
    toprung(*STABILITY, "best", "poor", "-o", "f.svg")
    assert (files / "f.svg").read_text() != first
    assert not list(files.glob(".*"))


def test_an_unknown_kind_is_refused(toprung: Command) -> None:
    outcome = toprung("plot", "pie")
    assert outcome.code == 2
    assert "No such command 'pie'" in outcome.err


def test_arguments_that_give_another_result_name_the_figure_that_draws_it(toprung: Command, files: Path) -> None:
    (files / "published.csv").write_text("id,date,description,eval\na,2021/01/11,BM25,0.18\nb,2021/02/02,dense,0.33\n")
    outcome = toprung("plot", "timeline", "--leaderboard", "published.csv", "-o", "f.svg")
    assert outcome.code == 2
    assert outcome.err == (
        "toprung: timeline: found a ScoreTimeline; expected arguments that give a Timeline. "
        "`toprung plot score-timeline` can draw this one.\n"
    )
    assert toprung("plot", "score-timeline", "--leaderboard", "published.csv", "-o", "f.svg").code == 0


def test_a_result_with_nothing_to_draw_says_what_the_figure_would_show(toprung: Command) -> None:
    outcome = toprung("plot", "conditions", "--scores", "scores.csv", "--trials", "20", "-o", "f.svg")
    assert outcome.code == 2
    assert (
        "conditions: found nothing to draw in this Stability; expected one that tells where chosen runs" in outcome.err
    )
    assert not Path("f.svg").exists()


def test_figures_keep_off_the_files_of_a_judging_effort(toprung: Command, files: Path) -> None:
    pool = ("labels", "pool", "qrels.txt", "good.run", "poor.run", "--state", "judging")
    assert toprung(*pool).code == 0
    own = next(path for path in (files / "judging").iterdir() if path.suffix == ".json")
    before = own.read_bytes()
    outcome = toprung("plot", "pool-sizes", *pool[2:], "-o", own)
    assert outcome.code == 2
    assert "a file of the judging effort itself" in outcome.err
    assert own.read_bytes() == before


def test_options_of_figures_are_no_part_of_what_the_command_behind_refuses(toprung: Command, files: Path) -> None:
    (files / "published.csv").write_text("id,description,dev,eval\na,BM25,0.18,0.17\nb,dense,0.33,0.31\n")
    columns = ("--leaderboard", "published.csv", "--public-column", "dev", "--private-column", "eval")
    outcome = toprung("plot", "private-scores", *columns, "--dark", "--scale", "1", "-o", "f.png")
    assert (outcome.code, outcome.err) == (0, "")

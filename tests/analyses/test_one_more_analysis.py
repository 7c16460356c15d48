"""An analysis that is registered at run time is found wherever analyses are: no other list names them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from toprung.analyses import catalogue
from toprung.cli.main import app
from toprung.data.formats.tables.matrix_files import read_scores
from toprung.data.matrices import ScoreTable
from toprung.report.charts.catalogue import figures_of
from toprung.report.overview.find import report

SCORES = "qid,best,good,poor\n" + "".join(f"q{n},0.{9 - n},0.{8 - n},0.{7 - n}\n" for n in range(5))


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue.ANALYSES, "widest", "tests.analyses.one_more:ANALYSIS")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    (tmp_path / "scores.csv").write_text(SCORES)
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def test_it_is_a_command_with_its_options(run: Callable[..., Any]) -> None:
    assert "  widest        Say which run reaches most." in run("--help").output
    said = run("widest", "--help").output
    assert "--least FLOAT" in said
    assert "[default: 0.1]" in said
    assert run("widest", "--scores", "scores.csv", "best", "poor").output.startswith("best reaches most, by 0.4.")
    assert run("widest", "--scores", "scores.csv", "--least", "0.9").output.startswith("No run reaches by 0.9.")


def test_it_is_a_figure_that_can_be_plotted(run: Callable[..., Any]) -> None:
    assert "How far the scores of each run reach." in run("plot", "--help").output
    assert run("plot", "reach", "--scores", "scores.csv", "-o", "f.svg").exit_code == 0
    assert Path("f.svg").read_text().startswith("<svg ")


def test_it_is_a_part_of_the_report_in_its_place(run: Callable[..., Any], table: ScoreTable) -> None:
    found = report(table, trials=20)
    assert found["reach"].sentence == "best reaches most, by 0.4."
    keys = [part.key for part in found.parts]
    assert keys.index("reach") == keys.index("board") + 1
    assert [figure.kind for figure in figures_of(found["reach"])] == ["reach"]
    assert run("report", "--scores", "scores.csv", "--trials", "20", "-o", "r.html").exit_code == 0
    assert "Which run reaches most?" in Path("r.html").read_text()


@pytest.fixture
def table(tmp_path: Path) -> ScoreTable:
    (tmp_path / "table.csv").write_text(SCORES)
    return read_scores(tmp_path / "table.csv", measure="score")

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import ToprungError
from toprung.report.render import OutputFormat

QRELS = "q1 0 a 1\nq2 0 b 1\n"
RUN = "q1 Q0 a 1 2 t\nq2 Q0 x 1 2 t\nq2 Q0 b 2 1 t\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("one.run").write_text(RUN)
    Path("scores.csv").write_text("qid,A,B\n1,0,0.5\n2,1,0.5\n")
    Path("ranks.csv").write_text("qid,A,B\n1,1,2\n2,3,0\n")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["scales", *arguments])


def test_one_measure_shows_its_values() -> None:
    found = run("RR")
    assert found.exit_code == 0
    assert found.output.startswith("RR on all 8 rankings of 3 documents with 2 grades is ordinal but not equi-spaced")
    assert "0.3333      1/3         1          1/3  001" in found.output


def test_several_measures_show_a_row_each() -> None:
    found = json.loads(run("RR", "nDCG@3", "P@3", "--length", "3", "--grades", "2", "-f", "json").output)
    assert [(each["measure"], each["is_equi_spaced"]) for each in found["measures"]] == [
        ("RR", False),
        ("nDCG@3", False),
        ("P@3", True),
    ]


def test_length_and_grades_are_taken() -> None:
    found = json.loads(run("P@2", "--length", "2", "--grades", "3", "-f", "json").output)
    assert found["provenance"]["n_rankings"] == 9


def test_the_interval_version_is_a_measure_like_others() -> None:
    rows = list(csv.DictReader(io.StringIO(run("Interval(of='RR')@3", "-f", "csv").output)))
    assert [float(row["value"]) for row in rows] == pytest.approx([1, 2 / 3, 1 / 3, 0])


def test_a_file_of_scores_is_looked_at() -> None:
    assert run("--scores", "scores.csv").output.startswith("The 3 values of score seen in 4 scores are equi-spaced")
    assert "values of P@2 seen" in run("P@2", "--scores", "scores.csv").output


def test_a_file_of_ranks_is_looked_at_as_rr() -> None:
    found = run("--ranks", "ranks.csv", "-f", "json")
    assert [row["value"] for row in json.loads(found.output)["values"]] == pytest.approx([1, 1 / 2, 1 / 3, 0])


def test_labels_and_runs_are_scored_and_looked_at() -> None:
    found = run("RR", "--qrels", "qrels.txt", "--run", "one.run")
    assert found.output.startswith("The 2 values of RR seen in 2 scores are equi-spaced, 1/2 apart.")


@pytest.mark.parametrize("output_format", list(OutputFormat))
@pytest.mark.parametrize("arguments", [["RR"], ["RR", "P@3"], ["--scores", "scores.csv"]])
def test_every_format_is_written_to_a_file(output_format: str, arguments: list[str]) -> None:
    found = run(*arguments, "--format", output_format, "--output", "out")
    assert (found.exit_code, found.output) == (0, "")
    assert Path("out").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Found no measure; expected at least one"),
        (["RR", "--length", "30"], "expected a length of at most 20"),
        (["nothing@3"], "Found measure 'nothing@3', which is not known"),
        (["RR", "P@3", "--scores", "scores.csv"], "Found 2 measures; expected one"),
        (["P@3", "--ranks", "ranks.csv"], "Found P@3 with --ranks; expected no measure"),
        (["--qrels", "qrels.txt"], "Found --qrels without --run, or --run without --qrels"),
        (["--run", "one.run"], "Found --qrels without --run, or --run without --qrels"),
        (["--scores", "scores.csv", "--length", "3"], "Found --length with --scores; expected either a measure to try"),
        (["--ranks", "ranks.csv", "--grades", "2"], "Found --grades with --ranks; expected either a measure to try"),
        (["RR", "--qrels", "qrels.txt", "--run", "one.run", "--length", "4"], "Found --length with --qrels; expected"),
        (["--scores", "scores.csv", "--ranks", "ranks.csv"], "Found --scores and --ranks; expected one of them"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    found = run(*arguments)
    assert isinstance(found.exception, ToprungError)
    assert message in str(found.exception)

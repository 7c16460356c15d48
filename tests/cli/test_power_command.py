from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.report.render import OutputFormat

# new − old is ±.01, 50 times each; low is always behind.
SCORES = "qid,old,new,low\n" + "".join(
    f"{query:03},0.5,{0.51 if query % 2 else 0.49},{0.1 + query / 1000}\n" for query in range(100)
)


@pytest.fixture(autouse=True)
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(SCORES)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["power", *arguments])


def test_pilot_runs_give_each_pair() -> None:
    found = run("--scores", "scores.csv", "-m", "AP", "--difference", "0.004", "--margin", "0.002", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(found.output)))
    assert [(row["a"], row["b"]) for row in rows] == [("new", "old"), ("new", "low"), ("old", "low")]
    assert float(rows[0]["equivalence_p"]) == pytest.approx(0.024676, abs=5e-7)
    assert rows[0]["is_equivalent"] == "True"
    assert float(rows[0]["power_for_difference"]) == pytest.approx(0.98, abs=0.005)


def test_a_baseline_and_names_choose_the_pairs() -> None:
    found = json.loads(run("--scores", "scores.csv", "old", "low", "--baseline", "low", "-f", "json").output)
    assert (found["pairs"]["a"], found["pairs"]["b"]) == (["low"], ["old"])
    assert found["provenance"]["measure"] == "score"


def test_options_are_taken() -> None:
    found = json.loads(run("--scores", "scores.csv", "--alpha", "0.1", "--power", "0.9", "-f", "json").output)
    assert (found["provenance"]["alpha"], found["provenance"]["power"]) == (0.1, 0.9)


def test_a_measure_where_lower_is_better_is_known_by_its_name() -> None:
    found = json.loads(run("--scores", "scores.csv", "-m", "ESL@10", "-f", "json").output)
    assert found["pairs"]["a"][0] == "low"


def test_without_runs_a_plan_is_made() -> None:
    assert run("--sd", "0.58", "--queries", "5793").output.splitlines()[0] == (
        "With 5,793 queries and an sd of 0.58, a difference of 0.0213 would be found with a power of 0.8."
    )
    found = json.loads(run("--sd", "0.3", "--difference", "0.02", "-f", "json").output)
    assert found["needed_for_difference"] == 1766


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    found = run("--scores", "scores.csv", "--format", output_format, "--output", "out")
    assert (found.exit_code, found.output) == (0, "")
    assert "low" in Path("out").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "toprung: Found no runs; expected QRELS RUN..."),
        (("--queries", "50"), "toprung: Found --queries without --sd"),
        (("--sd", "0.3"), "toprung: Found neither queries nor a difference"),
        (("--sd", "0.3", "--queries", "9", "--scores", "scores.csv"), "toprung: Found runs with --sd"),
        (("--sd", "0.3", "--queries", "9", "--margin", "0.1"), "toprung: Found --margin with --sd"),
        (("--scores", "scores.csv", "--baseline", "none"), "toprung: Found no run 'none'"),
        (("--scores", "scores.csv", "--margin", "0"), "toprung: margin: found 0; expected a number above 0."),
        (("--scores", "scores.csv", "--difference", "nan"), "toprung: difference: found nan"),
        (("--scores", "scores.csv", "--power", "80"), "Invalid value for '--power'"),
        (("--scores", "scores.csv", "old"), "toprung: Found 1 run; expected at least two to compare."),
    ],
)
def test_what_cannot_be_planned_is_refused_in_one_line(
    toprung: Callable[..., Any], arguments: tuple[str, ...], message: str
) -> None:
    Path("scores.csv").write_text(SCORES)
    outcome = toprung("power", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert "Traceback" not in outcome.err

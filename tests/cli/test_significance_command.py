from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toprung.cli.main import app
from toprung.errors import InputError, ToprungError
from toprung.report.render import OutputFormat

RANKS = "qid,old,new,best\n" + "".join(f"{query},{5 + query % 3},{4 + query % 3},1\n" for query in range(1, 13))
# new is above old on each of 8 queries
SCORES = "qid,old,new\n" + "".join(f"{query},0.1,{0.1 + query / 10:.1f}\n" for query in range(1, 9))
QRELS = "q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n"
GOOD = "q1 Q0 a 1 2 good\nq2 Q0 b 1 2 good\nq3 Q0 c 1 2 good\n"
POOR = "q1 Q0 x 1 2 poor\nq1 Q0 a 2 1 poor\nq2 Q0 x 1 2 poor\nq3 Q0 c 1 2 poor\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "ranks.csv": RANKS,
        "scores.csv": SCORES,
        "qrels.txt": QRELS,
        "good.run": GOOD,
        "poor.run": POOR,
    }.items():
        Path(name).write_text(text)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["significance", *arguments])


def refusal(*arguments: str) -> str:
    found = run(*arguments)
    assert isinstance(found.exception, ToprungError), found.output
    return str(found.exception)


def test_the_first_line_is_the_sentence() -> None:
    found = run("--ranks", "ranks.csv")
    assert found.exit_code == 0
    assert found.output.splitlines()[0] == (
        "Of 3 pairs, all differ beyond chance, all compared at once; best is better than all others."
    )
    assert "paired t-test       3           3     3                   3\n" in found.output


def test_labels_and_runs_are_scored_by_the_measure_named() -> None:
    found = json.loads(run("qrels.txt", "poor.run", "good.run", "-m", "P@1", "--format", "json").output)
    assert found["measure"] == "P@1"
    assert found["scale"] == "interval"
    assert [(row["run"], row["mean"]) for row in found["runs"]] == [("good", 1.0), ("poor", pytest.approx(1 / 3))]


def test_rr_up_to_the_cutoff_is_taken_when_no_measure_is_named() -> None:
    found = json.loads(run("qrels.txt", "poor.run", "good.run", "--cutoff", "1", "--format", "json").output)
    assert (found["measure"], found["scale"]) == ("RR@1", "ordinal")
    assert found["pairs"]["delta"] == [pytest.approx(2 / 3)]


def test_scores_of_a_measure_nobody_knows_are_tested_and_have_no_scale() -> None:
    for arguments in (["--scores", "scores.csv"], ["--scores", "scores.csv", "-m", "my own"]):
        assert run(*arguments).output.startswith("new is better than old in ")
        assert json.loads(run(*arguments, "-f", "json").output)["scale"] is None


def test_scores_take_scale_and_direction_from_the_measure_they_are_said_to_be_of() -> None:
    assert run("--scores", "scores.csv", "-m", "ESL").output.startswith("old is better than new in ESL")
    assert json.loads(run("--scores", "scores.csv", "-m", "nDCG@10", "-f", "json").output)["scale"] == "ordinal"


@pytest.mark.parametrize("measure", ["RR", "nDCG@10", "P@10"])
def test_no_test_is_called_not_permitted(measure: str) -> None:
    assert "permitted" not in run("--scores", "scores.csv", "-m", measure).output


def test_arguments_choose_runs_of_a_matrix() -> None:
    rows = list(csv.DictReader(io.StringIO(run("--ranks", "ranks.csv", "best", "old", "-f", "csv").output)))
    assert [(row["a"], row["b"]) for row in rows] == [("best", "old")]


def test_tests_and_corrections_can_be_chosen() -> None:
    found = run("--ranks", "ranks.csv", "--test", "sign", "--test", "wsr", "--correction", "bonferroni", "-f", "csv")
    header = found.output.splitlines()[0].split(",")
    assert [name for name in header if "_p" in name] == ["sign_p_bonferroni", "wsr_p_bonferroni"]


def test_alpha_and_seed_are_in_the_provenance() -> None:
    found = json.loads(run("--ranks", "ranks.csv", "--alpha", "0.01", "--seed", "7", "-f", "json").output)
    assert (found["provenance"]["alpha"], found["provenance"]["seed"]) == (0.01, 7)


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    found = run("--ranks", "ranks.csv", "--format", output_format, "--output", "out")
    assert (found.exit_code, found.output) == (0, "")
    assert "best" in Path("out").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Found no runs"),
        (["qrels.txt", "good.run"], "Found 1 run; expected at least two"),
        (["--ranks", "ranks.csv", "old"], "Found 1 run; expected at least two"),
        (["--ranks", "ranks.csv", "older", "old"], "Found no run 'older'"),
        (["--ranks", "ranks.csv", "-m", "nDCG@10"], "ranks give only RR"),
        (["--ranks", "ranks.csv", "--scores", "scores.csv"], "Found both --ranks and --scores"),
        (["qrels.txt", "good.run", "poor.run", "-m", "ESL"], "Found queries without a value of ESL"),
    ],
)
def test_what_cannot_be_tested_is_refused_in_one_line(arguments: list[str], message: str) -> None:
    assert message in refusal(*arguments)
    assert isinstance(run(*arguments).exception, InputError)


def test_an_unknown_test_is_refused_with_those_that_are_known() -> None:
    found = run("--ranks", "ranks.csv", "--test", "anova")
    assert found.exit_code == 2
    assert "'wrs', 'wsr', 't', 'sign'" in found.output

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

# strong is first everywhere, weak never finds anything, other is second or fourth.
RANKS = "qid,weak,other,strong\n" + "".join(f"{query:02},0,{2 if query % 2 else 4},1\n" for query in range(1, 25))


@pytest.fixture(autouse=True)
def ranks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ranks.csv").write_text(RANKS)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["agreement", "--splits", "4", *arguments])


def test_the_sentence_comes_first_then_the_published_table() -> None:
    lines = run("--ranks", "ranks.csv").output.splitlines()
    assert lines[0] == (
        "Over 4 random splits of 24 queries, the halves agree on 100.0% of 3 pairs of runs by the mean, and on 100.0% "
        "by the median; they disagree on at most 0.0%."
    )
    assert lines[2].split("  ")[0] == "RR@100"
    assert [line.split("  ")[0] for line in lines[3:11:2]] == ["agree", "part. agree", "disagree", "perc. signif."]


def test_csv_has_a_row_for_each_test_and_aggregate() -> None:
    rows = list(csv.DictReader(io.StringIO(run("--ranks", "ranks.csv", "-f", "csv", "--reading", "table4ab").output)))
    assert [(row["test"], row["aggregate"]) for row in rows][3:5] == [("t", "mean"), ("sign", "median")]
    assert {(row["reading"], row["agree"], row["same_both"]) for row in rows} == {("table4ab", "1.0", "12")}


def test_options_are_taken() -> None:
    options = ["--alpha", "0.1", "--seed", "4", "--method", "auto", "--reading", "table4ab", "-j", "2"]
    found = json.loads(run("--ranks", "ranks.csv", *options, "--backend", "threading", "-f", "json").output)
    provenance = found["provenance"]
    assert (provenance["alpha"], provenance["seed"], provenance["n_splits"]) == (0.1, 4, 4)
    assert (provenance["signed_rank_method"], provenance["reading"]) == ("auto", "table4ab")


@pytest.mark.parametrize("output_format", list(OutputFormat))
def test_every_format_is_written_to_a_file(output_format: str) -> None:
    found = run("--ranks", "ranks.csv", "--format", output_format, "--output", "out")
    assert (found.exit_code, found.output) == (0, "")
    assert "sign" in Path("out").read_text(encoding="utf-8").lower()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "toprung: Found no runs; expected QRELS RUN..."),
        (("--ranks", "ranks.csv", "weak"), "toprung: Found 1 run; expected at least two to compare."),
        (("--ranks", "few.csv"), "toprung: Found 3 queries; expected at least 4."),
        (("qrels.txt", "good.run", "poor.run", "-m", "ESL@10"), "toprung: Found 2 queries; expected at least 4."),
        (("--ranks", "ranks.csv", "--splits", "0"), "Invalid value for '--splits'"),
        (("--ranks", "ranks.csv", "-j", "2", "--backend", "nobody"), "toprung: backend: found 'nobody'"),
    ],
)
def test_what_cannot_be_split_is_refused_in_one_line(
    toprung: Callable[..., Any], arguments: tuple[str, ...], message: str
) -> None:
    Path("ranks.csv").write_text(RANKS)
    Path("few.csv").write_text("qid,a,b\n1,1,2\n2,1,3\n3,4,0\n")
    outcome = toprung("agreement", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert "Traceback" not in outcome.err

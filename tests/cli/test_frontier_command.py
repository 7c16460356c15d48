from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

VALUES = ("0.1,0.2,0.9", "0.3,0.3,0.8", "0.2,0.1,0.9", "0.2,0.4,0.7") * 3
SCORES = "\n".join(["qid,x,y,z", *(f"{number},{values}" for number, values in enumerate(VALUES)), ""])
RUNS = "run,cost,latency\nx,1,30\ny,5,20\nz,2,10\n"


@pytest.fixture(autouse=True)
def matrices(files: Path) -> None:
    (files / "scores.csv").write_text(SCORES)
    (files / "runs.csv").write_text(RUNS)


def test_runs_are_held_against_cheaper_ones(toprung: Command) -> None:
    outcome = toprung("frontier", "--scores", "scores.csv", "-m", "P@10", "--metadata", "runs.csv")
    assert outcome.code == 0
    assert outcome.out.startswith("z has the best P@10, at a cost of 2, and does better than every cheaper run beyond")
    assert "y is dominated" in outcome.out


def test_latency_is_another_cost(toprung: Command) -> None:
    outcome = toprung("frontier", "--scores", "scores.csv", "--metadata", "runs.csv", "--by", "latency")
    assert outcome.out.startswith("z has the best score of 3 runs and is the fastest; y and x are dominated")


def test_labels_and_runs_will_do_and_json_has_every_run(toprung: Command, files: Path) -> None:
    (files / "priced.json").write_text('[{"run": "good", "cost": 2}, {"run": "poor", "cost": 1}]')
    outcome = toprung("frontier", "qrels.txt", "good.run", "poor.run", "--metadata", "priced.json", "-f", "json")
    assert [row["run"] for row in json.loads(outcome.out)["runs"]] == ["poor", "good"]


def test_a_column_that_is_misspelt_is_named(toprung: Command, files: Path) -> None:
    (files / "runs.csv").write_text("run,costs\nx,1\n")
    outcome = toprung("frontier", "--scores", "scores.csv", "--metadata", "runs.csv")
    assert outcome.code == 2
    assert outcome.err == (
        "toprung: runs.csv: found no run with a cost; expected a column 'cost'. Not known: 'costs'.\n"
    )


def test_metadata_must_be_given(toprung: Command) -> None:
    outcome = toprung("frontier", "--scores", "scores.csv")
    assert outcome.code == 2
    assert "Missing option '--metadata'" in outcome.err


def test_the_same_file_serves_where_dates_and_submissions_are_read(toprung: Command, files: Path) -> None:
    rows = "run,team,date,cost,system,seed\ngood,Halden,2021-05-01,2,s,1\npoor,Norrland,2021-05-02,1,s,2\n"
    (files / "all.csv").write_text(rows)
    for asked in (
        ("timeline", "qrels.txt", "good.run", "poor.run", "--dates", "all.csv"),
        ("standings", "qrels.txt", "good.run", "poor.run", "-m", "RR", "--rule", "lin2021", "--dates", "all.csv"),
        ("policy", "all.csv"),
        ("frontier", "qrels.txt", "good.run", "poor.run", "--metadata", "all.csv"),
        ("seeds", "qrels.txt", "good.run", "poor.run", "--metadata", "all.csv"),
    ):
        outcome = toprung(*asked)
        assert (outcome.code, outcome.err) == (0, ""), asked

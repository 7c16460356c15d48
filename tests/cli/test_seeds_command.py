from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

SCORES = "qid,a1,a2,b1,b2\n1,0.1,0.3,0.6,0.7\n2,0.5,0.5,0.6,0.8\n3,0.3,0.4,0.9,0.9\n"
RUNS = "run,system,seed\na1,a,1\na2,a,2\nb1,b,1\nb2,b,2\n"


@pytest.fixture(autouse=True)
def matrices(files: Path) -> None:
    (files / "scores.csv").write_text(SCORES)
    (files / "runs.csv").write_text(RUNS)


def test_systems_are_compared_over_their_seeds(toprung: Command) -> None:
    outcome = toprung("seeds", "--scores", "scores.csv", "-m", "P@10", "--metadata", "runs.csv")
    assert outcome.code == 0
    assert outcome.out.startswith("Over seeds and queries, b does better than a in P@10 beyond chance: 0.7500 against")


def test_csv_has_a_row_for_each_system_and_json_the_seeds(toprung: Command) -> None:
    asked = ("seeds", "--scores", "scores.csv", "--metadata", "runs.csv", "-f")
    assert [line.split(",")[0] for line in toprung(*asked, "csv").out.splitlines()] == ["system", "b", "a"]
    assert [seed["run"] for seed in json.loads(toprung(*asked, "json").out)["systems"][1]["seeds"]] == ["a1", "a2"]


def test_a_stricter_level_tells_less_apart(toprung: Command) -> None:
    outcome = toprung("seeds", "--scores", "scores.csv", "--metadata", "runs.csv", "--alpha", "0.01")
    assert outcome.out.startswith("Over seeds and queries, b and a cannot be told apart")


def test_metadata_without_systems_are_refused(toprung: Command, files: Path) -> None:
    (files / "runs.csv").write_text("run,sytem\na1,a\n")
    outcome = toprung("seeds", "--scores", "scores.csv", "--metadata", "runs.csv")
    assert outcome.code == 2
    assert outcome.err == (
        "toprung: runs.csv: found no run with a system; expected a column 'system'. Not known: 'sytem'.\n"
    )

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
N = 40


@pytest.fixture(autouse=True)
def requests(files: Path) -> None:
    """RR: main has 1 everywhere; worse has 1/2 on 12 of 40 queries; alike has 1/2 on 1."""
    (files / "labels.txt").write_text("".join(f"q{q} 0 a 1\n" for q in range(N)))
    for name, n_worse in (("main", 0), ("alike", 1), ("worse", 12)):
        lines = [f"q{q} Q0 {doc} {rank} {9 - rank} t\n" for q in range(N) for rank, doc in _rank(q < n_worse)]
        (files / f"{name}.run").write_text("".join(lines))


def _rank(is_second: bool) -> list[tuple[int, str]]:
    return [(1, "x"), (2, "a")] if is_second else [(1, "a"), (2, "x")]


@pytest.mark.parametrize(
    ("baseline", "new", "code", "opening"),
    [
        ("main", "worse", 1, "Loss shown: main is better than worse (RR@10 +0.1500, p = 0.0005)."),
        ("worse", "main", 0, "Pass: main is better than worse"),
        ("main", "alike", 0, "Pass: alike loses at most"),
        ("alike", "worse", 1, "Loss shown: alike is better"),
    ],
)
def test_the_exit_code_is_the_answer(toprung: Command, baseline: str, new: str, code: int, opening: str) -> None:
    outcome = toprung("gate", "labels.txt", f"{baseline}.run", f"{new}.run", "-m", "RR@10")
    assert outcome.code == code
    assert outcome.out.startswith(opening)


def test_too_few_queries_are_code_3(toprung: Command) -> None:
    outcome = toprung("gate", "labels.txt", "main.run", "alike.run", "--margin", "0.01")
    assert outcome.code == 3
    assert outcome.out.startswith("Cannot tell: alike may be up to ")
    assert "queries would tell" in outcome.out.splitlines()[0]


def test_an_unchanged_run_is_green_be_it_the_same_file_or_one_of_the_same_name(toprung: Command, files: Path) -> None:
    (files / "pr").mkdir()
    (files / "pr/main.run").write_bytes((files / "main.run").read_bytes())
    (files / "three.txt").write_text("".join(f"q{q} 0 a 1\n" for q in range(3)))
    for new, names in (("main.run", "in new as in baseline"), ("pr/main.run", f"in pr/main as in {files.name}/main")):
        outcome = toprung("gate", "three.txt", "main.run", new, "-m", "RR@10")
        assert outcome.out.startswith(f"Pass: nothing changed: every query has the same RR@10 {names} (3 queries).")
        assert outcome.code == 0


def test_of_two_runs_it_is_not_said_that_the_best_are_hardly_told_apart(toprung: Command) -> None:
    assert "hardly tells" in toprung("compare", "labels.txt", "main.run", "worse.run", "-m", "RR@10").out
    assert "hardly tells" not in toprung("gate", "labels.txt", "main.run", "worse.run", "-m", "RR@10").out


def test_markdown_is_for_a_comment(toprung: Command, files: Path) -> None:
    outcome = toprung("gate", "labels.txt", "main.run", "worse.run", "-f", "markdown", "-o", "summary.md")
    assert (outcome.code, outcome.out) == (1, "")
    assert (files / "summary.md").read_text().startswith("Loss shown: main is better than worse")
    assert "| main | 1.0000 | worse | 0.8500 |" in (files / "summary.md").read_text()


def test_a_state_is_begun_and_kept_and_the_same_change_is_not_charged_twice(toprung: Command, files: Path) -> None:
    for _ in range(2):
        outcome = toprung("gate", "labels.txt", "main.run", "worse.run", "--state", "gate.json")
        assert outcome.code == 1
    for baseline in ("main", "worse"):
        assert toprung("gate", "labels.txt", f"{baseline}.run", "main.run", "--state", "gate.json").code == 0
    kept = json.loads((files / "gate.json").read_text())
    assert [each["p"] for each in kept["requests"]] == [2.0**-11]  # all twelve one way


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Found nothing; expected three files: QRELS BASELINE NEW."),
        (("labels.txt", "main.run"), "Found labels.txt main.run; expected three files: QRELS BASELINE NEW."),
        (("labels.txt", "main.run", "worse.run", "-m", "ESL"), "Found ESL, which is not known to lie from 0 to 1"),
        (("--scores", "s.csv", "--state", "gate.json"), "Found --state with a matrix; expected labels and runs"),
        (
            ("labels.txt", "main.run", "worse.run", "--state", "no/gate.json"),
            "no/gate.json: found no folder no; make it",
        ),
        (("labels.txt", "main.run", "worse.run", "--state", "main.run"), "main.run: found a file that is damaged"),
        (("labels.txt", "main.run", "worse.run", "--state", "gate.json", "-m", "AP"), "found measure AP; expected RR"),
        (("qrels.txt", "good.run", "poor.run", "--state", "gate.json", "-m", "RR@10"), "state: found labels sha256:"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line(
    toprung: Command, files: Path, arguments: tuple[str, ...], said: str
) -> None:
    toprung("gate", "labels.txt", "main.run", "worse.run", "--state", "gate.json", "-m", "RR@10")
    before = (files / "gate.json").read_bytes(), (files / "main.run").read_bytes()
    outcome = toprung("gate", *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
    assert ((files / "gate.json").read_bytes(), (files / "main.run").read_bytes()) == before


@pytest.mark.parametrize("state", ["/dev/zero", "pipe"])
def test_a_state_that_is_no_file_is_refused_before_it_is_read(toprung: Command, files: Path, state: str) -> None:
    """To read a device would take all memory, to open a pipe would wait for somebody who writes to it."""
    os.mkfifo(files / "pipe")
    outcome = toprung("gate", "labels.txt", "main.run", "worse.run", "-m", "RR@10", "--state", state)
    assert outcome.code == 2
    assert f"{state}: found a device or a pipe; expected a file." in outcome.err

"""``toprung report``: one page with everything there is to know of some runs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Outcome

from toprung.cli.report import say_bytes

# In the folder: good has rank 1 on both queries, poor rank 2 on one and nothing on the other.
RUNS = ("qrels.txt", "good.run", "poor.run")
RANKS = "qid,poor,good\n" + "".join(f"q{n},{5 + n % 3},{1 + n % 2}\n" for n in range(8))
SCORES = "qid,poor,good\n" + "".join(f"q{n},{0.01 * n},{0.3 + 0.02 * n}\n" for n in range(8))

type Command = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def more_files(files: Path) -> None:
    texts = {
        "ranks.csv": RANKS,
        "scores.csv": SCORES,
        "private-ranks.csv": RANKS.replace("q", "p").replace("pid", "qid"),
        "private.qrels": "q1 0 x 1\nq2 0 y 1\n",
        "runs.csv": "run,team,date,cost\ngood,Halden,2026-02-03,2\npoor,Norrland,2026-01-02,1\n",
    }
    for name, text in texts.items():
        (files / name).write_text(text)


def read_report(toprung: Command, *arguments: str) -> dict[str, Any]:
    done = toprung("report", *arguments, "--trials", "10", "-f", "json", "-o", "report.json")
    assert done.code == 0, done.err
    told: dict[str, Any] = json.loads(Path("report.json").read_text())
    return told


def keys_of(told: dict[str, Any]) -> set[str]:
    return {part["key"] for part in told["parts"]}


def test_it_writes_a_page_and_says_where_it_is_and_what_it_says(toprung: Command, files: Path) -> None:
    done = toprung("report", *RUNS, "-o", "out.html", "--trials", "10", "--title", "Autumn <script>alert(1)</script>")
    assert done.code == 0, done.err
    page = (files / "out.html").read_text()
    sentence, _, place = done.out.strip().split("\n")
    assert all(said.rstrip(".") in page for said in sentence.split(". "))
    assert place == f"out.html: {page.count('<details class="part"') - 1} parts, {say_bytes(len(page.encode()))}"
    assert "Autumn" in page
    assert "<script>alert(1)" not in page


def test_the_page_goes_to_report_html_unless_told(toprung: Command, files: Path) -> None:
    assert toprung("report", "--ranks", "ranks.csv", "--trials", "10").code == 0
    assert (files / "report.html").read_text().startswith("<!doctype html>")


def test_labels_and_runs_are_scored_by_the_measure_that_is_named(toprung: Command) -> None:
    assert read_report(toprung, *RUNS)["provenance"]["measure"] == "nDCG@10"
    assert read_report(toprung, *RUNS, "--cutoff", "1")["provenance"]["measure"] == "RR@1"
    assert read_report(toprung, *RUNS, "-m", "AP")["provenance"]["measure"] == "AP"


def test_what_is_known_of_runs_opens_more_parts(toprung: Command) -> None:
    told = read_report(toprung, *RUNS, "--dates", "runs.csv", "--private-qrels", "private.qrels")
    assert {"timeline", "holdout", "policy", "cost"} <= keys_of(told)
    board = next(part["result"] for part in told["parts"] if part["key"] == "board")
    assert {row["run"]: row["team"] for row in board["rows"]} == {"good": "Halden", "poor": "Norrland"}


def test_other_labels_are_scored_too(toprung: Command) -> None:
    assert "relabel" in keys_of(read_report(toprung, *RUNS, "--labels", "private.qrels"))


def test_matrices_are_reported_with_private_ones_beside_them(toprung: Command) -> None:
    told = read_report(toprung, "--ranks", "ranks.csv", "--private", "private-ranks.csv")
    assert "holdout" in keys_of(told)
    assert told["sentence"].startswith("good does best, beyond chance.")
    named = read_report(toprung, "--scores", "scores.csv", "-m", "thumbs")
    assert named["sentence"].startswith("good does best, beyond chance.")


def test_only_the_runs_that_are_named_are_taken_from_a_matrix(toprung: Command) -> None:
    told = read_report(toprung, "--ranks", "ranks.csv", "poor")
    assert told["provenance"]["n_runs"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected QRELS RUN..."),
        (("qrels.txt",), "Found no runs"),
        (("qrels.txt", "missing.run"), "missing.run"),
        ((*RUNS, "-m", "RR@10", "--cutoff", "5"), "Found --cutoff with --measure RR@10"),
        (("--ranks", "ranks.csv", "-m", "AP"), "ranks give only RR"),
        (("--ranks", "ranks.csv", "--scores", "scores.csv"), "expected one of them"),
        ((*RUNS, "--baseline", "bm25"), "no run 'bm25'"),
        ((*RUNS, "--labels", "."), "found no manifest.json"),
        ((*RUNS, "--dates", "qrels.txt"), "qrels.txt"),
        ((*RUNS, "--private-qrels", "missing.qrels"), "missing.qrels"),
        ((*RUNS, "-o", "no/such/folder/report.html"), "no folder no/such/folder"),
    ],
)
def test_what_cannot_be_is_said_in_one_line_and_nothing_is_written(
    toprung: Command, files: Path, arguments: tuple[str, ...], message: str
) -> None:
    before = sorted(files.iterdir())
    done = toprung("report", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert sorted(files.iterdir()) == before


def test_a_folder_as_output_is_refused(toprung: Command, files: Path) -> None:
    (files / "folder").mkdir()
    done = toprung("report", *RUNS, "-o", "folder")
    assert done.code == 2
    assert "is a directory" in done.err
    assert list((files / "folder").iterdir()) == []


def test_an_earlier_report_stays_whole_if_the_next_one_fails(
    toprung: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "report.html").write_text("earlier")

    def no_space(*_: object, **__: object) -> int:
        raise OSError(28, os.strerror(28), "report.html")

    monkeypatch.setattr(Path, "write_text", no_space)
    done = toprung("report", "--ranks", "ranks.csv", "--trials", "10", "-f", "json", "-o", "report.html")
    monkeypatch.undo()
    assert done.code == 2
    assert "No space left" in done.err
    assert (files / "report.html").read_text() == "earlier"


def test_the_same_bytes_come_out_with_one_core_and_with_more(toprung: Command) -> None:
    one = read_report(toprung, *RUNS, "-j", "1")
    assert read_report(toprung, *RUNS, "-j", "2") == one


@pytest.mark.parametrize(
    ("option", "question"), [("--private-qrels", "Does it hold on private"), ("--labels", "label")]
)
def test_labels_that_fit_no_run_are_left_out_with_a_warning(
    toprung: Command, files: Path, option: str, question: str
) -> None:
    (files / "elsewhere.qrels").write_text("x1 0 a 1\nx2 0 b 1\n")
    done = toprung("report", *RUNS, option, "elsewhere.qrels", "--trials", "10", "-o", "out.html")
    assert done.code == 0, done.err
    (warning,) = [line for line in done.err.splitlines() if question in line]
    assert warning.startswith("toprung: left out “")
    assert "Who" in (files / "out.html").read_text()

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
INPUTS = ("qrels.txt", "good.run", "poor.run")
SCORES = "qid,low,high\n" + "".join(f"q{n},0.{n % 3}1,0.{n % 3 + 5}{n % 7}\n" for n in range(40))


@pytest.fixture(autouse=True)
def score_file(files: Path) -> None:
    (files / "scores.csv").write_text(SCORES)


def test_several_measures_stand_in_one_table(toprung: Command) -> None:
    outcome = toprung("table", *INPUTS, "-m", "RR@10", "-m", "P@1")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("RR@10: Two runs may be best: good and poor; the labels cannot tell them apart. P@1: ")
    assert [line.split() for line in lines[2:5]] == [
        ["run", "RR@10", "P@1"],
        ["a", "good", "1.0000*†", "1.0000*†"],
        ["b", "poor", "0.2500", "†", "0.0000", "†"],
    ]


def test_figures_are_those_of_evaluate(toprung: Command) -> None:
    measures = ("-m", "nDCG@10", "-m", "AP", "-m", "NumRelRet")
    scores = json.loads(toprung("evaluate", *INPUTS, *measures, "-f", "json").out)["scores"]
    entries = json.loads(toprung("table", *INPUTS, *measures, "-f", "json").out)["entries"]
    assert len(entries) == 6
    assert [(e["run"], e["measure"], e["value"]) for e in entries] == [
        (s["run"], s["measure"], s["value"]) for s in scores
    ]


def test_scores_of_a_file_are_compared_and_not_said_to_be_computed_here(toprung: Command) -> None:
    told = json.loads(toprung("table", "--scores", "scores.csv", "--baseline", "low", "-f", "json").out)
    assert told["methods"].startswith("Scores of runs were compared with Toprung")
    assert [entry["better_than"] for entry in told["entries"]] == [["low"], []]


def test_the_references_can_be_written_to_a_file(files: Path, toprung: Command) -> None:
    assert toprung("table", *INPUTS, "--bibtex", "toprung.bib", "-f", "latex").code == 0
    assert (files / "toprung.bib").read_text().startswith("@misc{toprung,\n")


def test_without_measures_the_labels_choose_and_cutoff_asks_for_rr(toprung: Command) -> None:
    assert json.loads(toprung("table", *INPUTS, "-f", "json").out)["measures"] == ["nDCG@10"]
    assert json.loads(toprung("table", *INPUTS, "--cutoff", "5", "-f", "json").out)["measures"] == ["RR@5"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*INPUTS, "--baseline", "poor", "--marks", "better"), "Found --marks with --baseline; expected one of them"),
        (("qrels.txt", "good.run"), "Found 1 run; expected at least two"),
        (("qrels.txt",), "Found no runs"),
        ((*INPUTS, "--baseline", "nobody"), "baseline: found no run 'nobody'; expected one of good, poor."),
        ((*INPUTS, "-m", "nDGC"), "Did you mean nDCG?"),
        (("--scores", "scores.csv", "-m", "a", "-m", "b"), "Found 2 measures with a matrix; expected one"),
        ((*INPUTS, "-m", "RR@10", "--cutoff", "5"), "Found --cutoff with --measure RR@10"),
    ],
)
def test_what_cannot_be_a_table_is_refused_in_a_sentence(
    arguments: tuple[str, ...], said: str, toprung: Command
) -> None:
    outcome = toprung("table", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
    assert "Traceback" not in outcome.err

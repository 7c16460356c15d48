from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


def test_a_newcomer_s_first_evaluation(real_toprung: Command) -> None:
    outcome = real_toprung("evaluate", "qrels.txt", "good.run", "poor.run", "-m", "RR@10", "-m", "nDCG@10")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("good has the highest RR@10, 1.0000 over 2 queries, 0.7500 ")
    assert lines[2].split() == ["run", "RR@10", "nDCG@10"]
    assert lines[3].split() == ["good", "1.0000", "1.0000"]
    assert lines[4].split() == ["poor", "0.2500", "0.3155"]  # (1 / log2(3) + 0) / 2
    assert "64-bit" in outcome.out


def test_without_a_measure_the_usual_ones_are_shown(toprung: Command) -> None:
    header = toprung("evaluate", "qrels.txt", "good.run").out.splitlines()[2]
    assert header.split() == ["run", "RR@10", "nDCG@10", "AP", "R@1000"]


def test_csv(toprung: Command) -> None:
    outcome = toprung("evaluate", "qrels.txt", "good.run", "poor.run", "-m", "RR", "-f", "csv")
    assert outcome.out == "run,measure,value\ngood,RR,1.0\npoor,RR,0.25\n"


def test_csv_per_query(toprung: Command) -> None:
    outcome = toprung("evaluate", "qrels.txt", "poor.run", "-m", "MRR", "--per-query", "--format", "csv")
    assert outcome.out == "run,measure,query_id,value\npoor,RR,q1,0.5\npoor,RR,q2,0.0\n"


def test_table_per_query(toprung: Command) -> None:
    lines = toprung("evaluate", "qrels.txt", "poor.run", "-m", "RR", "-q").out.splitlines()
    assert [line.split() for line in lines[2:5]] == [
        ["run", "measure", "query_id", "value"],
        ["poor", "RR", "q1", "0.5000"],
        ["poor", "RR", "q2", "0.0000"],
    ]


def test_json_has_scores_counts_and_digests(toprung: Command, files: Path) -> None:
    said = json.loads(toprung("evaluate", "qrels.txt", "poor.run", "-m", "RR", "-m", "ESL@1", "-f", "json").out)
    assert [score["value"] for score in said["scores"]] == [0.25, None]
    (run,) = said["runs"]
    assert run["digest"] == "sha256:" + hashlib.sha256((files / "poor.run").read_bytes()).hexdigest()
    assert "per_query" not in said
    assert said["provenance"]["labels"] == "qrels.txt"


def test_json_per_query(toprung: Command) -> None:
    said = json.loads(toprung("evaluate", "qrels.txt", "poor.run", "-m", "RR", "-f", "json", "-q").out)
    assert [(row["query_id"], row["value"]) for row in said["per_query"]] == [("q1", 0.5), ("q2", 0)]


def test_markdown_latex_and_html(toprung: Command) -> None:
    def shown(output_format: str) -> str:
        return str(toprung("evaluate", "qrels.txt", "good.run", "-m", "RR", "-f", output_format).out)

    assert "| good | 1.0000 |" in shown("markdown")
    assert r"good & 1.0000 \\" in shown("latex")
    assert '<th scope="row">good</th><td class="num">1.0000</td>' in shown("html")


def test_formats_may_be_written_in_capitals(toprung: Command) -> None:
    assert toprung("evaluate", "qrels.txt", "good.run", "-f", "CSV").out.startswith("run,measure,value\n")


def test_the_result_may_go_to_a_file(toprung: Command, files: Path) -> None:
    outcome = toprung("evaluate", "qrels.txt", "good.run", "-m", "RR", "-f", "csv", "-o", "out.csv")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert (files / "out.csv").read_bytes() == b"run,measure,value\ngood,RR,1.0\n"


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("out.csv", b"run,measure,value\n"),
        ("out.JSON", b"{"),
        ("out.tex", b"%"),
        ("out.html", b"<!doctype html>"),
        ("out.svg", b"<svg"),
        ("out.txt", b"good has RR"),
    ],
)
def test_without_a_format_the_ending_of_the_file_says_how(
    name: str, start: bytes, toprung: Command, files: Path
) -> None:
    assert toprung("evaluate", "qrels.txt", "good.run", "-m", "RR", "-o", name).code == 0
    assert (files / name).read_bytes().startswith(start)


def test_a_format_that_is_asked_for_goes_before_the_ending(toprung: Command, files: Path) -> None:
    assert toprung("evaluate", "qrels.txt", "good.run", "-m", "RR", "-f", "csv", "-o", "out.json").code == 0
    assert (files / "out.json").read_bytes() == b"run,measure,value\ngood,RR,1.0\n"


def test_a_file_is_not_touched_when_the_evaluation_fails(toprung: Command, files: Path) -> None:
    (files / "out.csv").write_text("kept")
    assert toprung("evaluate", "qrels.txt", "missing.run", "-o", "out.csv").code == 2
    assert (files / "out.csv").read_text() == "kept"


def test_runs_may_be_named_by_their_tag(toprung: Command) -> None:
    outcome = toprung("evaluate", "qrels.txt", "good.run", "poor.run", "-m", "RR", "-f", "csv", "--name-from", "tag")
    assert [row[0] for row in csv.reader(io.StringIO(outcome.out))] == ["run", "good-tag", "poor-tag"]


def test_runs_of_one_name_are_told_apart_by_their_folder(toprung: Command, files: Path) -> None:
    for folder in ("old", "new"):
        (files / folder).mkdir()
        (files / folder / "bm25.run").write_text((files / "good.run").read_text())
    outcome = toprung("evaluate", "qrels.txt", "old/bm25.run", "new/bm25.run", "-m", "RR", "-f", "csv")
    assert [row[0] for row in csv.reader(io.StringIO(outcome.out))] == ["run", "new/bm25", "old/bm25"]


def test_float32_ties(toprung: Command, files: Path) -> None:
    (files / "near.run").write_text("q1 Q0 a 1 1.00000001 t\nq1 Q0 b 2 1 t\n")
    plain = toprung("evaluate", "qrels.txt", "near.run", "-m", "RR")
    assert "near  0.5000" in plain.out  # a first: (1 + 0) / 2
    tied = toprung("evaluate", "qrels.txt", "near.run", "-m", "RR", "--float32-ties")
    assert "near  0.2500" in tied.out  # b first: (1/2 + 0) / 2
    assert "32-bit" in tied.out


def test_the_denominator_may_be_the_run_s_own_queries(toprung: Command, files: Path) -> None:
    (files / "half.run").write_text("q1 Q0 a 1 1 t\n")
    assert "half  0.5000" in toprung("evaluate", "qrels.txt", "half.run", "-m", "RR").out
    assert "half  1.0000" in toprung("evaluate", "qrels.txt", "half.run", "-m", "RR", "--denominator", "run").out


def test_the_run_format_may_be_named(toprung: Command, files: Path) -> None:
    (files / "three.txt").write_text("q1\ta\t1\n")
    outcome = toprung("evaluate", "qrels.txt", "three.txt", "-m", "RR", "--from", "msmarco")
    assert "three  0.5000" in outcome.out
    refused = toprung("evaluate", "qrels.txt", "three.txt", "--from", "trec")
    assert refused.code == 2
    assert refused.err.startswith("toprung: three.txt, line 1: found 3 columns, ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "bad.run: found an empty file; expected at least one line."),
        ("q1 Q0 a 1 1\n", "bad.run, line 1: found 5 columns; expected 6"),
        ("q1 Q0 a 1 1 t\nq1 Q0 a 2 0.5 t\n", "bad.run, line 2: found document 'a' of query 'q1' again"),
        ("q1 Q0 a 1 inf t\n", "bad.run, line 1: found score 'inf'; expected a finite number."),
        ("q1 0 a 1\n", "bad.run, line 1: found 4 columns; expected 6"),
        ("q9 Q0 a 1 1 t\n", "bad.run: found 1 queries, none of them in the labels (qrels.txt)"),
    ],
)
def test_a_bad_run_is_refused_in_one_line(toprung: Command, files: Path, content: str, message: str) -> None:
    (files / "bad.run").write_text(content)
    outcome = toprung("evaluate", "qrels.txt", "bad.run", "-m", "RR")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"toprung: {message}")
    assert outcome.err.count("\n") == 1


def test_bad_labels_are_refused_in_one_line(toprung: Command, files: Path) -> None:
    (files / "bad.txt").write_text("q1 0 a high\n")
    outcome = toprung("evaluate", "bad.txt", "good.run")
    assert outcome.code == 2
    assert outcome.err == "toprung: bad.txt, line 1: found grade 'high'; expected a whole number of at most 9 digits.\n"


def test_labels_and_run_exchanged_are_told(toprung: Command) -> None:
    outcome = toprung("evaluate", "good.run", "qrels.txt")
    assert outcome.code == 2
    assert "Six columns are a run, not labels." in outcome.err


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("alpha_nDCG@20", "Found measure 'alpha_nDCG@20', which needs labels for the subtopics of a query."),
        ("nDGC@10", "Found measure 'nDGC@10', which is not known; `toprung measures` lists those that are. Did you"),
        ("P", "Found 'P'; P needs a cutoff: write P@10."),
        ("RR@ten", "Found measure 'RR@ten'; expected a name such as RR, nDCG@10 or P(rel=2)@5."),
        ("RR(rel='x')", "Found rel='x' in 'RR(rel='x')'; expected a whole number."),
        ("NumRet@5", "Found 'NumRet@5'; NumRet takes no cutoff: leave out @5."),
    ],
)
def test_a_measure_that_is_not_known_is_refused_in_one_line(real_toprung: Command, measure: str, message: str) -> None:
    outcome = real_toprung("evaluate", "qrels.txt", "good.run", "-m", measure)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"toprung: {message}")
    assert outcome.err.count("\n") == 1


def test_a_file_over_the_cap_is_refused(toprung: Command) -> None:
    outcome = toprung("evaluate", "qrels.txt", "good.run", "--max-bytes", "10")
    assert outcome.code == 2
    assert "found more than 10 bytes; expected a file within the size cap." in outcome.err


def test_labels_over_the_cap_are_refused_too(toprung: Command, files: Path) -> None:
    (files / "short.run").write_text("q1 Q0 a 1 1 t\n")  # 14 bytes, the labels have 27
    outcome = toprung("evaluate", "qrels.txt", "short.run", "--max-bytes", "20")
    assert outcome.code == 2
    assert "qrels.txt: found more than 20 bytes" in outcome.err


def test_who_does_the_work_can_be_chosen_and_does_not_change_it(toprung: Command) -> None:
    arguments = ("evaluate", "qrels.txt", "good.run", "poor.run", "-f", "json")
    assert toprung(*arguments, "-j", "2", "--backend", "loky").out == toprung(*arguments).out


def test_a_backend_that_nobody_knows_is_refused(toprung: Command) -> None:
    outcome = toprung("evaluate", "qrels.txt", "good.run", "poor.run", "-j", "2", "--backend", "abacus")
    assert (outcome.code, outcome.out) == (2, "")
    assert "backend: found 'abacus'; expected loky, threading, dask, " in outcome.err


@pytest.mark.parametrize("arguments", [(), ("qrels.txt",), ("qrels.txt", "good.run", "-f", "xml")])
def test_a_wrong_call_is_refused_with_the_usage(toprung: Command, arguments: tuple[str, ...]) -> None:
    outcome = toprung("evaluate", *arguments)
    assert outcome.code == 2
    assert "evaluate [OPTIONS] QRELS RUN..." in outcome.err.splitlines()[1]


def test_external_measures_are_scored_through_ir_measures(toprung: Command) -> None:
    pytest.importorskip("ir_measures")
    outcome = toprung("evaluate", "qrels.txt", "good.run", "-m", "SetP", "-f", "csv")
    assert outcome.out == "run,measure,value\ngood,SetP,0.75\n"  # (1/2 + 2/2) / 2


@pytest.mark.parametrize("output_format", ["csv", "json"])
def test_what_is_written_per_query_is_taken_as_scores(toprung: Command, files: Path, output_format: str) -> None:
    arguments = ("qrels.txt", "good.run", "poor.run")
    name = f"scores.{output_format}"
    assert toprung("evaluate", *arguments, "-m", "RR", "-m", "AP", "--per-query", "-o", name).code == 0
    direct = toprung("significance", *arguments, "-m", "AP", "-f", "csv")
    again = toprung("significance", "--scores", name, "-m", "AP", "-f", "csv")
    assert (again.code, again.out) == (0, direct.out)
    several = toprung("significance", "--scores", name)
    assert (several.code, "found scores of RR and AP; expected one measure" in several.err) == (2, True)

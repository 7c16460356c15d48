from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
PAIR = ("queries", "qrels.txt", "poor.run", "good.run", "-m", "RR@10")


@pytest.fixture(autouse=True)
def texts(files: Path) -> None:
    (files / "questions.tsv").write_text("q1\twhat is a?\nq2\twhat is b?\n")
    lines = [json.dumps({"_id": doc_id, "text": text}) for doc_id, text in (("a", "A."), ("x", "=cmd()"), ("b", "B."))]
    (files / "docs.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (files / "slices.csv").write_text("query_id,type\nq1,who\nq2,why\n")


def test_the_table_has_scores_and_ranks(toprung: Command) -> None:
    outcome = toprung(*PAIR)
    assert outcome.code == 0
    assert outcome.out.splitlines()[2:5] == [
        "query    poor    good  difference  weight  rank in poor  rank in good",
        "q2     0.0000  1.0000     +1.0000   66.7%      not in 1             1",
        "q1     0.5000  1.0000     +0.5000   33.3%             2             1",
    ]
    assert "good and poor cannot be told apart by RR@10 (RR@10 +0.7500, p = 0.500)." in outcome.out


def test_texts_can_be_read(toprung: Command) -> None:
    lines = toprung(*PAIR, "--queries", "questions.tsv", "--docs", "docs.jsonl.gz").out.splitlines()
    start = lines.index("What they put first:")
    assert [line.split() for line in lines[start + 2 : start + 7]] == [
        ["q2", "question", "what", "is", "b?"],
        ["labelled", "answer", "b", "(label", "2)", "B."],
        ["labelled", "answer", "c", "(label", "1)"],
        ["first", "in", "poor", "y", "(no", "label)"],
        ["first", "in", "good", "b", "(label", "2)", "B."],
    ]


def test_csv_and_json_have_all_queries_whatever_is_shown(toprung: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(toprung(*PAIR, "--top", "1", "-f", "csv").out)))
    assert [(row["query_id"], row["rank_a"], row["depth_a"]) for row in rows] == [("q2", "0", "1"), ("q1", "2", "2")]
    told = json.loads(toprung(*PAIR, "--top", "1", "--docs", "docs.jsonl.gz", "-f", "json").out)
    assert len(told["queries"]) == 2
    assert [each["query_id"] for each in told["texts"]] == ["q2"]


def test_a_formula_in_a_question_is_harmless_in_csv(toprung: Command, files: Path) -> None:
    (files / "questions.tsv").write_text("q1\t=HYPERLINK(1)\nq2\twhat?\n")
    assert "'=HYPERLINK(1)" in toprung(*PAIR, "--queries", "questions.tsv", "-f", "csv").out


@pytest.mark.parametrize("output_format", ["table", "markdown", "latex", "html", "json", "csv"])
def test_no_format_lets_a_text_drive_a_terminal(toprung: Command, files: Path, output_format: str) -> None:
    (files / "questions.tsv").write_text("q1\t\x1b]0;owned\x07<img src=x> \u202e\nq2\t|\\input{x}|\n")
    out = toprung(*PAIR, "--queries", "questions.tsv", "-f", output_format).out
    assert not any(character in out for character in "\x1b\x07\u202e")
    assert ("<img" in out) == (output_format in ("table", "json", "csv"))
    assert (r"\input" in out) == (output_format in ("table", "html", "csv", "json", "markdown"))


def test_a_page_folds_its_queries(toprung: Command, files: Path) -> None:
    toprung(*PAIR, "--queries", "questions.tsv", "--docs", "docs.jsonl.gz", "-f", "html", "-o", "queries.html")
    page = (files / "queries.html").read_text()
    assert page.count('<details class="query">') == 2


def test_slices_are_listed_and_small_ones_not_tested(toprung: Command) -> None:
    out = toprung(*PAIR, "--slices", "slices.csv").out
    assert "None of 2 slices has enough queries for a test." in out
    assert "of 5 no outcome has a p below 0.0625" in out


def test_a_matrix_will_do(toprung: Command, files: Path) -> None:
    (files / "ranks.csv").write_text("query_id,A,B,C\nq1,1,2,0\nq2,0,1,0\n")
    assert "B does better on 1 of 2 queries" in toprung("queries", "--ranks", "ranks.csv", "A", "B").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Found nothing; expected three files: QRELS A B."),
        (("qrels.txt", "poor.run"), "Found qrels.txt poor.run; expected three files: QRELS A B."),
        (("qrels.txt", "poor.run", "poor.run"), "Found two runs called '"),
        (("--ranks", "ranks.csv", "A"), "Found A; expected the names of two runs."),
        (("--ranks", "ranks.csv", "A", "D"), "Found no run 'D'; expected one of A, B, C."),
        (("--ranks", "ranks.csv"), "Found 3 runs; expected two, or the names of both: a and b."),
        (("--ranks", "ranks.csv", "A", "B", "--docs", "docs.jsonl.gz"), "Found texts of documents with a matrix"),
        ((*PAIR[1:], "--queries", "none.tsv"), "none.tsv: No such file or directory."),
        ((*PAIR[1:], "--queries", "other.tsv"), "other.tsv: found no text for any of 2 queries, 'q1' among them"),
        ((*PAIR[1:], "--docs", "other.tsv"), "other.tsv: found no text for any of 5 documents, 'a' among them"),
        ((*PAIR[1:], "--docs", "qrels.txt"), "qrels.txt, line 1: found 'q1 0 a 1'; expected an id, a tab and a text"),
        ((*PAIR[1:], "--slices", "unknown.csv"), "unknown.csv: found 1 query, '7' first, none of them among the 2"),
        ((*PAIR[1:], "--slices", "twice.csv"), "twice.csv, line 1: found 2 columns 'type'; expected each attribute"),
        ((*PAIR[1:], "--slices", "other.tsv"), "other.tsv, line 1: found '7\\tseven'; expected a column 'query_id'"),
        ((*PAIR[1:], "-m", "AP"), "Found 2 measures, RR@10 and AP; expected one"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line(
    toprung: Command, files: Path, arguments: tuple[str, ...], said: str
) -> None:
    (files / "ranks.csv").write_text("query_id,A,B,C\nq1,1,2,0\nq2,0,1,0\n")
    (files / "other.tsv").write_text("7\tseven\n")
    (files / "unknown.csv").write_text("query_id,type\n7,who\n")
    (files / "twice.csv").write_text("query_id,type,type\nq1,a,b\n")
    outcome = toprung("queries", *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("\n") <= 3

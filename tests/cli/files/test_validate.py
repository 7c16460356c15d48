from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


def test_a_sound_run_is_valid(real_toprung: Command) -> None:
    outcome = real_toprung("validate", "good.run", "--qrels", "qrels.txt", "--depth", "2")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("good.run is a valid trec run with 4 rows for 2 queries")


def test_every_error_is_reported_with_its_line(real_toprung: Command, files: Path) -> None:
    lines = ["q1 Q0 a 1 1 t", "q1 Q0 b 2 nan t", "q1 Q0 c three 1 t", "q1 Q0 d 4 x t", "q1 Q0 e 5", "q1 Q0 a 6 0 t"]
    (files / "bad.run").write_text("\n".join(lines))
    outcome = real_toprung("validate", "bad.run")
    assert (outcome.code, outcome.err) == (2, "")
    assert outcome.out.startswith("bad.run cannot be used: 5 errors, ")
    for line, words in enumerate(["score 'nan'", "rank 'three'", "score 'x'", "4 columns", "document 'a'"], start=2):
        assert f"line {line}: found {words}" in outcome.out


def test_warnings_do_not_refuse_a_run(toprung: Command, files: Path) -> None:
    (files / "odd.run").write_text("q1 Q0 a 2 5 t\nq1 Q0 b 1 3 t\nq1 Q0 c 3 3 t\nq7 Q0 a 1 1 t\n")
    outcome = toprung("validate", "odd.run", "--qrels", "qrels.txt", "--depth", "2")
    assert outcome.code == 0
    for heading in (
        "warning: rank column contradicts scores (1)",
        "warning: equal scores (1)",
        "warning: fewer documents than asked for (1)",
        "warning: query missing (1)",
        "warning: query unknown (1)",
    ):
        assert heading in outcome.out


def test_queries_may_come_from_a_file_of_queries(toprung: Command, files: Path) -> None:
    (files / "queries.tsv").write_text("q1\tfirst query\nq2\tsecond\nq3\tthird\n")
    outcome = toprung("validate", "good.run", "--queries", "queries.tsv")
    assert outcome.code == 0
    assert "found no row for query 'q3'" in outcome.out


def test_queries_from_two_places_are_refused(toprung: Command) -> None:
    outcome = toprung("validate", "good.run", "--qrels", "qrels.txt", "--queries", "qrels.txt")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("toprung: Found both --qrels and --queries; expected one of them")


def test_twenty_of_each_kind_are_shown_and_the_rest_counted(toprung: Command, files: Path) -> None:
    (files / "bad.run").write_text("".join(f"q1 Q0 d{number} 1 nan t\n" for number in range(25)))
    outcome = toprung("validate", "bad.run")
    assert outcome.out.count("found score 'nan'") == 20
    assert "and 5 more" in outcome.out


@pytest.mark.parametrize("output_format", ["json", "csv", "markdown", "latex", "html"])
def test_the_exit_code_is_the_same_in_every_format(toprung: Command, files: Path, output_format: str) -> None:
    (files / "bad.run").write_text("q1 Q0 a 1 nan t\nq1 Q0 b 2 1 t\n")
    outcome = toprung("validate", "bad.run", "-f", output_format)
    assert outcome.code == 2
    assert "nan" in outcome.out
    assert toprung("validate", "good.run", "-f", output_format).code == 0


def test_json_counts_and_lists_the_findings(toprung: Command, files: Path) -> None:
    (files / "bad.run").write_text("q1 Q0 a 1 nan t\nq1 Q0 b 2 1 t\n")
    said = json.loads(toprung("validate", "bad.run", "-f", "json").out)
    assert said["is_valid"] is False
    assert said["counts"] == {"score is not finite": 1}
    assert said["findings"][0]["line"] == 1


def test_csv_has_a_row_for_each_finding(toprung: Command, files: Path) -> None:
    (files / "bad.run").write_text("q1 Q0 a 1 nan t\nq1 Q0 b 2 1\n")
    rows = list(csv.DictReader(io.StringIO(toprung("validate", "bad.run", "-f", "csv").out)))
    assert sorted((row["severity"], row["line"]) for row in rows) == [("error", "1"), ("error", "2")]


def test_the_report_may_go_to_a_file(toprung: Command, files: Path) -> None:
    outcome = toprung("validate", "good.run", "-o", "report.txt")
    assert (outcome.code, outcome.out) == (0, "")
    assert (files / "report.txt").read_text().startswith("good.run is a valid trec run")

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest

import toprung as tr
from toprung.analyses.power.find import power
from toprung.report.render import OutputFormat, render
from toprung.result import Result


def both(evaluation: tr.Evaluation) -> list[Result]:
    return [evaluation, evaluation.by_query()]


@pytest.mark.parametrize("output_format", OutputFormat)
def test_every_format_ends_in_one_newline(evaluation: tr.Evaluation, output_format: OutputFormat) -> None:
    for result in both(evaluation):
        text = render(result, output_format)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


def test_text_is_the_result_as_printed(evaluation: tr.Evaluation, awkward: str) -> None:
    text = render(evaluation, OutputFormat.TABLE)
    assert text == f"{evaluation}\n"
    assert text.startswith(f"{awkward} has the highest RR, 0.6667 over 2 queries")


def test_csv_is_tidy(evaluation: tr.Evaluation, awkward: str) -> None:
    text = render(evaluation, OutputFormat.CSV)
    assert text.startswith("run,measure,value\n")
    assert list(csv.reader(io.StringIO(text)))[1:] == [
        [awkward, "RR", str((1 + 1 / 3) / 2)],
        [awkward, "ESL", "2.0"],
        [awkward, "NumRet", "4.0"],
        ["plain", "RR", "0.0"],
        ["plain", "ESL", ""],  # nothing was found, so there is no value
        ["plain", "NumRet", "1.0"],
    ]


def test_csv_per_query_is_tidy(evaluation: tr.Evaluation, awkward: str) -> None:
    text = render(evaluation.by_query(), OutputFormat.CSV)
    assert text.startswith("run,measure,query_id,value\n")
    rows = list(csv.reader(io.StringIO(text)))[1:]
    assert rows[:4] == [
        [awkward, "RR", "q1", "1.0"],
        [awkward, "RR", "q2", str(1 / 3)],
        [awkward, "ESL", "q1", "1.0"],
        [awkward, "ESL", "q2", "3.0"],
    ]
    assert not [row for row in rows if row[:2] == ["plain", "ESL"]]


def test_csv_numbers_lose_no_digit() -> None:
    evaluation = tr.evaluate({"q1": {"a": 1}}, {"q1": {"x": 3.0, "y": 2.0, "a": 1.0}}, "RR")
    row = list(csv.reader(io.StringIO(render(evaluation, OutputFormat.CSV))))[1]
    assert float(row[2]) == 1 / 3


@pytest.mark.parametrize("name", ["=cmd|calc!A1", "+1", "-1", "@sum", "\tx", "\rx"])
def test_csv_holds_no_formula(name: str) -> None:
    evaluation = tr.evaluate({"q1": {"a": 1}}, {name: {"q1": {"a": 1.0}}}, "RR")
    rows = list(csv.reader(io.StringIO(render(evaluation, OutputFormat.CSV), newline="")))
    assert rows == [["run", "measure", "value"], [f"'{name}", "RR", "1.0"]]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("  =1+1", "'  =1+1"),
        ("a;=1+1", "a;'=1+1"),  # where a semicolon parts cells
        ("a\n@x", "a\n'@x"),
        ("＝1", "'＝1"),
        ("a=b+c-d@e", "a=b+c-d@e"),
        ("\u202eabc", "[U+202E]abc"),
        ("\x1b[31mred", "[U+001B][31mred"),
    ],
)
def test_csv_takes_what_a_spreadsheet_or_terminal_would_run(name: str, cell: str) -> None:
    evaluation = tr.evaluate({"q1": {"a": 1}}, {name: {"q1": {"a": 1.0}}}, "RR")
    rows = list(csv.reader(io.StringIO(render(evaluation, OutputFormat.CSV), newline="")))
    assert rows[1][0] == cell


def test_csv_numbers_below_zero_stay_numbers() -> None:
    table = tr.ScoreTable(
        query_ids=("q1", "q2"), runs=("a", "b"), values=np.array([[0.5, 0.2], [0.75, 0.5]]), measure="P@4"
    )
    (row,) = csv.DictReader(io.StringIO(render(power(table), OutputFormat.CSV)))
    assert row["delta"] == "-0.275"
    assert row["needed_for_delta"].isdigit()


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def test_json_is_the_dict(evaluation: tr.Evaluation, awkward: str) -> None:
    for result in both(evaluation):
        text = render(result, OutputFormat.JSON)
        assert json.loads(text, parse_constant=refuse) == json.loads(json.dumps(result.to_dict()))
        assert json.loads(text)["scores"][0]["run"] == awkward


def test_json_keeps_letters_of_all_scripts_readable() -> None:
    evaluation = tr.evaluate({"q1": {"a": 1}}, {"עברית 🏆": {"q1": {"a": 1.0}}}, "RR")
    assert "עברית 🏆" in render(evaluation, OutputFormat.JSON)


def test_json_escapes_what_nobody_sees_and_loses_nothing() -> None:
    name = "a\u202eb\u200b\x7f"
    text = render(tr.evaluate({"q1": {"a": 1}}, {name: {"q1": {"a": 1.0}}}, "RR"), OutputFormat.JSON)
    assert r'"a\u202eb\u200b\u007f"' in text
    assert json.loads(text)["scores"][0]["run"] == name


def cells(line: str) -> list[str]:
    """The cells of a Markdown row: parted by bars that no backslash precedes."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_markdown_has_the_sentence_a_table_and_the_notes(evaluation: tr.Evaluation) -> None:
    lines = render(evaluation, OutputFormat.MARKDOWN).splitlines()
    table = [line for line in lines if line.startswith("| ")]
    assert lines[1] == ""
    assert lines[2] == "| run | RR | ESL | NumRet |"
    assert lines[3] == "| --- | ---: | ---: | ---: |"
    assert [cells(line)[1:] for line in table[2:]] == [["0.6667", "2.0000", "4"], ["0.0000", "–", "1"]]
    assert sum(line.startswith("- ") for line in lines) == len(evaluation.notes)


def test_markdown_has_every_table_under_its_heading(two_tables: Result) -> None:
    assert render(two_tables, OutputFormat.MARKDOWN) == (
        "So it is.\n\n| run |\n| --- |\n| a |\n\n"
        "On &lt;b>:\n\n| team | n |\n| --- | ---: |\n| T | 2 |\n\n- Mind that.\n"
    )


@pytest.mark.parametrize("name", ["a|b", "<b>x</b>", "a\\b", "two\nlines", "\\|"])
def test_no_name_breaks_a_markdown_table(name: str) -> None:
    evaluation = tr.evaluate({"q1": {"a": 1}}, {name: {"q1": {"a": 1.0}}}, "RR")
    table = [line for line in render(evaluation, OutputFormat.MARKDOWN).splitlines() if line.startswith("|")]
    assert len(table) == 3
    assert [len(cells(re.sub(r"\\\\", "", line))) for line in table] == [2, 2, 2]


def test_markdown_lets_no_tag_through(evaluation: tr.Evaluation) -> None:
    # A name stands in the table, in the sentence above it and in the notes below it.
    assert "<script" not in render(evaluation, OutputFormat.MARKDOWN)


def test_markdown_keeps_sentence_and_notes_on_one_line_each() -> None:
    runs = {"two\n# lines": {"q1": {"a": 1.0}, "unknown": {"a": 1.0}}}
    text = render(tr.evaluate({"q1": {"a": 1}}, runs, "RR"), OutputFormat.MARKDOWN)
    assert "\n# lines" not in text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("bm25_rm3", "bm25_rm3"),
        ("_x_", r"\_x\_"),
        ("**b** `c` [d](e)", r"\*\*b\*\* \`c\` \[d\](e)"),
        ("$2 ~ $3", r"\$2 \~ \$3"),
        ("&lt; & b", "&amp;lt; & b"),
        ("# 1", r"\# 1"),
        ("- a", r"\- a"),
        ("12. b", r"12\. b"),
    ],
)
def test_no_name_is_taken_for_a_mark_of_markdown(name: str, shown: str) -> None:
    text = render(tr.evaluate({"q1": {"a": 1}}, {name: {"q1": {"a": 1.0}}}, "RR"), OutputFormat.MARKDOWN)
    assert text.startswith(f"{shown} has RR 1.0000 over 1 query.\n")

"""The reference reading of a run, line by line."""

from __future__ import annotations

import pytest
from tests.data.plain_reader import read_plainly

from toprung.data.formats.problems import Kind, Problem
from toprung.data.formats.runs.line_parser import Layout, RunLine, iterate_lines, parse_line, split_columns


@pytest.mark.parametrize(
    "line",
    [
        b"q1 Q0 d1 3 0.5 tag",
        b"q1\tQ0\td1\t3\t0.5\ttag",
        b"  q1   Q0 \t d1\t\t3 0.5 tag  \t",
        b"q1 Q0 d1 +3 +5e-1 tag",
        b"q1 Q0 d1 003 .5 tag",
    ],
)
def test_a_trec_line_is_read_however_its_columns_are_parted(line: bytes) -> None:
    assert parse_line(line, 1, Layout.TREC) == RunLine("q1", "d1", 3, 0.5, "tag")


@pytest.mark.parametrize("line", [b"q1\td1\t3", b"q1 d1 3", b" q1  d1\t+3 "])
def test_an_msmarco_line_has_a_rank_and_no_score(line: bytes) -> None:
    assert parse_line(line, 1, Layout.MSMARCO) == RunLine("q1", "d1", 3, None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2.", 2.0),
        (".5", 0.5),
        ("-0", 0.0),
        ("1e-300", 1e-300),
        ("1e-400", 0.0),
        ("9007199254740993", 9007199254740992.0),
        ("1.7976931348623157E+308", 1.7976931348623157e308),
    ],
)
def test_scores_are_the_nearest_64_bit_numbers(text: str, value: float) -> None:
    row = parse_line(f"q1 Q0 d1 1 {text} t".encode(), 1, Layout.TREC)
    assert isinstance(row, RunLine)
    assert row.score == value


def test_ids_may_hold_any_printable_character() -> None:
    row = parse_line('q"1 Q0 #d,é\u2028\u00a0😀 1 0.5 t\x7f'.encode(), 1, Layout.TREC)
    assert row == RunLine('q"1', "#d,é\u2028\u00a0😀", 1, 0.5, "t\x7f")


def test_lines_are_numbered_from_one_and_lose_their_ends() -> None:
    assert list(iterate_lines(b"a\nb\r\n\nc\r")) == [(1, b"a"), (2, b"b"), (3, b""), (4, b"c")]


def test_a_final_line_end_begins_no_further_line() -> None:
    assert list(iterate_lines(b"a\n")) == [(1, b"a")]
    assert list(iterate_lines(b"")) == []


def test_columns_are_split_or_a_problem_comes_back() -> None:
    assert split_columns(b" a\tb ", 7, ("one", "two")) == ["a", "b"]
    problem = split_columns(b"a b c", 7, ("one", "two"))
    assert isinstance(problem, Problem)
    assert (problem.kind, problem.line, problem.expected) == (Kind.COLUMNS, 7, "2 columns: one two")


def test_all_lines_are_read_and_every_problem_is_kept() -> None:
    text = b"q1 Q0 a 1 0.9 t\nshort\nq1 Q0 b 2 nan t\nq1 Q0 a 3 0.7 t\nq1 Q0 c 4 0.6 t\n"
    parsed = read_plainly(text, Layout.TREC)
    assert [(row.doc_id, line) for row, line in zip(parsed.rows, parsed.lines, strict=True)] == [("a", 1), ("c", 5)]
    assert parsed.problems.counts == {Kind.COLUMNS: 1, Kind.NOT_FINITE: 1, Kind.DUPLICATE_DOCUMENT: 1}


def test_a_faulty_line_does_not_count_as_the_first_of_its_document() -> None:
    parsed = read_plainly(b"q1 Q0 a 1 nan t\nq1 Q0 a 2 0.5 t\n", Layout.TREC)
    assert parsed.problems.counts == {Kind.NOT_FINITE: 1}
    assert parsed.lines == [2]


def test_a_third_line_of_a_document_names_the_first() -> None:
    parsed = read_plainly(b"q1\ta\t1\nq1\ta\t2\nq1\ta\t3\n", Layout.MSMARCO)
    found = [problem.found for problem in parsed.problems.first[Kind.DUPLICATE_DOCUMENT]]
    assert found == ["document 'a' of query 'q1' again, first on line 1"] * 2


def test_equal_ranks_are_a_problem_of_msmarco_only() -> None:
    assert not read_plainly(b"q1 Q0 a 1 0.5 t\nq1 Q0 b 1 0.4 t\n", Layout.TREC).problems
    assert read_plainly(b"q1\ta\t1\nq1\tb\t1\n", Layout.MSMARCO).problems.counts == {Kind.DUPLICATE_RANK: 1}


def test_the_same_document_and_rank_in_two_queries_is_no_problem() -> None:
    assert not read_plainly(b"q1\ta\t1\nq2\ta\t1\n", Layout.MSMARCO).problems

"""Matrices of queries × runs read from CSV."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toprung.data.formats.content import Limits
from toprung.data.formats.runs.line_parser import SCORE
from toprung.data.formats.tables.csv_table import CsvTable
from toprung.data.formats.tables.matrix_files import RANK, _to_ranks, _to_scores, read_ranks, read_scores
from toprung.errors import FormatError, InputError, TooLargeError

Write = Callable[[str, str | bytes], Path]
Read = Callable[..., Any]

TABLE = CsvTable(source="m.csv", digest="", header=(), rows=())
both = pytest.mark.parametrize("read", [read_ranks, read_scores])


@pytest.mark.parametrize("header", ["qid", "query_id", "Query", "topic", " QID ", ""])
def test_a_first_column_of_queries_names_the_rows(write: Write, header: str) -> None:
    ranks = read_ranks(write("m.csv", f"{header},bm25,bert\nq2,1,0\nq1,3,10\n"))
    assert ranks.query_ids == ("q1", "q2"), "rows are sorted by query"
    assert ranks.runs == ("bm25", "bert")
    assert ranks.values.tolist() == [[3, 10], [1, 0]]
    assert ranks.values.dtype == np.int32
    assert ranks.cutoff is None


def test_without_a_column_of_queries_the_rows_are_numbered(write: Write) -> None:
    ranks = read_ranks(write("m.csv", "bm25,bert\n1,0\n3,10\n"))
    assert ranks.query_ids == ("1", "2")
    assert ranks.values.tolist() == [[1, 0], [3, 10]]


def test_ranks_beyond_the_cutoff_count_as_not_found(write: Write) -> None:
    ranks = read_ranks(write("m.csv", "qid,a\nq1,10\nq2,11\n"), cutoff=10)
    assert ranks.values.tolist() == [[10], [0]]
    assert ranks.cutoff == 10
    assert ranks.values.dtype == np.int32


def test_scores_are_read_with_their_measure(write: Write) -> None:
    scores = read_scores(write("m.csv", "qid,a,b\nq2,0.5,-1e-3\nq1,1,.25\n"), measure="RR@10")
    assert scores.measure == "RR@10"
    assert scores.query_ids == ("q1", "q2")
    assert scores.values.tolist() == [[1.0, 0.25], [0.5, -0.001]]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfqid,a\r\nq1,1\r\n",
        b'"qid","a"\n"q1","1"',
        b"qid, a\nq1, 1\n",
    ],
)
@both
def test_spreadsheets_write_csv_in_many_ways(write: Write, read: Read, content: bytes) -> None:
    matrix = read(write("m.csv", content))
    assert matrix.query_ids == ("q1",)
    assert matrix.runs == ("a",)
    assert matrix.values.tolist() == [[1]]


def message_of(read: Read, path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize("cell", ["-1", "1.5", "x", "", "1e3", "nan", "2147483648", "٣"])
def test_a_cell_that_is_no_rank_is_refused_with_its_line(write: Write, cell: str) -> None:
    path = write("m.csv", f"qid,a,b\nq1,1,2\nq2,3,{cell}\n")
    expected = f"{path}, line 3: found rank '{cell}'; expected a whole number from 1, or 0 for not found."
    assert message_of(read_ranks, path) == expected


def test_a_rank_of_thousands_of_digits_is_refused_with_a_short_message(write: Write) -> None:
    path = write("m.csv", "qid,a\nq1," + "9" * 5000 + "\n")
    message = message_of(read_ranks, path)
    assert message.startswith(f"{path}, line 2: found rank '999")
    assert len(message) < len(str(path)) + 200


@pytest.mark.parametrize("cell", ["x", "", "nan", "inf", "1e999", "0;5", "1_0", "٣"])
def test_a_cell_that_is_no_score_is_refused_with_its_line(write: Write, cell: str) -> None:
    path = write("m.csv", f"qid,a,b\nq1,1,2\nq2,3,{cell}\n")
    said = f"{path}, line 3: found score '{cell}'; expected a finite number."
    assert message_of(read_scores, path).startswith(said)


almost_numbers = st.lists(st.text("0123456789+-.eE_ naif\u0663", max_size=12), min_size=1, max_size=3)


@given(row=almost_numbers)
@example(row=["1", "-"])
@example(row=["1", "1e999"])
@example(row=["1e308", "1e308"])
def test_a_row_of_scores_is_what_each_of_its_cells_is(row: list[str]) -> None:
    first_fault = next((cell for cell in row if not (SCORE.fullmatch(cell) and isfinite(float(cell)))), None)
    if first_fault is None:
        assert _to_scores(tuple(row), TABLE, 7).tolist() == [float(cell) for cell in row]
        return
    with pytest.raises(FormatError) as caught:
        _to_scores(tuple(row), TABLE, 7)
    assert str(caught.value).startswith(f"m.csv, line 7: found score '{first_fault}'; expected a finite number.")


@given(row=st.lists(st.text("0123456789+_ \u0663", max_size=34), min_size=1, max_size=3))
@example(row=["1", ""])
@example(row=["2147483647", "000000000000000000007"])
@example(row=["1", "2147483648"])
@example(row=["0" * 31])
def test_a_row_of_ranks_is_what_each_of_its_cells_is(row: list[str]) -> None:
    first_fault = next((cell for cell in row if not (RANK.fullmatch(cell) and int(cell) < 2**31)), None)
    if first_fault is None:
        assert _to_ranks(tuple(row), TABLE, 7).tolist() == [int(cell) for cell in row]
        return
    with pytest.raises(FormatError, match=r"m\.csv, line 7: found rank"):
        _to_ranks(tuple(row), TABLE, 7)


@both
def test_of_several_faults_the_first_line_s_is_told(write: Write, read: Read) -> None:
    path = write("m.csv", 'qid,a,b\nq1,1,x\nq2,1\nq3,"1\n')
    assert message_of(read, path).startswith(f"{path}, line 2: found")


@both
def test_a_query_twice_is_refused_with_the_file(write: Write, read: Read) -> None:
    path = write("m.csv", "qid,a\nq1,1\nq2,1\nq1,2\n")
    message = message_of(read, path)
    assert "query 'q1' twice; expected each query once." in message
    assert message.startswith(str(path))


@both
def test_a_run_twice_is_refused_with_the_file(write: Write, read: Read) -> None:
    path = write("m.csv", "qid,a,a\nq1,1,2\n")
    message = message_of(read, path)
    assert "run 'a' twice; expected each run once." in message
    assert message.startswith(str(path))


@pytest.mark.parametrize(("row", "n"), [("q2,1", 2), ("q2,1,2,3", 4)])
@both
def test_a_ragged_row_is_refused_with_its_line(write: Write, read: Read, row: str, n: int) -> None:
    path = write("m.csv", f"qid,a,b\nq1,1,2\n{row}\nq3,1,2\n")
    assert message_of(read, path) == f"{path}, line 3: found {n} columns; expected 3 as in the header."


@pytest.mark.parametrize("content", ["", "\n", "  \n\n"])
@both
def test_an_empty_file_is_called_empty(write: Write, read: Read, content: str) -> None:
    path = write("m.csv", content)
    assert message_of(read, path) == (
        f"{path}: found an empty file; expected at least one line. Check that the file was written completely."
    )


@both
def test_blank_lines_are_left_out_and_lines_still_counted_as_an_editor_shows_them(write: Write, read: Read) -> None:
    assert read(write("m.csv", "\nqid,a\n\nq1,1\n\n")).query_ids == ("q1",)
    path = write("bad.csv", "\nqid,a\n\nq1,x\n")
    assert message_of(read, path).startswith(f"{path}, line 4: found")


@pytest.mark.parametrize(
    ("content", "found"), [("qid,a,b\n", "2 runs and 0 queries"), ("qid\nq1\n", "0 runs and 1 queries")]
)
@both
def test_a_matrix_without_rows_or_columns_is_refused(write: Write, read: Read, content: str, found: str) -> None:
    path = write("m.csv", content)
    assert message_of(read, path) == f"{path}: found {found}; expected at least one of each."


@both
def test_bad_utf8_is_refused_with_its_line_and_place(write: Write, read: Read) -> None:
    path = write("m.csv", b"qid,a\nq1,1\nq\xff,1\n")
    assert message_of(read, path) == (
        f"{path}, line 3: found byte 0xff at position 2 of the line; expected text in UTF-8. Save the file as UTF-8."
    )


@both
def test_text_that_is_not_csv_is_refused(write: Write, read: Read) -> None:
    path = write("m.csv", 'qid,a\n"q1,1\n')
    assert message_of(read, path).startswith(f"{path}: found text that is not CSV (")


@both
def test_the_size_cap_holds_for_matrices(write: Write, read: Read) -> None:
    with pytest.raises(TooLargeError, match="found more than 5 bytes"):
        read(write("m.csv", "qid,a\nq1,1\n"), limits=Limits(max_bytes=5))


@both
def test_a_fault_of_a_file_is_a_format_error(write: Write, read: Read) -> None:
    with pytest.raises(FormatError) as caught:
        read(write("m.csv", "qid,a\nq1,x\n"))
    assert caught.value.line == 2


def test_real_matrices_are_read(shared_data: Path) -> None:
    paths = sorted((shared_data / "score-matrices").glob("*.csv"))
    assert len(paths) == 20
    for path in paths:
        scores = read_scores(path)
        assert len(scores.query_ids) >= 48, path.name
        assert len(scores.runs) >= 34, path.name
        assert 0 <= scores.values.min() < scores.values.max() <= 1, path.name

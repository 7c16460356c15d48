"""The format of a file is told by its content."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from toprung.data.formats.content import read_content
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import place_file, read_run
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.recognise import QrelsFormat, RunFormat, recognise_qrels, recognise_run, to_format
from toprung.data.formats.runs.validate import validate_run
from toprung.data.qrels import Qrels
from toprung.errors import FormatError, InputError

Write = Callable[[str, str | bytes], Path]

RUN_OR = "expected 6 (TREC: query_id Q0 doc_id rank score tag) or 3 (MS MARCO: query_id doc_id rank)."
QRELS_OR = "expected 4 (query_id 0 doc_id grade), 3 (query_id doc_id grade) or the header of a BEIR file."
EMPTY = "found an empty file; expected at least one line. Check that the file was written completely."


def format_of_run(path: Path) -> RunFormat:
    return recognise_run(read_content(path), str(path))


def format_of_qrels(path: Path) -> QrelsFormat:
    return recognise_qrels(read_content(path), str(path))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q1 Q0 d1 1 0.5 t\n", RunFormat.TREC),
        ("q1\tQ0\td1\t1\t0.5\tt\r\n", RunFormat.TREC),
        ("\ufeffq1 Q0 d1 1 0.5 t", RunFormat.TREC),
        ("q1\td1\t1\n", RunFormat.MSMARCO),
        ("  q1 d1   1  \n", RunFormat.MSMARCO),
    ],
)
@pytest.mark.parametrize("name", ["a.run", "a.tsv", "a.parquet", "qrels.txt"])
def test_a_run_is_recognised_by_its_first_line_and_not_by_its_name(
    write: Write, name: str, text: str, expected: RunFormat
) -> None:
    assert format_of_run(write(name, text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q1 0 d1 1\n", QrelsFormat.TREC),
        ("q1\tQ0\td1\t1\r\n", QrelsFormat.TREC),
        ("q1 d1 1\n", QrelsFormat.THREE_COLUMNS),
        ("query-id\tcorpus-id\tscore\nq1\td1\t1\n", QrelsFormat.BEIR),
        ("\ufeffquery-id\tcorpus-id\tscore\r\nq1\td1\t1\r\n", QrelsFormat.BEIR),
    ],
)
def test_labels_are_recognised_by_their_first_line(write: Write, text: str, expected: QrelsFormat) -> None:
    assert format_of_qrels(write("a.parquet", text)) is expected


def test_parquet_is_recognised_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "score": [1.0], "grade": [1]}).write_parquet(path)
    assert format_of_run(path) is RunFormat.PARQUET
    assert format_of_qrels(path) is QrelsFormat.PARQUET


def test_a_query_called_par1_does_not_make_a_text_parquet(write: Write) -> None:
    assert format_of_run(write("a.run", "PAR1 Q0 d1 1 0.5 t\n")) is RunFormat.TREC
    assert format_of_qrels(write("q.txt", "PAR1 0 d1 1\n")) is QrelsFormat.TREC


def test_a_first_line_longer_than_what_is_looked_at_is_recognised(write: Write) -> None:
    long_id = "d" * 10_000_000
    assert format_of_run(write("a.run", f"q1 Q0 {long_id} 1 0.5 t\n")) is RunFormat.TREC


@pytest.mark.parametrize("n_columns", [0, 1, 2, 5])
def test_another_number_of_columns_is_no_run(write: Write, n_columns: int) -> None:
    path = write("a.run", " ".join(["x"] * n_columns) + "\nq1 Q0 d1 1 0.5 t\n")
    with pytest.raises(FormatError) as caught:
        read_run(path)
    assert str(caught.value).startswith(f"{path}, line 1: found {n_columns} column")
    assert str(caught.value).endswith(f"; {RUN_OR} Name the format to see each fault.")


@pytest.mark.parametrize("tag", ["my tag", "my own tag"])
def test_a_tag_with_blanks_is_refused_with_what_to_write_instead(write: Write, tag: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_run(write("a.run", f"q1 Q0 d1 1 0.5 {tag}\n"))
    assert str(caught.value).endswith(f"; {RUN_OR} Ids and tags must not contain blanks: write my_tag, not my tag.")


@pytest.mark.parametrize("read", [read_run, read_qrels, validate_run])
def test_an_archive_is_refused_by_its_name(write: Write, read: Callable[[Path], object]) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("é.run", "q1 Q0 d1 1 0.5 t\n")
    path = write("a.run", packed.getvalue())
    with pytest.raises(FormatError) as caught:
        read(path)
    assert str(caught.value) == (
        f"{path}: found a zip archive; expected one file, plain or packed once with gzip, bzip2 or zstd. "
        "Take the file out and give it by itself."
    )


def test_labels_given_as_a_run_are_called_labels(write: Write) -> None:
    path = write("qrels.txt", "q1 0 d1 1\n")
    expected = f"{path}, line 1: found 4 columns; {RUN_OR} Four columns are labels, not a run."
    for read in (read_run, lambda path: place_file(path, Qrels.from_dict({"q1": {"d1": 1}}))):
        with pytest.raises(FormatError) as caught:
            read(path)
        assert str(caught.value) == expected


def test_three_column_labels_given_as_a_run_fail_at_their_first_zero(write: Write) -> None:
    path = write("qrels.txt", "q1 d1 1\nq1 d2 0\n")
    with pytest.raises(FormatError, match=r"line 2: found rank '0'; expected a whole number from 1 to 2147483647"):
        read_run(path)


def test_a_run_given_as_labels_is_called_a_run(write: Write) -> None:
    path = write("a.run", "q1 Q0 d1 1 0.5 t\n")
    with pytest.raises(FormatError) as caught:
        read_qrels(path)
    assert str(caught.value) == f"{path}, line 1: found 6 columns; {QRELS_OR} Six columns are a run, not labels."


@pytest.mark.parametrize("n_columns", [0, 1, 2, 5])
def test_another_number_of_columns_are_no_labels(write: Write, n_columns: int) -> None:
    path = write("q.txt", " ".join(["x"] * n_columns) + "\nq1 0 d1 1\n")
    with pytest.raises(FormatError) as caught:
        read_qrels(path)
    assert str(caught.value).startswith(f"{path}, line 1: found {n_columns} column")
    assert str(caught.value).endswith(f"; {QRELS_OR}")


@pytest.mark.parametrize("read", [read_run, read_qrels, format_of_run, format_of_qrels])
def test_an_empty_file_is_called_empty(write: Write, read: Callable[[Path], object]) -> None:
    path = write("a.txt", "")
    with pytest.raises(FormatError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: {EMPTY}"


@pytest.mark.parametrize("read", [read_run, validate_run])
def test_an_unknown_format_of_a_run_is_refused_with_the_known_ones(write: Write, read: Callable[..., object]) -> None:
    with pytest.raises(InputError) as caught:
        read(write("a.run", "q1 Q0 d1 1 0.5 t\n"), format="csv")
    assert str(caught.value) == (
        "Found format 'csv'; expected one of trec, msmarco, parquet. Leave it out to have it recognised."
    )


def test_an_unknown_format_of_labels_is_refused_with_the_known_ones(write: Write) -> None:
    with pytest.raises(InputError) as caught:
        read_qrels(write("q.txt", "q1 0 d1 1\n"), format="csv")
    assert str(caught.value) == (
        "Found format 'csv'; expected one of trec, three-columns, beir, parquet. Leave it out to have it recognised."
    )


def test_a_format_is_known_by_its_name_and_by_itself() -> None:
    assert to_format(RunFormat, "msmarco") is RunFormat.MSMARCO
    assert to_format(RunFormat, RunFormat.TREC) is RunFormat.TREC


def test_the_text_formats_have_a_layout() -> None:
    assert RunFormat.TREC.layout is Layout.TREC
    assert RunFormat.MSMARCO.layout is Layout.MSMARCO


def test_a_named_format_tells_what_is_wrong_with_the_first_line(write: Write) -> None:
    path = write("a.run", "q1 Q0 d1 1 0.5\n")
    with pytest.raises(FormatError, match=r"line 1: found 5 columns, 'q1 Q0 d1 1 0\.5'; expected 6 columns"):
        read_run(path, format="trec")

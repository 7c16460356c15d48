"""Labels read from files of every format, in the order of the file."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import zstandard

from toprung.data.formats.content import Limits
from toprung.data.formats.qrels_files import read_qrels
from toprung.errors import FormatError, TooLargeError

Write = Callable[[str, str | bytes], Path]

PACKERS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}
FORMATS = {
    "trec": "q2 0 d9 1\nq1 0 d1 0\nq2 0 d3 -2\n",
    "three-columns": "q2 d9 1\nq1 d1 0\nq2 d3 -2\n",
    "beir": "query-id\tcorpus-id\tscore\nq2\td9\t1\nq1\td1\t0\nq2\td3\t-2\n",
}
LABELS = {"q2": {"d9": 1, "d3": -2}, "q1": {"d1": 0}}
WRITTEN = {
    "as it is": lambda text: text,
    "windows lines": lambda text: text.replace("\n", "\r\n"),
    "no final line end": lambda text: text.removesuffix("\n"),
    "byte-order mark": lambda text: "\ufeff" + text,
}
every_format = pytest.mark.parametrize("name", FORMATS)


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
@pytest.mark.parametrize("rewrite", WRITTEN.values(), ids=WRITTEN)
@every_format
def test_labels_are_recognised_and_read(
    write: Write, name: str, rewrite: Callable[[str], str], pack: Callable[[bytes], bytes]
) -> None:
    path = write("labels", pack(rewrite(FORMATS[name]).encode()))
    qrels = read_qrels(path)
    assert qrels.to_dict() == LABELS
    assert qrels.source == str(path)


@every_format
def test_a_format_may_be_named(write: Write, name: str) -> None:
    assert read_qrels(write("labels", FORMATS[name]), format=name).to_dict() == LABELS


@pytest.mark.parametrize("text", ["q2\t0\td9\t1\n", "  q2   0 \t d9  1 \n", "q2 ignored d9 +1\n", "q2 0 d9 01\n"])
def test_columns_may_be_parted_in_any_way(write: Write, text: str) -> None:
    assert read_qrels(write("labels", text)).to_dict() == {"q2": {"d9": 1}}


def test_labels_keep_the_order_of_their_file(write: Write) -> None:
    qrels = read_qrels(write("labels", "q2 0 z 0\nq1 0 m 1\nq2 0 a 1\nq1 0 b 2\n"))
    assert qrels.query_ids == ("q2", "q1")
    assert qrels.doc_ids == ("z", "a", "m", "b"), "the first label of q2 is z, though a is relevant and comes first"


def test_the_digest_does_not_depend_on_the_file_format(write: Write, tmp_path: Path) -> None:
    digests = {read_qrels(write(name, text)).digest for name, text in FORMATS.items()}
    packed = read_qrels(write("labels.gz", gzip.compress(FORMATS["trec"].encode()))).digest
    rows = [("q2", "d9", 1), ("q1", "d1", 0), ("q2", "d3", -2)]
    pl.DataFrame(rows, schema=["query_id", "doc_id", "grade"], orient="row").write_parquet(tmp_path / "l.parquet")
    assert digests == {packed} == {read_qrels(tmp_path / "l.parquet").digest}
    assert packed != read_qrels(write("labels", FORMATS["trec"].replace("-2", "2"))).digest


GRADE = "expected a whole number of at most 9 digits."


@pytest.mark.parametrize("grade", ["relevant", "1.0", "nan", "1e3", "1234567890", "-"])
@every_format
def test_a_bad_grade_is_refused_with_its_line(write: Write, name: str, grade: str) -> None:
    path = write("labels", FORMATS[name].replace("-2", grade))
    with pytest.raises(FormatError) as caught:
        read_qrels(path)
    line = 4 if name == "beir" else 3
    assert str(caught.value) == f"{path}, line {line}: found grade '{grade}'; {GRADE}"


@every_format
def test_a_document_judged_twice_names_both_lines(write: Write, name: str) -> None:
    path = write("labels", FORMATS[name].replace("d3", "d9"))
    with pytest.raises(FormatError) as caught:
        read_qrels(path)
    first, again = (2, 4) if name == "beir" else (1, 3)
    assert str(caught.value) == (
        f"{path}, line {again}: found document 'd9' of query 'q2' again, first on line {first}; "
        "expected each document at most once in a query. Keep one of the two lines."
    )


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("trec", "4 columns: query_id 0 doc_id grade"),
        ("three-columns", "3 columns: query_id doc_id grade"),
        ("beir", "3 columns: query-id corpus-id score"),
    ],
)
def test_a_later_line_with_other_columns_is_refused(write: Write, name: str, columns: str) -> None:
    path = write("labels", FORMATS[name] + "q3 d1\n")
    with pytest.raises(FormatError) as caught:
        read_qrels(path)
    line = 5 if name == "beir" else 4
    assert str(caught.value) == (
        f"{path}, line {line}: found 2 columns, 'q3 d1'; expected {columns}. Ids and tags must not contain blanks."
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"q1 0 d1 1\n\nq1 0 d2 1\n", "line 2: found a blank line; expected 4 columns: query_id 0 doc_id grade."),
        (b"q1 0 d1 1\nq1 0 d\xff 1\n", "line 2: found byte 0xff at position 7 of the line; expected text in UTF-8."),
        (b"q1 0 d1 1\nq1 0 d\x00 1\n", "line 2: found control character U+0000; expected printable text"),
    ],
)
def test_what_a_run_may_not_hold_labels_may_not_either(write: Write, content: bytes, message: str) -> None:
    path = write("labels", content)
    with pytest.raises(FormatError) as caught:
        read_qrels(path)
    assert str(caught.value).startswith(f"{path}, {message}")


def test_a_beir_header_alone_holds_no_label(write: Write) -> None:
    path = write("labels", "query-id\tcorpus-id\tscore\n")
    with pytest.raises(FormatError, match="found an empty file; expected at least one line"):
        read_qrels(path)


def test_no_label_is_lost_where_a_beir_file_has_no_header(write: Write) -> None:
    path = write("labels", "q2\td9\t1\nq1\td1\t0\n")
    with pytest.raises(FormatError, match="line 1"):
        read_qrels(path, format="beir")


def test_the_size_cap_holds_for_labels(write: Write) -> None:
    with pytest.raises(TooLargeError, match="found more than 10 bytes"):
        read_qrels(write("labels", FORMATS["trec"]), limits=Limits(max_bytes=10))


def test_real_labels_of_every_source_are_read(shared_data: Path) -> None:
    sizes = {
        "msmarco-passage-dev215/qrels.dev215.txt": (215, 234),
        "trec-covid-r1/qrels.covid-round1.txt": (30, 8691),
        "text-dl19/qrels.dl19-passage.txt": (43, 9260),
    }
    for path, (n_queries, n_labels) in sizes.items():
        qrels = read_qrels(shared_data / path)
        assert (qrels.n_queries, len(qrels)) == (n_queries, n_labels), path

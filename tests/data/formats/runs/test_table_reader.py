"""Polars reads tidy tables; whatever it cannot vouch for goes to the line parser."""

from __future__ import annotations

import polars as pl
import pytest
from tests.data.plain_reader import read_plainly

from toprung.data.formats.runs import table_reader
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.table_parser import parse_table, to_table
from toprung.data.formats.runs.table_reader import place_text, read_text
from toprung.data.formats.runs.text import RunText
from toprung.data.qrels import Qrels

TREC = b"q1 Q0 a 1 0.5 t\nq1 Q0 b 2 0.25 t\n"
ROWS = [("q1", "a", 1, 0.5, "t"), ("q1", "b", 2, 0.25, "t")]
TIDY_ENOUGH = {
    "blanks": TREC,
    "tabs": TREC.replace(b" ", b"\t"),
    "repeated blanks": TREC.replace(b" ", b"   "),
    "blanks and tabs": TREC.replace(b" a ", b"\t a\t"),
    "leading and trailing blanks": b"  q1 Q0 a 1 0.5 t \t\n\tq1 Q0 b 2 0.25 t",
    "windows lines": TREC.replace(b"\n", b"\r\n"),
    "no final line end": TREC.removesuffix(b"\n"),
    "windows lines, no final line end": TREC.replace(b"\n", b"\r\n").removesuffix(b"\r\n"),
}


def text_of(content: bytes, layout: Layout = Layout.TREC, *, float32_ties: bool = False) -> RunText:
    return RunText(content=content, layout=layout, name="run", source="my.run", float32_ties=float32_ties)


@pytest.mark.parametrize("content", TIDY_ENOUGH.values(), ids=TIDY_ENOUGH)
def test_polars_vouches_for_every_usual_way_to_part_columns(content: bytes) -> None:
    frame = parse_table(content, Layout.TREC)
    assert frame is not None
    assert frame.rows() == ROWS


@pytest.mark.parametrize("content", TIDY_ENOUGH.values(), ids=TIDY_ENOUGH)
def test_the_line_parser_gives_the_same_table(content: bytes) -> None:
    frame = parse_table(content, Layout.TREC)
    by_lines = to_table(read_plainly(content, Layout.TREC), Layout.TREC)
    assert frame is not None
    assert frame.equals(by_lines)
    assert frame.schema == by_lines.schema


def test_an_msmarco_table_has_no_score_and_no_tag() -> None:
    content = b"q1\ta\t2\nq1\tb\t1\n"
    frame = parse_table(content, Layout.MSMARCO)
    assert frame is not None
    assert frame.schema == {"query_id": pl.String, "doc_id": pl.String, "rank": pl.Int64}
    assert frame.equals(to_table(read_plainly(content, Layout.MSMARCO), Layout.MSMARCO))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        TREC + b"\n",
        TREC + b"q1 Q0 c 3 0.1\n",
        TREC + b"q1 Q0 c 3 0.1 t u\n",
        TREC + b"q1 Q0 c 3 nan t\n",
        TREC + b"q1 Q0 c 3 x t\n",
        TREC + b"q1 Q0 c x 0.1 t\n",
        TREC + b"q1 Q0 a 3 0.1 t\n",
        TREC + b"q1 Q0 c\x00 3 0.1 t\n",
        TREC + b"q1 Q0 c 3 0.1 t\r\r\n",
        TREC + b"q1 Q0 c 1234567890123456789 0.1 t\n",
        TREC + b"q1 \xff c 3 0.1 t\n",
    ],
)
def test_polars_vouches_for_nothing_faulty(content: bytes) -> None:
    assert parse_table(content, Layout.TREC) is None


def test_quotes_and_hashes_are_ordinary_characters() -> None:
    frame = parse_table(b'"q1 Q0 #a 1 0.5 t"\n#q2 Q0 "b" 1 0.5 t\n', Layout.TREC)
    assert frame is not None
    assert frame.select("query_id", "doc_id", "tag").rows() == [('"q1', "#a", 't"'), ("#q2", '"b"', "t")]


def test_words_that_look_missing_are_ordinary_ids() -> None:
    frame = parse_table(b"null Q0 NA 1 0.5 nan\n", Layout.TREC)
    assert frame is not None
    assert frame.rows() == [("null", "NA", 1, 0.5, "nan")]


def test_a_run_keeps_the_tag_of_its_first_line() -> None:
    run = read_text(text_of(b"q1 Q0 a 2 0.25 first\nq1 Q0 b 1 0.5 second\n"))
    assert run.tag == "first"
    assert run.name == "run"


@pytest.mark.parametrize("content", TIDY_ENOUGH.values(), ids=TIDY_ENOUGH)
def test_a_run_that_goes_through_the_line_parser_is_the_same_run(
    monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    by_polars = read_text(text_of(content))
    monkeypatch.setattr(table_reader, "parse_table", lambda *_: None)
    by_lines = read_text(text_of(content))
    assert by_lines.to_frame().equals(by_polars.to_frame())
    assert by_lines.tag == by_polars.tag


@pytest.mark.parametrize("piece", [1, 20, 40, 1000])
def test_where_a_file_is_cut_does_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    qrels = Qrels.from_dict({"q1": {"b": 1}, "q2": {"a": 1}, "q3": {"z": 1}})
    content = b"q1 Q0 a 1 0.5 t\nq1 Q0 b 2 0.4 t\nq2 Q0 a 1 0.5 t\nq4 Q0 a 2 0.5 t\nq4 Q0 b 1 0.4 t\n"
    monkeypatch.setattr(table_reader, "PIECE", piece)
    found = place_text(text_of(content), qrels)
    assert found.rank.tolist() == [2, 1, 0]
    assert found.retrieved.tolist() == [2, 1, 0]
    assert (found.n_rows, found.n_unknown_queries, found.n_contradicting_queries) == (5, 1, 1)


def test_a_query_that_comes_back_in_a_later_piece_is_still_one_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_reader, "PIECE", 1)
    content = b"q1 Q0 a 1 0.5 t\nq2 Q0 a 1 0.5 t\nq3 Q0 a 1 0.5 t\nq1 Q0 b 2 0.9 t\n"
    found = place_text(text_of(content), Qrels.from_dict({"q1": {"a": 1, "b": 1}}))
    assert found.rank.tolist() == [2, 1]
    assert found.retrieved.tolist() == [2]
    assert found.n_unknown_queries == 2

"""Runs and labels in Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from toprung.data.formats.content import Limits
from toprung.data.formats.qrels_files import read_qrels
from toprung.data.formats.runs.files import read_run, write_run
from toprung.data.run import Run
from toprung.errors import FormatError, TooLargeError


def parquet(path: Path, **columns: Any) -> Path:
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.mark.parametrize("query_id", ["query_id", "qid"])
@pytest.mark.parametrize("doc_id", ["doc_id", "docno", "docid"])
def test_a_run_is_read_under_the_names_of_every_tool(tmp_path: Path, query_id: str, doc_id: str) -> None:
    columns = {query_id: ["q1", "q1"], doc_id: ["a", "b"], "score": [0.25, 0.5]}
    run = read_run(parquet(tmp_path / "my.parquet", **columns))
    assert run.name == "my"
    assert run.to_frame().rows() == [("q1", "b", 1, 0.5), ("q1", "a", 2, 0.25)]


def test_a_run_with_ranks_and_no_scores_is_ordered_by_them(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", query_id=["q1", "q1"], doc_id=["a", "b"], rank=[9, 3])
    assert read_run(path, name="a").to_frame().rows() == [("q1", "b", 3), ("q1", "a", 9)]


@pytest.mark.parametrize("grade", ["grade", "relevance", "label"])
def test_labels_are_read_under_the_names_of_every_tool(tmp_path: Path, grade: str) -> None:
    path = parquet(tmp_path / "q.parquet", **{"query_id": [2, 1], "doc_id": ["b", "a"], grade: [0, 3]})
    qrels = read_qrels(path)
    assert qrels.to_dict() == {"2": {"b": 0}, "1": {"a": 3}}
    assert qrels.source == str(path)


def test_columns_that_are_missing_are_named(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", query=["q1"], doc_id=["a"])
    with pytest.raises(FormatError) as caught:
        read_run(path, name="a")
    message = str(caught.value)
    expected = "expected one called query_id or qid or query-id; "
    assert message.startswith(f"{path}: found the columns query, doc_id; {expected}")
    assert message.endswith("Rename the columns of the frame.")


@pytest.mark.parametrize("kept", [0.5, 0.95])
def test_a_parquet_file_that_was_cut_short_is_refused(tmp_path: Path, kept: float) -> None:
    whole = parquet(
        tmp_path / "a.parquet", query_id=["q1"] * 500, doc_id=[f"d{i}" for i in range(500)], score=[1.0] * 500
    )
    content = whole.read_bytes()
    whole.write_bytes(content[: int(len(content) * kept)])
    for read in (read_run, read_qrels):
        with pytest.raises(FormatError) as caught:
            read(whole)
        assert str(caught.value).startswith(f"{whole}: found a file that cannot be read (")
        assert str(caught.value).endswith("); expected a complete Parquet file.")


def test_a_text_named_parquet_by_option_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_text("q1 Q0 a 1 0.5 t\n")
    with pytest.raises(FormatError, match="expected a complete Parquet file"):
        read_run(path, format="parquet")


def test_a_file_name_with_a_star_is_one_file(tmp_path: Path) -> None:
    parquet(tmp_path / "ab.parquet", query_id=["q1"], doc_id=["a"], score=[1.0])
    starred = parquet(tmp_path / "a*.parquet", query_id=["q2"], doc_id=["b"], score=[1.0])
    assert read_run(starred).query_ids == ("q2",)


def test_rows_that_no_run_may_have_are_refused_with_the_file(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", query_id=["q1", "q1"], doc_id=["a", "a"], score=[1.0, 0.5])
    with pytest.raises(FormatError) as caught:
        read_run(path)
    assert str(caught.value) == (
        f"{path}: found document 'a' of query 'q1' twice; expected each document at most once in a query."
    )


def test_a_document_judged_twice_is_refused_with_the_file(tmp_path: Path) -> None:
    path = parquet(tmp_path / "q.parquet", query_id=["q1", "q1"], doc_id=["a", "a"], grade=[1, 0])
    with pytest.raises(FormatError) as caught:
        read_qrels(path)
    assert str(caught.value) == (
        f"{path}: found document 'a' of query 'q1' twice; expected one grade for each document of a query."
    )


def test_the_size_cap_holds_for_parquet_too(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", query_id=["q1"], doc_id=["a"], score=[1.0], grade=[1])
    assert path.stat().st_size > 10
    for read in (read_run, read_qrels):
        with pytest.raises(TooLargeError, match="found more than 10 bytes"):
            read(path, limits=Limits(max_bytes=10))


def test_a_parquet_bomb_is_refused(tmp_path: Path) -> None:
    # Two million equal rows take some thousand bytes on disk and a hundred million in memory.
    path = tmp_path / "a.parquet"
    pl.select(
        query_id=pl.repeat("q1" * 20, 2_000_000),
        doc_id=pl.repeat("d1" * 20, 2_000_000),
        score=pl.repeat(1.0, 2_000_000),
    ).write_parquet(path, compression="zstd")
    assert path.stat().st_size < 200_000
    with pytest.raises(TooLargeError):
        read_run(path)


TIED = Run.from_dict({"q2": {"a": 0.5, "b": 0.5, "c": 0.25}, "q1": {"a": 0.25, "b": 0.5, "c": 0.25}})


def test_a_run_is_written_in_its_order(tmp_path: Path) -> None:
    write_run(TIED, tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet").rows() == [
        ("q2", "b", 1, 0.5),
        ("q2", "a", 2, 0.5),
        ("q2", "c", 3, 0.25),
        ("q1", "b", 1, 0.5),
        ("q1", "c", 2, 0.25),
        ("q1", "a", 3, 0.25),
    ]


def test_a_run_of_several_row_groups_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toprung.data.formats.runs.parquet.ROWS_PER_GROUP", 2)
    write_run(TIED, tmp_path / "a.parquet")
    assert read_run(tmp_path / "a.parquet").to_frame().equals(TIED.to_frame())

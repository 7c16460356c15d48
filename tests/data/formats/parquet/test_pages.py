"""Pages say the same to us as to Polars, whoever wrote them and however they are packed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toprung.data.formats.parquet.footer import read_footer
from toprung.data.formats.parquet.headers import page_headers
from toprung.data.formats.runs.files import read_run
from toprung.data.formats.runs.parquet import read_parquet_columns
from toprung.errors import FormatError

fastparquet = pytest.importorskip("fastparquet", reason="NO FASTPARQUET")


@pytest.fixture(autouse=True)
def _needs_scanner(scanner: object) -> None:
    """Nothing here says anything without the scanner."""


def frame_of(n: int) -> pl.DataFrame:
    """Short and long ids, few and many, so that writers choose plain pages and dictionaries."""
    return pl.DataFrame(
        {
            "query_id": [f"q{i // 10}" + "é" * (i // 10 % 9) for i in range(n)],
            "doc_id": [f"D{i * 7919 % 100_003:0{5 + i % 13}}" for i in range(n)],
            "score": [(i * 37 % 1000) / 8 - 50 for i in range(n)],
        }
    )


def assert_read_as_polars_does(path: Path) -> None:
    assert read_parquet_columns(path.read_bytes(), source="x").equals(pl.read_parquet(path))


@pytest.mark.parametrize("compression", ["uncompressed", "snappy", "gzip", "zstd", "lz4"])
@pytest.mark.parametrize("page_size", [None, 500])
def test_what_polars_writes(tmp_path: Path, compression: Any, page_size: int | None) -> None:
    path = tmp_path / "a.parquet"
    frame_of(3000).write_parquet(path, compression=compression, row_group_size=1100, data_page_size=page_size)
    assert_read_as_polars_does(path)


@pytest.mark.parametrize("compression", ["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"])
@pytest.mark.parametrize("is_optional", [True, False])
def test_what_fastparquet_writes(tmp_path: Path, compression: str, is_optional: bool) -> None:
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame(frame_of(3000).to_dict(as_series=False))
    fastparquet.write(str(path), frame, compression=compression, row_group_offsets=1100, has_nulls=is_optional)
    assert_read_as_polars_does(path)


@settings(max_examples=40)
@given(
    st.lists(st.text(max_size=20), min_size=1, max_size=60),
    st.sampled_from(["int64", "uint64", "int32", "uint32", "int8", "uint16"]),
    st.sampled_from(["zstd", "snappy", "lz4"]),
    st.data(),
)
def test_any_text_and_whole_number(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], kind: str, compression: Any, data: st.DataObject
) -> None:
    bits, low = int(kind.lstrip("uint")), 0 if kind.startswith("u") else -1
    numbers = st.integers(low << (bits - 1) if low else 0, (1 << (bits - 1 if low else bits)) - 1)
    values = data.draw(st.lists(numbers, min_size=len(texts), max_size=len(texts)))
    dtype = getattr(pl, kind.replace("uint", "UInt").replace("int", "Int"))
    frame = pl.DataFrame({"query_id": pl.Series(values, dtype=dtype), "doc_id": texts, "score": [0.5] * len(texts)})
    path = tmp_path_factory.mktemp("any") / "a.parquet"
    frame.write_parquet(path, compression=compression)
    read = read_parquet_columns(path.read_bytes(), source="x")
    assert read["query_id"].to_list() == [str(value) for value in values]
    assert read["doc_id"].to_list() == texts


@pytest.mark.parametrize(("dtype", "value"), [(pl.Float32, 0.1), (pl.Int64, -7), (pl.UInt64, 2**63 + 2048)])
def test_scores_of_other_types_are_doubles(tmp_path: Path, dtype: Any, value: float) -> None:
    path = tmp_path / "a.parquet"
    scores = pl.Series([value], dtype=dtype)
    pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "score": scores}).write_parquet(path)
    assert read_parquet_columns(path.read_bytes(), source="x")["score"].to_list() == scores.cast(pl.Float64).to_list()


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pl.Series([b"d"]), "doc_id of type Binary"),
        (pl.Series([1.5]), "doc_id of type Float64"),
        (pl.Series([True]), "doc_id of type Boolean"),
        (pl.Series([20000]).cast(pl.Date), "doc_id of type Int32 of a special kind"),
        (pl.Series([1]).cast(pl.Decimal(10, 2)), "doc_id of type"),
    ],
)
def test_ids_that_are_neither_texts_nor_whole_numbers_are_refused(tmp_path: Path, column: pl.Series, kind: str) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"query_id": ["q"], "doc_id": column, "score": [1.0]}).write_parquet(path)
    with pytest.raises(FormatError, match=f"found {kind}.*; expected texts or whole numbers"):
        read_run(path)


def test_categories_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    ids = pl.Series(["b", "a"], dtype=pl.Categorical)
    pl.DataFrame({"query_id": ["q", "q"], "doc_id": ids, "score": [1.0, 2.0]}).write_parquet(path)
    assert read_parquet_columns(path.read_bytes(), source="x")["doc_id"].to_list() == ["b", "a"]


def test_the_writers_do_use_dictionaries_plain_pages_and_both_versions(tmp_path: Path) -> None:
    """Else the tests above say less than they seem to."""
    found: set[tuple[int, int]] = set()
    frame_of(3000).write_parquet(tmp_path / "polars.parquet")
    fastparquet.write(str(tmp_path / "fast.parquet"), pd.DataFrame(frame_of(300).to_dict(as_series=False)))
    for path in tmp_path.iterdir():
        data = path.read_bytes()
        footer = read_footer(data)
        chunks = [chunk for group in footer.groups for chunk in group.chunks]
        found |= {(page.kind, page.encoding) for chunk in chunks for page in page_headers(data, chunk, footer.start)}
    data_page, dictionary, plain, by_dictionary = 0, 2, 0, 8
    assert {(data_page, plain), (dictionary, plain), (data_page, by_dictionary)} <= found

"""Runs and labels in Parquet: what a board stores, since re-scoring must not parse text again."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits, check_ratio, check_size
from toprung.data.frames import to_qrels_columns, to_run_columns
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError

if TYPE_CHECKING:
    import polars as pl

BYTES_PER_ROW = 40
"""Two texts and a number take at least this much in memory."""


def read_parquet_run(content: Content, *, name: str, source: str, limits: Limits = DEFAULT_LIMITS) -> Run:
    """A run with the columns query_id, doc_id and score or rank (or their names in other tools)."""
    frame = to_run_columns(_read(content, source, limits), source=source)
    return Run.from_checked_frame(frame, name=name, source=source)


def read_parquet_qrels(content: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> Qrels:
    """Labels with the columns query_id, doc_id and grade (or their names in other tools)."""
    frame = to_qrels_columns(_read(content, source, limits), source=source)
    return Qrels.from_rows(frame.iter_rows(), source=source)


def _read(content: Content, source: str, limits: Limits) -> pl.DataFrame:
    import polars as pl

    file = io.BytesIO(content)
    try:
        unpacked = BYTES_PER_ROW * pl.scan_parquet(file).select(pl.len()).collect().item()
        check_size(source, unpacked, limits)
        check_ratio(source, unpacked, len(content), limits)
        return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:  # damage can make Polars panic
        raise FormatError(
            source=source, found=f"a file that cannot be read ({error})", expected="a complete Parquet file"
        ) from error

"""Runs and labels in Parquet: what a board stores, since re-scoring must not parse text again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toprung.data.frames import to_qrels_columns, to_run_columns
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError

if TYPE_CHECKING:
    import polars as pl


def read_parquet_run(path: str | os.PathLike[str], *, name: str, float32_ties: bool = False) -> Run:
    """A run with the columns query_id, doc_id and score or rank (or their names in other tools)."""
    source = os.fspath(path)
    frame = to_run_columns(_read(path), source=source)
    return Run.from_checked_frame(frame, name=name, source=source, float32_ties=float32_ties)


def read_parquet_qrels(path: str | os.PathLike[str]) -> Qrels:
    """Labels with the columns query_id, doc_id and grade (or their names in other tools)."""
    frame = to_qrels_columns(_read(path), source=os.fspath(path))
    return Qrels.from_rows(frame.iter_rows(), source=os.fspath(path))


def _read(path: str | os.PathLike[str]) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_parquet(os.fspath(path), glob=False)
    except pl.exceptions.PolarsError as error:
        raise FormatError(
            source=os.fspath(path),
            found=f"a file that cannot be read ({error})",
            expected="a complete Parquet file",
        ) from error

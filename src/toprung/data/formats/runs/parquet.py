"""Runs and labels in Parquet: read strictly, whoever wrote them, and only the columns that are needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits, check_ratio, check_size
from toprung.data.frames import run_column_names, to_qrels_columns, to_run_columns
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError

if TYPE_CHECKING:
    import polars as pl

BYTES_PER_ROW = 40
"""Two texts and a number take at least this much in memory."""
ROWS_PER_GROUP = 1 << 20
"""Most runs are one group, which need not be put together when it is read; ids pack badly in larger ones."""
ROWS_PER_BATCH = 1 << 19
"""Where only labelled documents are wanted: little enough for the memory, and whole parts of the groups."""


def write_parquet_run(run: Run, target: Path) -> None:
    """The columns of ``run.to_frame()``, in ranking order."""
    run.to_frame().write_parquet(target, compression="zstd", row_group_size=ROWS_PER_GROUP)


def read_parquet_run(content: Content, *, name: str, source: str, limits: Limits = DEFAULT_LIMITS) -> Run:
    """A run with the columns query_id, doc_id and score or rank (or their names in other tools)."""
    frame = read_parquet_columns(content, source=source, limits=limits)
    return Run.from_checked_frame(frame, name=name, source=source)


def read_parquet_columns(content: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> pl.DataFrame:
    """The columns of a run as ``to_run_columns`` makes them, and no others."""
    data = bytes(content)
    return to_run_columns(_read(data, source, limits, _run_columns(data, source)), source=source)


def read_parquet_batches(
    data: bytes, *, source: str, limits: Limits = DEFAULT_LIMITS, rows_per_batch: int = 0
) -> Iterator[pl.DataFrame]:
    """The same, so many rows at a time; ``ROWS_PER_BATCH`` unless told."""
    from toprung.extras.frames import pl

    columns, rows_per_batch = _run_columns(data, source), rows_per_batch or ROWS_PER_BATCH
    n_rows = _check_rows(data, source, limits)
    for start in range(0, n_rows, rows_per_batch):
        try:
            batch = pl.scan_parquet(data).select(columns).slice(start, rows_per_batch).collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise _damaged(source, error) from error
        yield to_run_columns(batch, source=source)


def read_parquet_qrels(content: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> Qrels:
    """Labels with the columns query_id, doc_id and grade (or their names in other tools)."""
    frame = to_qrels_columns(_read(content, source, limits), source=source)
    return Qrels.from_rows(frame.iter_rows(), source=source)


def _run_columns(data: bytes, source: str) -> list[str]:
    """What the columns of a run are called in this file; refuses one that lacks any."""
    from toprung.extras.frames import pl

    try:
        schema = pl.read_parquet_schema(data)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _damaged(source, error) from error
    return run_column_names(pl.DataFrame(schema=schema), source=source)


def _check_rows(data: bytes, source: str, limits: Limits) -> int:
    """How many rows there are; refuses more than the limits allow."""
    from toprung.extras.frames import pl

    try:
        n_rows = int(pl.scan_parquet(data).select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:  # damage can make Polars panic
        raise _damaged(source, error) from error
    check_size(source, BYTES_PER_ROW * n_rows, limits)
    check_ratio(source, BYTES_PER_ROW * n_rows, len(data), limits)
    return n_rows


def _read(content: Content, source: str, limits: Limits, columns: list[str] | None = None) -> pl.DataFrame:
    """All columns, or those of these names."""
    from toprung.extras.frames import pl

    data = bytes(content)
    _check_rows(data, source, limits)
    try:
        return pl.read_parquet(data, columns=columns)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _damaged(source, error) from error


def _damaged(source: str, error: BaseException) -> FormatError:
    return FormatError(source=source, found=f"a file that cannot be read ({error})", expected="a complete Parquet file")

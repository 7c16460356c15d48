"""Runs and labels in Parquet: read strictly, whoever wrote them, and only the columns that are needed.

Compiled code reads the pages; where it was not built, Polars does, once the footer and all page headers were checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits
from toprung.data.formats.parquet.footer import ColumnNote
from toprung.data.formats.parquet.table import ParquetTable, check_columns, open_table
from toprung.data.formats.runs import compiled
from toprung.data.frames import qrels_column_names, run_column_names, to_qrels_columns, to_run_columns
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError

if TYPE_CHECKING:
    import polars as pl

    from toprung.data.formats.parquet.columns import Batch
    from toprung.data.formats.parquet.pages import WantedColumn

ROWS_PER_GROUP = 1 << 20
"""Most runs are one group, which need not be put together when it is read; ids pack badly in larger ones."""
ZSTD_LEVEL = 2
"""Packs ids as small as 3, the usual one, in two thirds of the time."""
IDS = 2
"""The first columns of runs and labels: query_id and doc_id."""


def write_parquet_run(run: Run, target: Path) -> None:
    """The columns of ``run.to_frame()``, in ranking order."""
    frame = run.to_frame()
    frame.write_parquet(target, compression="zstd", compression_level=ZSTD_LEVEL, row_group_size=ROWS_PER_GROUP)


def read_parquet_run(content: Content, *, name: str, source: str, limits: Limits = DEFAULT_LIMITS) -> Run:
    """A run with the columns query_id, doc_id and score or rank (or their names in other tools)."""
    frame = read_parquet_columns(content, source=source, limits=limits)
    return Run.from_checked_frame(frame, name=name, source=source)


def read_parquet_columns(content: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> pl.DataFrame:
    """The columns of a run as ``to_run_columns`` makes them, and no others."""
    return read_table_columns(open_table(content, source=source, limits=limits))


def read_table_columns(table: ParquetTable) -> pl.DataFrame:
    """The same of a table that is open."""
    return to_run_columns(_read(table, run_column_names(table, source=table.source)), source=table.source)


def read_parquet_qrels(content: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> Qrels:
    """Labels with the columns query_id, doc_id and grade (or their names in other tools)."""
    table = open_table(content, source=source, limits=limits)
    frame = to_qrels_columns(_read(table, qrels_column_names(table, source=source)), source=source)
    return Qrels.from_rows(frame.iter_rows(), source=source)


def read_parquet_batches(table: ParquetTable) -> tuple[Iterator[Batch], bool]:
    """Pages of a run's columns, as the scanner takes them, and whether the last one is the rank."""
    from toprung.data.formats.parquet.columns import read_batches

    names = run_column_names(table, source=table.source)
    return read_batches(table, _wanted(table, names)), names[-1] == "rank"


def read_parquet_whole(table: ParquetTable) -> Batch:
    """The same as one batch."""
    from toprung.data.formats.parquet.columns import read_whole

    return read_whole(table, _wanted(table, run_column_names(table, source=table.source)))


def _wanted(table: ParquetTable, names: Sequence[str]) -> list[WantedColumn]:
    from toprung.data.formats.parquet.pages import WantedColumn

    wanted = []
    for place, name in enumerate(names):
        note, index = table.find(name)
        _check_type(table, note, is_id=place < IDS)
        as_double = place == IDS and (name == "score" or note.is_float)
        wanted.append(WantedColumn(note, index, as_text=place < IDS, as_double=as_double))
    return wanted


def _check_type(table: ParquetTable, note: ColumnNote, *, is_id: bool) -> None:
    if note.is_whole or (note.is_text if is_id else note.is_float):
        return
    raise _unfit(table, note, 0, is_id=is_id)


def _unfit(table: ParquetTable, note: ColumnNote, n_missing: int, *, is_id: bool) -> FormatError:
    return FormatError(
        source=table.source,
        found=f"{note.name} of type {note.type_name} with {n_missing} missing values",
        expected="texts or whole numbers, none missing" if is_id else "numbers, none missing",
    )


def _read(table: ParquetTable, names: list[str]) -> pl.DataFrame:
    """The columns of these names, as they are called in the file."""
    wanted = _wanted(table, names)
    if not compiled.has_scanner():
        return _read_with_polars(table, names)
    from toprung.data.formats.parquet.columns import count_missing, read_whole
    from toprung.data.formats.parquet.frame import to_series
    from toprung.data.formats.parquet.pages import MissingValueError
    from toprung.extras.frames import pl

    try:
        pages = read_whole(table, wanted)
    except MissingValueError as error:
        lacking = error.wanted
        raise _unfit(table, lacking.note, count_missing(table, lacking), is_id=lacking.as_text) from None
    return pl.DataFrame([to_series(column, of_column) for column, of_column in zip(wanted, pages, strict=True)])


def _read_with_polars(table: ParquetTable, names: list[str]) -> pl.DataFrame:
    from toprung.extras.frames import pl

    check_columns(table, names)
    try:
        return pl.read_parquet(bytes(table.data), columns=names)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:  # damage can make Polars panic
        raise table.damaged(error) from error

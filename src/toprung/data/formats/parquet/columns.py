"""The columns of a Parquet file, page by page, in batches whose rows belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toprung.data.formats.content import check_ratio, check_size
from toprung.data.formats.parquet.footer import RowGroup
from toprung.data.formats.parquet.pages import MakeRoom, Page, RoomUsedAgain, WantedColumn, missing_of, read_pages
from toprung.data.formats.parquet.table import ParquetTable, check_columns
from toprung.data.formats.parquet.thrift import DamagedParquetError

type Batch = tuple[tuple[Page, ...], ...]
"""The pages of each column, of as many rows."""


def read_batches(table: ParquetTable, wanted: Sequence[WantedColumn]) -> Iterator[Batch]:
    """All rows; a batch has one page of each column, and is to be used before the next is asked for.

    Raises MissingValueError where a row has no value.
    """
    check_columns(table, [column.note.name for column in wanted])
    rooms = [RoomUsedAgain() for _ in wanted]
    for group in table.footer.groups:
        columns = [_read_column(table, group, column, room) for column, room in zip(wanted, rooms, strict=True)]
        yield from _align(table, columns, group.n_rows)


def read_whole(table: ParquetTable, wanted: Sequence[WantedColumn]) -> Batch:
    """All rows in one batch."""
    check_columns(table, [column.note.name for column in wanted])
    return tuple(
        tuple(page for group in table.footer.groups for page in _read_column(table, group, column)) for column in wanted
    )


def _read_column(
    table: ParquetTable, group: RowGroup, wanted: WantedColumn, make_room: MakeRoom = bytearray
) -> Iterator[Page]:
    """The pages of a column; their texts together have to stay within the caps too."""
    size = 0
    try:
        chunk = group.chunks[wanted.index]
        for page in read_pages(table.data, chunk, wanted, table.footer.start, make_room=make_room):
            size += page.n_bytes
            check_size(table.source, size, table.limits)
            check_ratio(table.source, size, len(table.data), table.limits)
            if page.n_rows:
                yield page
    except DamagedParquetError as error:
        raise table.damaged(error) from None


def count_missing(table: ParquetTable, wanted: WantedColumn) -> int:
    """How many values a column lacks, whose pages were all found to be sound so far."""
    try:
        chunks = (group.chunks[wanted.index] for group in table.footer.groups)
        return sum(missing_of(table.data, chunk, wanted, table.footer.start) for chunk in chunks)
    except DamagedParquetError as error:
        raise table.damaged(error) from None


def _align(table: ParquetTable, columns: list[Iterator[Page]], n_rows: int) -> Iterator[Batch]:
    """Batches of the rows that all columns have at hand."""
    held: list[Page | None] = [None] * len(columns)
    while n_rows:
        pages = [page or next(column, None) for page, column in zip(held, columns, strict=True)]
        n = min((page.n_rows if page else 0) for page in pages)
        if not 0 < n <= n_rows:
            raise table.damaged("columns of different length")
        taken = [page.take(n) for page in pages if page]
        yield tuple((now,) for now, _ in taken)
        held = [later if later.n_rows else None for _, later in taken]
        n_rows -= n

"""A Parquet file of a stranger: which of its columns are wanted, and may they be read?

Everything it says of itself is held against its size and the caps before room is made for any of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits, check_ratio, check_size
from toprung.data.formats.parquet.footer import ColumnNote, Footer, RowGroup, read_footer
from toprung.data.formats.parquet.headers import DATA, DATA_2, page_headers
from toprung.data.formats.parquet.thrift import DamagedParquetError
from toprung.errors import FormatError

BYTES_PER_ROW = 40
"""Two texts and a number take at least this much in memory."""
CODECS = ("none", "snappy", "gzip", "LZO", "Brotli", "LZ4 with Hadoop's frames", "zstd", "LZ4")
KNOWN_CODECS = (0, 1, 2, 6, 7)
KNOWN_ENCODINGS = (0, 2, 3, 5, 6, 8)
"""Plain, by dictionary, run lengths (of levels), differences of numbers and of texts' sizes."""
ADVICE = "Write only the columns that are needed, for example with Polars or pandas, and zstd or snappy."


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """The bytes of a file, and what its footer says."""

    data: Content
    footer: Footer
    source: str
    limits: Limits

    @property
    def columns(self) -> list[str]:
        return [column.name for column in self.footer.columns]

    def find(self, name: str) -> tuple[ColumnNote, int]:
        """A column and its place."""
        index = self.columns.index(name)
        return self.footer.columns[index], index

    def damaged(self, error: object) -> FormatError:
        return damaged(self.source, error)


def damaged(source: str, error: object) -> FormatError:
    return FormatError(source=source, found=f"a file that cannot be read ({error})", expected="a complete Parquet file")


def open_table(data: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> ParquetTable:
    """Read the footer; refuses nested columns, two of a name, and more rows than the caps allow."""
    try:
        footer = read_footer(data)
    except DamagedParquetError as error:
        raise damaged(source, error) from None
    table = ParquetTable(data, footer, source, limits)
    _refuse_columns(table)
    check_size(source, BYTES_PER_ROW * footer.n_rows, limits)
    check_ratio(source, BYTES_PER_ROW * footer.n_rows, len(data), limits)
    return table


def _refuse_columns(table: ParquetTable) -> None:
    nested = next((column.name for column in table.footer.columns if column.is_nested), None)
    if nested is not None:
        raise FormatError(
            source=table.source,
            found=f"the nested column {nested!r}",
            expected="columns of plain texts and numbers",
            advice=ADVICE,
        )
    twice = next((name for name, n in Counter(table.columns).items() if n > 1), None)
    if twice is not None:
        raise FormatError(source=table.source, found=f"two columns {twice!r}", expected="a name of its own for each")


def check_columns(table: ParquetTable, names: Sequence[str]) -> None:
    """Hold what the pages of these columns say against the file and the caps, before anything is unpacked."""
    size = 0
    try:
        for group in table.footer.groups:
            for name in names:
                size += _size_of(table, group, name)
                check_size(table.source, size, table.limits)
                check_ratio(table.source, size, len(table.data), table.limits)
    except DamagedParquetError as error:
        raise table.damaged(error) from None


def _size_of(table: ParquetTable, group: RowGroup, name: str) -> int:
    note, index = table.find(name)
    chunk = group.chunks[index]
    if chunk.type != note.type or chunk.n_values != group.n_rows:
        raise DamagedParquetError(f"column {name!r} contradicts the schema or the rows")
    if chunk.codec not in KNOWN_CODECS:
        packed = CODECS[chunk.codec] if 0 <= chunk.codec < len(CODECS) else f"method {chunk.codec}"
        raise _unknown(table, f"column {name!r} packed with {packed}", "zstd, snappy, gzip, LZ4 or none")
    size = 0
    for header in page_headers(table.data, chunk, table.footer.start):
        size += header.size
        if header.kind in (DATA, DATA_2) and header.encoding not in KNOWN_ENCODINGS:
            raise _unknown(
                table, f"column {name!r} in encoding {header.encoding}", "plain, by dictionary or as differences"
            )
    return size


def _unknown(table: ParquetTable, found: str, expected: str) -> FormatError:
    return FormatError(source=table.source, found=found, expected=expected, advice=ADVICE)

"""What does a Parquet file say it holds? Its footer, read strictly and held against the size of the file."""

from __future__ import annotations

from dataclasses import dataclass, field

from toprung.data.formats.content import Content
from toprung.data.formats.parquet.thrift import DamagedParquetError, Notes

MAGIC = b"PAR1"
END_SIZE = 8
"""Bytes behind the footer: its size and the mark again."""
MOST_COLUMNS, MOST_GROUPS = 10_000, 1_000_000
INT32, INT64, FLOAT, DOUBLE, BYTE_ARRAY = 1, 2, 4, 5, 6
TYPE_NAMES = ("Boolean", "Int32", "Int64", "Int96", "Float32", "Float64", "Binary", "Binary of fixed size")
REQUIRED, OPTIONAL, REPEATED = range(3)
TEXTS, UNSIGNED, SIGNED = {0, 4}, {11, 12, 13, 14}, {15, 16, 17, 18}
"""Converted types: UTF-8 and enumerations; whole numbers without and with a sign."""
TEXT_KINDS, WHOLE_KIND = {1, 4}, 10
"""The same as logical types, by the number of the union's field."""


@dataclass(slots=True)
class ColumnNote:
    """What the schema says of a column, or of a group of columns."""

    name: str = ""
    type: int = -1
    repetition: int = REQUIRED
    n_children: int = 0
    converted: int = -1
    logical: int = 0
    is_signed: bool = True

    @property
    def is_nested(self) -> bool:
        return self.n_children > 0 or self.repetition == REPEATED or self.type < 0

    @property
    def is_text(self) -> bool:
        return self.type == BYTE_ARRAY and (self.converted in TEXTS or self.logical in TEXT_KINDS)

    @property
    def is_whole(self) -> bool:
        is_plain = self.converted < 0 and not self.logical
        is_whole = self.converted in UNSIGNED | SIGNED or self.logical == WHOLE_KIND
        return self.type in (INT32, INT64) and (is_plain or is_whole)

    @property
    def is_float(self) -> bool:
        return self.type in (FLOAT, DOUBLE) and self.converted < 0 and not self.logical

    @property
    def is_unsigned(self) -> bool:
        return self.converted in UNSIGNED or not self.is_signed

    @property
    def type_name(self) -> str:
        """What frames call it."""
        if self.is_text:
            return "String"
        is_plain = self.is_whole or self.is_float or (self.converted < 0 and not self.logical)
        name = TYPE_NAMES[self.type] if self.type < len(TYPE_NAMES) else "unknown"
        return ("U" if self.is_unsigned else "") + name if is_plain else f"{name} of a special kind"


@dataclass(slots=True)
class Chunk:
    """Where the values of a column of a row group lie, and how they are packed."""

    type: int = -1
    codec: int = 0
    n_values: int = -1
    packed_size: int = -1
    data_at: int = -1
    dictionary_at: int = 0
    is_elsewhere: bool = False

    @property
    def start(self) -> int:
        return self.dictionary_at if 0 < self.dictionary_at < self.data_at else self.data_at


@dataclass(slots=True)
class RowGroup:
    n_rows: int = -1
    chunks: list[Chunk] = field(default_factory=list)


@dataclass(slots=True)
class Footer:
    """All that is needed to read a file's columns."""

    start: int
    """Where it begins: the end of all values."""
    n_rows: int = -1
    columns: list[ColumnNote] = field(default_factory=list)
    groups: list[RowGroup] = field(default_factory=list)


def read_footer(data: Content) -> Footer:
    """The footer of a whole file; raises DamagedParquetError where it contradicts itself or the file."""
    if data[:4] != MAGIC or data[-4:] != MAGIC or len(data) < 4 + END_SIZE:
        raise DamagedParquetError("its mark PAR1 is not at both ends")
    size = int.from_bytes(data[-END_SIZE:-4], "little")
    end = len(data) - END_SIZE
    if size > end - 4:
        raise DamagedParquetError("a footer larger than the file")
    footer = Footer(start=end - size)
    notes = Notes(data, footer.start, end)
    for number, kind in notes.fields():
        _read_file_field(notes, number, kind, footer)
    _check(footer)
    return footer


def _read_file_field(notes: Notes, number: int, kind: int, footer: Footer) -> None:
    if number == 2:
        footer.columns = _read_columns(notes, kind)
    elif number == 3:
        footer.n_rows = notes.whole(kind)
    elif number == 4:
        for count in notes.structures(kind):
            footer.groups.append(_read_group(notes))
            _check_count(count, MOST_GROUPS, "row groups")
    elif number == 8:
        raise DamagedParquetError("it is encrypted")
    else:
        notes.skip(kind)


def _read_columns(notes: Notes, kind: int) -> list[ColumnNote]:
    """The leaves and groups below the root, which comes first."""
    found = []
    for count in notes.structures(kind):
        found.append(_read_column(notes))
        _check_count(count, MOST_COLUMNS, "columns")
    if not found or found[0].n_children < 0:
        raise DamagedParquetError("no schema")
    return found[1:]


def _read_column(notes: Notes) -> ColumnNote:
    column = ColumnNote()
    for number, kind in notes.fields():
        if number == 1:
            column.type = notes.whole(kind)
        elif number == 3:
            column.repetition = notes.whole(kind)
        elif number == 4:
            column.name = notes.text(kind)
        elif number == 5:
            column.n_children = notes.whole(kind)
        elif number == 6:
            column.converted = notes.whole(kind)
        elif number == 10:
            _read_logical(notes, kind, column)
        else:
            notes.skip(kind)
    return column


def _read_logical(notes: Notes, kind: int, column: ColumnNote) -> None:
    for number, inner in notes.structure(kind):
        column.logical = number
        if number != WHOLE_KIND:
            notes.skip(inner)
            continue
        for part, of_part in notes.structure(inner):
            if part == 2:
                column.is_signed = notes.flag(of_part)
            else:
                notes.skip(of_part)


def _read_group(notes: Notes) -> RowGroup:
    group = RowGroup()
    for number, kind in notes.fields():
        if number == 1:
            for count in notes.structures(kind):
                group.chunks.append(_read_chunk(notes))
                _check_count(count, MOST_COLUMNS, "columns")
        elif number == 3:
            group.n_rows = notes.whole(kind)
        else:
            notes.skip(kind)
    if not group.chunks or group.n_rows < 0:
        raise DamagedParquetError("a row group without columns or rows")
    return group


def _read_chunk(notes: Notes) -> Chunk:
    chunk = Chunk()
    for number, kind in notes.fields():
        if number == 3:
            for part, inner in notes.structure(kind):
                _read_chunk_field(notes, part, inner, chunk)
        else:
            chunk.is_elsewhere |= number in (1, 8)  # in another file, or encrypted
            notes.skip(kind)
    return chunk


CHUNK_FIELDS = {1: "type", 4: "codec", 5: "n_values", 7: "packed_size", 9: "data_at", 11: "dictionary_at"}


def _read_chunk_field(notes: Notes, number: int, kind: int, chunk: Chunk) -> None:
    name = CHUNK_FIELDS.get(number)
    if name is None:
        notes.skip(kind)
    else:
        setattr(chunk, name, notes.whole(kind))


def _check_count(count: int, most: int, what: str) -> None:
    if count >= most:
        raise DamagedParquetError(f"more than {most:,} {what}")


def _check(footer: Footer) -> None:
    """Rows add up, and each group has as many columns as the schema."""
    if footer.n_rows != sum(group.n_rows for group in footer.groups):
        raise DamagedParquetError("row groups that do not add up to its rows")
    n_leaves = sum(column.n_children == 0 for column in footer.columns)
    if any(len(group.chunks) != n_leaves for group in footer.groups):
        raise DamagedParquetError("a row group with other columns than the schema")

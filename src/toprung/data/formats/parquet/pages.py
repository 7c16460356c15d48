"""What do the pages of a column hold? Read one after the other, none larger than the caps allow."""

from __future__ import annotations

from collections.abc import Buffer, Callable, Iterator
from dataclasses import dataclass, replace

from toprung.data.formats import _scan
from toprung.data.formats.content import Content
from toprung.data.formats.parquet.footer import OPTIONAL, Chunk, ColumnNote
from toprung.data.formats.parquet.headers import DATA, DATA_2, DICTIONARY, LEVELS_SIZE, PageHeader, page_headers
from toprung.data.formats.parquet.thrift import DamagedParquetError
from toprung.data.formats.parquet.unpacking import unpack_page

PLAIN, PLAIN_DICTIONARY, RLE, DIFFERENCES, TEXT_DIFFERENCES, RLE_DICTIONARY = 0, 2, 3, 5, 6, 8
BY_DICTIONARY = (PLAIN_DICTIONARY, RLE_DICTIONARY)
VIEW, NUMBER, LONGEST_WHOLE = 16, 8, 20
"""Bytes of what stands for a text, of a number, of a whole number as text."""


type Dictionary = tuple[Buffer, Buffer]
"""Its values, and the bytes that views of texts lead to."""
type MakeRoom = Callable[[int], Buffer]
"""Memory of so many bytes, to be written to."""


class RoomUsedAgain:
    """The same memory for one page after the other: to take it anew for each costs as much as to unpack it."""

    def __init__(self) -> None:
        self._room = bytearray()

    def __call__(self, size: int) -> Buffer:
        if size > len(self._room):
            self._room = bytearray(size)
        return memoryview(self._room)[:size]


class MissingValueError(Exception):
    """A column that is needed lacks a value."""

    def __init__(self, wanted: WantedColumn) -> None:
        super().__init__(wanted.note.name)
        self.wanted = wanted


@dataclass(frozen=True, slots=True)
class WantedColumn:
    """A column to read, and as what."""

    note: ColumnNote
    index: int
    """Its place in each row group."""
    as_text: bool
    as_double: bool

    @property
    def is_in_views(self) -> bool:
        """Whether values are texts as the file has them; whole numbers become texts once they are read."""
        return self.as_text and self.note.is_text


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of a column: views of texts, or numbers of 64 bits, from the row ``first`` on."""

    values: Buffer
    dictionary: Buffer
    texts: Buffer
    first: int
    n_rows: int
    n_bytes: int = 0
    """Of all texts together, which may be many more than the page has."""

    def take(self, n: int) -> tuple[Page, Page]:
        """Its next n rows, and what is left."""
        return replace(self, n_rows=n), replace(self, first=self.first + n, n_rows=self.n_rows - n)

    def to_tuple(self) -> tuple[Buffer, Buffer, Buffer, int, int]:
        """As compiled code takes it."""
        return self.values, self.dictionary, self.texts, self.first, self.n_rows


def read_pages(
    data: Content, chunk: Chunk, wanted: WantedColumn, end: int, *, make_room: MakeRoom = bytearray
) -> Iterator[Page]:
    """The pages of a chunk; ``end``: where the values of the file end."""
    dictionary: Dictionary | None = None
    for header in page_headers(data, chunk, end):
        if header.kind == DICTIONARY:
            body = unpack_page(chunk.codec, header.body(data), header.size)
            if dictionary is not None or header.encoding not in (PLAIN, PLAIN_DICTIONARY):
                raise DamagedParquetError("a dictionary that cannot be read")
            dictionary = _plain(body, wanted, header.n_values, bytearray, buffer=0), body
        elif header.kind in (DATA, DATA_2):
            values, n_missing = _values_of(data, chunk, wanted, header)
            if n_missing:
                raise MissingValueError(wanted)
            yield _as_texts(_decode(values, wanted, header, dictionary, make_room), wanted)


def missing_of(data: Content, chunk: Chunk, wanted: WantedColumn, end: int) -> int:
    """How many values are missing from a chunk."""
    pages = (header for header in page_headers(data, chunk, end) if header.kind in (DATA, DATA_2))
    return sum(_values_of(data, chunk, wanted, header)[1] for header in pages)


def _values_of(data: Content, chunk: Chunk, wanted: WantedColumn, header: PageHeader) -> tuple[memoryview, int]:
    """The bytes of a page behind its levels, and how many values are missing by these."""
    body = header.body(data)
    if header.kind == DATA_2:
        before = header.levels_2_size
        if before > min(header.size, len(body)):
            raise DamagedParquetError("levels larger than their page")
        codec = chunk.codec if header.is_packed else 0
        levels, values = body[:before], unpack_page(codec, body[before:], header.size - before)
    else:
        values = unpack_page(chunk.codec, body, header.size)
        levels = values[:0]
        if wanted.note.repetition == OPTIONAL:
            levels, values = _levels_1(values, header)
    return values, _count_missing(levels, header.n_values) if wanted.note.repetition == OPTIONAL else 0


def _levels_1(body: memoryview, header: PageHeader) -> tuple[memoryview, memoryview]:
    end = LEVELS_SIZE + int.from_bytes(body[:LEVELS_SIZE], "little")
    if header.levels_encoding != RLE or len(body) < LEVELS_SIZE or end > len(body):
        raise DamagedParquetError("levels that cannot be read")
    return body[LEVELS_SIZE:end], body[end:]


def _count_missing(levels: memoryview, n: int) -> int:
    present = _scan.count_present(levels, n)
    if present < 0:
        raise DamagedParquetError("levels that are cut short")
    return n - present


def _decode(
    values: memoryview, wanted: WantedColumn, header: PageHeader, dictionary: Dictionary | None, make_room: MakeRoom
) -> Page:
    n, size = header.n_values, VIEW if wanted.is_in_views else NUMBER
    if header.encoding in BY_DICTIONARY and dictionary is not None:
        room = make_room(size * n)
        n_bytes = _scan.pick(values, dictionary[0], wanted.is_in_views, room)
        if n_bytes < 0:
            raise DamagedParquetError("values that its dictionary does not have")
        return Page(room, dictionary[1], b"", 0, n, n_bytes)
    if header.encoding == PLAIN:
        return Page(_plain(values, wanted, n, make_room, buffer=1), b"", values, 0, n, len(values))
    if header.encoding == (TEXT_DIFFERENCES if wanted.is_in_views else DIFFERENCES):
        plain = _read_values(values, wanted, make_room(size * n), are_differences=True, buffer=1)
        return Page(plain, b"", values, 0, n, len(values))
    raise DamagedParquetError(f"values in encoding {header.encoding}, which is not read here")


def _plain(body: memoryview, wanted: WantedColumn, n: int, make_room: MakeRoom, *, buffer: int) -> Buffer:
    if n > len(body):
        raise DamagedParquetError("a page with fewer values than it says")
    room = make_room((VIEW if wanted.is_in_views else NUMBER) * n)
    return _read_values(body, wanted, room, are_differences=False, buffer=buffer)


def _read_values(body: memoryview, wanted: WantedColumn, room: Buffer, *, are_differences: bool, buffer: int) -> Buffer:
    if wanted.is_in_views:
        fits = _scan.page_texts(body, are_differences, buffer, room)
    else:
        kind, is_unsigned = wanted.note.type, wanted.note.is_unsigned
        fits = _scan.page_numbers(body, are_differences, kind, is_unsigned, wanted.as_double, room)
    if not fits:
        raise DamagedParquetError("a page whose values cannot be read")
    return room


def _as_texts(page: Page, wanted: WantedColumn) -> Page:
    """Whole numbers as texts, where they are ids."""
    if wanted.is_in_views or not wanted.as_text:
        return page
    views, room = bytearray(VIEW * page.n_rows), bytearray(LONGEST_WHOLE * page.n_rows)
    if not _scan.number_texts(page.values, wanted.note.is_unsigned, room, views):
        raise DamagedParquetError("a page of too many numbers")
    return replace(page, values=views, dictionary=b"", texts=room, n_bytes=len(room))

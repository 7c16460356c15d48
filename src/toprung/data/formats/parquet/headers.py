"""Where are the pages of a column, and how large do they say they are?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toprung.data.formats.content import Content
from toprung.data.formats.parquet.footer import Chunk
from toprung.data.formats.parquet.thrift import DamagedParquetError, Notes

DATA, INDEX, DICTIONARY, DATA_2 = range(4)
LEVELS_SIZE = 4
"""Bytes before the levels of a page that say how many they are."""
MOST_VALUES, LARGEST_PAGE = 1 << 26, 1 << 30


@dataclass(slots=True)
class PageHeader:
    """What a page says of itself."""

    kind: int = -1
    size: int = -1
    packed_size: int = -1
    n_values: int = -1
    encoding: int = -1
    levels_encoding: int = -1
    levels_2_size: int = 0
    is_packed: bool = True
    at: int = -1
    """Where its bytes begin."""

    def body(self, data: Content) -> memoryview:
        return memoryview(data)[self.at : self.at + self.packed_size]


def page_headers(data: Content, chunk: Chunk, end: int) -> Iterator[PageHeader]:
    """The headers of all pages of a chunk, whose values have to be as many as it says."""
    at, chunk_end = chunk.start, chunk.start + chunk.packed_size
    if chunk.is_elsewhere or at < 4 or chunk.packed_size < 0 or chunk_end > end:
        raise DamagedParquetError("a column that is not within the file")
    left = chunk.n_values
    while left > 0:
        header = _read_header(data, at, chunk_end)
        if header.kind in (DATA, DATA_2):
            left -= header.n_values
        yield header
        at = header.at + header.packed_size
    if left:
        raise DamagedParquetError("pages with more values than their column")


def _read_header(data: Content, at: int, end: int) -> PageHeader:
    notes, header = Notes(data, at, end), PageHeader()
    for number, kind in notes.fields():
        if number == 1:
            header.kind = notes.whole(kind)
        elif number == 2:
            header.size = notes.whole(kind)
        elif number == 3:
            header.packed_size = notes.whole(kind)
        elif number in FIELDS:
            _read_kind(notes, kind, header, FIELDS[number])
        else:
            notes.skip(kind)
    header.at = notes.at
    _check(header, end)
    return header


FIELDS = {
    5: {1: "n_values", 2: "encoding", 3: "levels_encoding"},
    7: {1: "n_values", 2: "encoding"},
    8: {1: "n_values", 4: "encoding", 5: "levels", 6: "levels", 7: "is_packed"},
}
"""By the number of a page's own header, data, dictionary or data of version 2: what its fields are."""


def _read_kind(notes: Notes, kind: int, header: PageHeader, names: dict[int, str]) -> None:
    for number, inner in notes.structure(kind):
        name = names.get(number)
        if name == "levels":
            header.levels_2_size += max(0, notes.whole(inner))
        elif name == "is_packed":
            header.is_packed = notes.flag(inner)
        elif name is not None:
            setattr(header, name, notes.whole(inner))
        else:
            notes.skip(inner)


def _check(header: PageHeader, end: int) -> None:
    if not 0 <= header.packed_size <= end - header.at or not 0 <= header.size <= LARGEST_PAGE:
        raise DamagedParquetError("a page that is not within its column")
    if header.kind in (DATA, DATA_2, DICTIONARY) and not 0 <= header.n_values <= MOST_VALUES:
        raise DamagedParquetError("a page without a number of values")

"""A CSV with a header, read strictly: what matrices, leaderboards and lists of dates have in common."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from toprung.data.formats import problems
from toprung.data.formats.content import Limits, read_content
from toprung.errors import FormatError
from toprung.words.visible import quoted
from toprung.words.wording import say_count

type NumberedRow = tuple[int, tuple[str, ...]]
"""A row, and the line it begins on."""


@dataclass(frozen=True, kw_only=True)
class CsvTable:
    """A CSV with a header; cells are stripped, blank lines left out, lines counted as an editor shows them."""

    source: str
    digest: str
    header: tuple[str, ...]
    rows: tuple[NumberedRow, ...]

    @classmethod
    def read(cls, path: str | os.PathLike[str], limits: Limits) -> CsvTable:
        return cls.parse(bytes(read_content(path, limits)), os.fspath(path))

    @classmethod
    def parse(cls, content: bytes, source: str) -> CsvTable:
        """The same from bytes that were read already."""
        table, rows = cls.begin(content, source)
        return replace(table, rows=tuple(rows))

    @classmethod
    def begin(cls, content: bytes, source: str, *, delimiter: str = ",") -> tuple[CsvTable, Iterator[NumberedRow]]:
        """The table without its rows, and these one after the other: as texts they take ten times what they say."""
        if not content.strip():
            raise problems.empty_file().to_error(source)
        _refuse_other_than_utf8(content, source)
        rows = _number_rows(content, source, delimiter)
        _, header = next(rows)
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        return cls(source=source, digest=digest, header=header, rows=()), _as_wide_as(header, rows, source)

    def look_for(self, names: Sequence[str]) -> int | None:
        """The first of these columns that is there, whatever its case."""
        lowered = [name.lower() for name in self.header]
        for name in names:
            if lowered.count(name) > 1:
                raise self.error(f"{lowered.count(name)} columns '{name}'", "one", line=1)
            if name in lowered:
                return lowered.index(name)
        return None

    def find(self, names: Sequence[str], *, what: str) -> int:
        column = self.look_for(names)
        if column is None:
            raise self.error(list_columns(self.header), what, line=1)
        return column

    def values(self, column: int) -> list[str]:
        return [row[column] for _, row in self.rows if row[column]]

    def error(self, found: str, expected: str, *, line: int | None = None, advice: str = "") -> FormatError:
        return FormatError(source=self.source, line=line, found=found, expected=expected, advice=advice)


def _refuse_other_than_utf8(content: bytes, source: str) -> None:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        position = error.start - content.rfind(b"\n", 0, error.start)
        raise problems.not_utf8(content[error.start], position, line).to_error(source) from None


def _number_rows(content: bytes, source: str, delimiter: str) -> Iterator[NumberedRow]:
    """Each row with the line it begins on: a quoted cell may hold line ends."""
    reader = csv.reader(
        io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline=""), delimiter=delimiter, strict=True
    )
    line = 1
    try:
        for row in reader:
            if row:
                yield line, tuple(map(str.strip, row))
            line = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(source=source, found=f"text that is not CSV ({error})", expected="a CSV table") from None


def _as_wide_as(header: Sequence[str], rows: Iterator[NumberedRow], source: str) -> Iterator[NumberedRow]:
    for line, row in rows:
        if len(row) != len(header):
            found, expected = say_count(len(row), "column"), f"{len(header)} as in the header"
            raise FormatError(source=source, line=line, found=found, expected=expected)
        yield line, row


def list_columns(names: Sequence[str]) -> str:
    """The names of columns, for a message."""
    named = [quoted(name) for name in names if name]
    return ", ".join(named) if named else "a header without names"

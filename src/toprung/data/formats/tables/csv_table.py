"""A CSV with a header, read strictly: what matrices, leaderboards and lists of dates have in common."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toprung.data.formats import problems
from toprung.data.formats.content import Limits, read_content
from toprung.errors import FormatError
from toprung.words.visible import quoted


@dataclass(frozen=True, kw_only=True)
class CsvTable:
    """A CSV with a header; cells are stripped, blank lines left out, lines counted as an editor shows them."""

    source: str
    digest: str
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    @classmethod
    def read(cls, path: str | os.PathLike[str], limits: Limits) -> CsvTable:
        return cls.parse(bytes(read_content(path, limits)), os.fspath(path))

    @classmethod
    def parse(cls, content: bytes, source: str) -> CsvTable:
        """The same from bytes that were read already."""
        if not content.strip():
            raise problems.empty_file().to_error(source)
        try:
            (_, header), *rows = _number_rows(content.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            position = error.start - content.rfind(b"\n", 0, error.start)
            raise problems.not_utf8(content[error.start], position, line).to_error(source) from None
        except csv.Error as error:
            raise FormatError(source=source, found=f"text that is not CSV ({error})", expected="a CSV table") from None
        for line, row in rows:
            if len(row) != len(header):
                raise FormatError(
                    source=source, line=line, found=f"{len(row)} columns", expected=f"{len(header)} as in the header"
                )
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        return cls(source=source, digest=digest, header=header, rows=tuple(rows))

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


def _number_rows(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each row with the line it begins on: a quoted cell may hold line ends."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    for row in reader:
        if row:
            yield line, tuple(cell.strip() for cell in row)
        line = reader.line_num + 1


def list_columns(names: Sequence[str]) -> str:
    """The names of columns, for a message."""
    named = [quoted(name) for name in names if name]
    return ", ".join(named) if named else "a header without names"

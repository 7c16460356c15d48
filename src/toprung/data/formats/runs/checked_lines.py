"""Which lines of a text run are good, and what is wrong with the others? In as little memory, however many are faulty.

The text is read in pieces by Polars. Where it cannot vouch for one, that piece is cut smaller, and what is left goes
line by line. Of faults the first of each kind are kept; good rows are held in columns, as those of a good file are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toprung.data.formats import problems
from toprung.data.formats.content import Content
from toprung.data.formats.problems import ProblemLog
from toprung.data.formats.runs.line_parser import Layout, parse_lines
from toprung.data.formats.runs.table_parser import parse_columns, to_table
from toprung.data.run import seems_repeated

if TYPE_CHECKING:
    import polars as pl

PIECES = (1 << 22, 1 << 18)
"""Bytes that are read at a time; and, where there is a fault among those, one by one."""


@dataclass(slots=True)
class CheckedLines:
    """The good rows, in columns with the number of their line, and the problems of the others."""

    frame: pl.DataFrame | None = None
    problems: ProblemLog = field(default_factory=ProblemLog)


def check_lines(content: Content, layout: Layout, *, stop_at_first: bool = False) -> CheckedLines:
    """Read all lines, or up to the piece with the first problem."""
    from toprung.extras.frames import pl

    found, frames = CheckedLines(), []
    for frame in read_pieces(content, layout, found.problems):
        frames.append(frame)
        if stop_at_first and found.problems:
            break
    if frames:
        found.frame = without_repeats(pl.concat(frames), layout, found.problems)
    found.problems.sort()
    return found


def read_pieces(content: Content, layout: Layout, log: ProblemLog) -> Iterator[pl.DataFrame]:
    """The good rows of one piece after the other, as they stand in the text."""
    line = 1
    for piece in _cut(content, PIECES[0]):
        yield _read_piece(piece, layout, line, log)
        line += _count_lines(piece)
    if line == 1:
        log.add(problems.empty_file())


def _cut(content: Content, size: int) -> Iterator[bytes]:
    """Pieces of about this size, each to the end of a line."""
    start = 0
    while start < len(content):
        end = content.find(b"\n", min(start + size, len(content)) - 1) + 1 or len(content)
        yield bytes(content[start:end])
        start = end


def _count_lines(piece: bytes) -> int:
    return piece.count(b"\n") + (not piece.endswith(b"\n"))


def _read_piece(piece: bytes, layout: Layout, line: int, log: ProblemLog) -> pl.DataFrame:
    """The good rows of a piece that begins with this line."""
    from toprung.extras.frames import pl

    frame = parse_columns(piece, layout)
    if frame is not None:
        return _numbered(frame, line)
    frames = []
    for small in _cut(piece, PIECES[1]):
        frame = parse_columns(small, layout) if len(small) < len(piece) else None
        frames.append(_parse_one_by_one(small, layout, line, log) if frame is None else _numbered(frame, line))
        line += _count_lines(small)
    return pl.concat(frames)


def _numbered(frame: pl.DataFrame, first: int) -> pl.DataFrame:
    return frame.with_row_index("line", first)


def _parse_one_by_one(data: bytes, layout: Layout, line: int, log: ProblemLog) -> pl.DataFrame:
    from toprung.extras.frames import pl

    parsed = parse_lines(data, layout, first_number=line)
    log.update(parsed.problems)
    frame = to_table(parsed, layout)
    return frame.select(pl.Series("line", parsed.lines, dtype=pl.get_index_type()), pl.all())


def without_repeats(frame: pl.DataFrame, layout: Layout, log: ProblemLog) -> pl.DataFrame:
    """The first row of each document of a query; of each rank too, where the rank decides."""
    frame = _drop_repeated(frame, "doc_id", log)
    return _drop_repeated(frame, "rank", log) if layout is Layout.MSMARCO else frame


def _drop_repeated(frame: pl.DataFrame, column: str, log: ProblemLog) -> pl.DataFrame:
    from toprung.extras.frames import pl

    if not seems_repeated(frame, column):
        return frame
    keys = pl.col("query_id").hash(1) ^ pl.col(column).hash(2)
    alike = frame.filter(keys.is_duplicated()).select("line", "query_id", pl.col(column).cast(pl.String))
    first_line = pl.col("line").min().over("query_id", column).alias("first_line")
    repeats = alike.with_columns(first_line).filter(pl.col("line") != pl.col("first_line")).sort("line")
    say = problems.duplicate_document if column == "doc_id" else problems.duplicate_rank
    shown = repeats.head(log.keep).iter_rows()
    log.add_many([say(value, query_id, line, first) for line, query_id, value, first in shown], repeats.height)
    return frame.join(repeats.select("line"), on="line", how="anti", maintain_order="left")

"""Read text runs with Polars: whole into memory, or piece by piece to place labelled documents.

Used for `read_run`, and for evaluation where the compiled scanner is not there. Polars parses; whatever it
cannot vouch for goes to the line parser, which either reads it or says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.formats.content import BYTE_ORDER_MARK, Content
from toprung.data.formats.runs.line_parser import Layout, ParsedRun, parse_lines
from toprung.data.formats.runs.text import RunText
from toprung.data.ordered import order_rows
from toprung.data.place import fill_placement
from toprung.data.placement import Placement, PlacementArrays
from toprung.data.qrels import Qrels
from toprung.data.run import Run, seems_repeated
from toprung.data.wanted import WantedDocuments

if TYPE_CHECKING:
    import polars as pl

PIECE = 1 << 24
"""Bytes parsed at a time when only labelled documents are wanted."""


def read_text(text: RunText, *, depth: int | None = None) -> Run:
    """The whole run in memory, or its first ``depth`` ranks; raises at its first faulty line."""
    frame = _read_table(text)
    tag = frame["tag"][0] if text.layout is Layout.TREC else ""
    rows = order_rows(frame.drop("tag", strict=False))
    return Run.from_ordered(rows if depth is None else rows.top(depth), name=text.name, tag=tag)


def _read_table(text: RunText) -> pl.DataFrame:
    frame = parse_table(text.content, text.layout)
    if frame is None:
        parsed = parse_lines(text.content, text.layout, stop_at_first=True)
        if parsed.problems:
            raise parsed.problems.earliest().to_error(text.source)
        frame = to_table(parsed, text.layout)
    return frame


def place_text(text: RunText, qrels: Qrels) -> Placement:
    """Where a run put the labelled documents; raises at its first faulty line."""
    return _place_in_pieces(text, qrels) or _place_whole(text, qrels)


def _place_whole(text: RunText, qrels: Qrels) -> Placement:
    arrays = PlacementArrays.empty(qrels)
    ordered = order_rows(_read_table(text).drop("tag", strict=False), float32_ties=text.float32_ties)
    unknown = fill_placement(arrays, ordered, WantedDocuments.of(qrels))
    contradicting = len(ordered.contradicting_queries())
    rows = ordered.frame.height
    return arrays.finish(text.name, qrels, n_rows=rows, n_unknown=unknown, n_contradicting=contradicting)


def _place_in_pieces(text: RunText, qrels: Qrels) -> Placement | None:
    """Place piece by piece; None if a piece has a fault, or lines of one query stand in two pieces."""
    arrays = PlacementArrays.empty(qrels)
    wanted = WantedDocuments.of(qrels)
    rows = unknown = contradicting = 0
    met: set[str] = set()
    for piece in _pieces_between_queries(text.content):
        frame = parse_table(piece, text.layout)
        if frame is None:
            return None
        ordered = order_rows(frame.drop("tag", strict=False), float32_ties=text.float32_ties)
        query_ids = set(ordered.query_ids.to_list())
        if query_ids & met:
            return None
        met |= query_ids
        rows += frame.height
        unknown += fill_placement(arrays, ordered, wanted)
        contradicting += len(ordered.contradicting_queries())
    return arrays.finish(text.name, qrels, n_rows=rows, n_unknown=unknown, n_contradicting=contradicting)


def _pieces_between_queries(content: Content) -> Iterator[bytes]:
    """Cut the content where one query ends and the next begins, about every ``PIECE`` bytes."""
    start, size = 0, len(content)
    while start < size or not size:
        end = _end_of_query(content, start + PIECE)
        yield bytes(content[start:end])
        if end >= size:
            return
        start = end


def _end_of_query(content: Content, position: int) -> int:
    """The first place from ``position`` on where a line starts another query than the line before."""
    size = len(content)
    query: list[bytes] | None = None
    line = content.find(b"\n", position) + 1
    while 0 < line < size:
        end = content.find(b"\n", line)
        first_column = bytes(content[line : end if end >= 0 else size]).split(maxsplit=1)[:1]
        if query is not None and first_column != query:
            return line
        query = first_column
        line = end + 1
    return size


def parse_table(content: Content, layout: Layout) -> pl.DataFrame | None:
    """The columns query_id, doc_id, rank, score, tag of a faultless text; None where Polars cannot vouch for it."""
    data = bytes(content)
    # Polars would drop a byte-order mark, but here, behind that of the file, it is part of an id.
    has_doubled_returns = b"\r" in data and b"\r\r" in data  # one byte is found far faster than two
    if data.startswith(BYTE_ORDER_MARK) or has_doubled_returns or _has_a_very_long_line(data):
        return None
    frame = _parse_columns(data, layout)
    if frame is None and _may_have_single_blanks(data):
        frame = _parse_columns(_with_single_blanks(data), layout)
    if frame is None or not _is_sound(frame, layout):
        return None
    return frame


def to_table(parsed: ParsedRun, layout: Layout) -> pl.DataFrame:
    """The good rows of the line parser, in the same columns."""
    from toprung.extras.frames import pl

    schema = {
        "query_id": pl.String,
        "doc_id": pl.String,
        "rank": pl.Int64,
        "score": pl.Float64,
        "tag": pl.String,
    }
    columns = {column: [getattr(row, column) for row in parsed.rows] for column in schema}
    frame = pl.DataFrame(columns, schema=schema)
    return frame if layout is Layout.TREC else frame.drop("score", "tag")


def _parse_columns(data: bytes, layout: Layout) -> pl.DataFrame | None:
    from toprung.extras.frames import pl

    types = {"rank": pl.Int64(), "score": pl.Float64()}
    separator = "\t" if b"\t" in data else " "
    try:
        frame = pl.read_csv(
            data,
            separator=separator,
            has_header=False,
            quote_char=None,
            schema={column: types.get(column, pl.String()) for column in layout.columns},
        )
    except (pl.exceptions.ComputeError, pl.exceptions.SchemaError, pl.exceptions.NoDataError):
        return None
    if not _has_only_separators(data, frame.height, separator, len(layout.columns)):
        return None
    return frame.drop("Q0", strict=False)


def _has_only_separators(data: bytes, n_rows: int, separator: str, n_columns: int) -> bool:
    """Whether blanks, line ends and other bytes below 33 are exactly those of a regular table.

    Then no column holds a blank or control character, no line was skipped, and none has another number of
    columns: missing ones would have been null.
    """
    low = int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) <= ord(" ")))
    line_ends = n_rows if data.endswith(b"\n") else n_rows - 1
    returns = data.count(b"\r\n") if b"\r" in data else 0
    return low == line_ends + returns + n_rows * (n_columns - 1) and separator.encode() in data


def _has_a_very_long_line(data: bytes) -> bool:
    """Whether a line is longer than about 64 KiB. One that is covers a whole aligned window of half that size."""
    window = 1 << 15
    return any(data.find(b"\n", at, at + window) < 0 for at in range(0, len(data) - window, window))


def _may_have_single_blanks(data: bytes) -> bool:
    """Not where that would hide a fault: a return within a line, or a last line of blanks alone."""
    last_line = data[data.rfind(b"\n") + 1 :]
    has_stray_return = b"\r" in data and b"\r" in data.replace(b"\r\n", b"\n")
    return not has_stray_return and not last_line.isspace()


def _with_single_blanks(data: bytes) -> bytes:
    text = data.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _is_sound(frame: pl.DataFrame, layout: Layout) -> bool:
    """Whether the numbers are ones the line parser takes, and no document or rank is there twice."""
    from toprung.extras.frames import pl

    if frame.null_count().sum_horizontal()[0]:
        return False
    if layout is Layout.MSMARCO:
        is_fine = frame.select(pl.col("rank").is_between(1, 2**31 - 1).all()).item()
        return is_fine and not seems_repeated(frame, "rank") and not seems_repeated(frame, "doc_id")
    is_fine = frame.select(
        pl.col("score").is_finite().all() & pl.col("rank").is_between(-(10**18) + 1, 10**18 - 1).all()
    ).item()
    return is_fine and not seems_repeated(frame, "doc_id")

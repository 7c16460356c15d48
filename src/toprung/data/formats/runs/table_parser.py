"""Columns of a text run by Polars, where it can vouch for them: every line as the line parser would read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.formats.content import BYTE_ORDER_MARK, Content
from toprung.data.formats.runs.line_parser import LARGEST_RANK, Layout, ParsedRun
from toprung.data.run import seems_repeated

if TYPE_CHECKING:
    import polars as pl

TAKEN_FOR_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"x\x01", b"x^", b"x\x9c", b"x\xda")
"""Polars unpacks what begins like this, whatever it is: also a run whose first query is called x^2."""


def parse_table(content: Content, layout: Layout) -> pl.DataFrame | None:
    """The columns query_id, doc_id, rank, score, tag of a faultless text; None where Polars cannot vouch for it."""
    frame = parse_columns(content, layout)
    if frame is None or seems_repeated(frame, "doc_id"):
        return None
    return None if layout is Layout.MSMARCO and seems_repeated(frame, "rank") else frame


def parse_columns(content: Content, layout: Layout) -> pl.DataFrame | None:
    """The same, whatever stands in it twice."""
    data = bytes(content)
    # Polars would drop a byte-order mark, but here, behind that of the file, it is part of an id.
    has_doubled_returns = b"\r" in data and b"\r\r" in data  # one byte is found far faster than two
    if data.startswith(BYTE_ORDER_MARK) or has_doubled_returns or _has_a_very_long_line(data):
        return None
    frame = _read_csv(data, layout)
    if frame is None and _may_have_single_blanks(data):
        frame = _read_csv(_with_single_blanks(data), layout)
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


def _read_csv(data: bytes, layout: Layout) -> pl.DataFrame | None:
    from toprung.extras.frames import pl

    types = {"rank": pl.Int64(), "score": pl.Float64()}
    separator = "\t" if b"\t" in data else " "
    if data.startswith(TAKEN_FOR_PACKED):
        return None
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
    has_gaps = frame.null_count().sum_horizontal().item() > 0  # two separators with nothing between them
    if has_gaps or not _has_only_separators(data, frame.height, separator, len(layout.columns)):
        return None
    return frame.drop("Q0", strict=False)


def _has_only_separators(data: bytes, n_rows: int, separator: str, n_columns: int) -> bool:
    """Whether blanks, line ends and other bytes below 33 are exactly those of a regular table.

    Then no column holds a blank or control character, no line was skipped, and none has another number of
    columns: those would have been null.
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
    """Whether the numbers are ones the line parser takes."""
    from toprung.extras.frames import pl

    if layout is Layout.MSMARCO:
        return bool(frame.select(pl.col("rank").is_between(1, LARGEST_RANK).all()).item())
    is_rank = pl.col("rank").is_between(-(10**18) + 1, 10**18 - 1)
    return bool(frame.select(pl.col("score").is_finite().all() & is_rank.all()).item())

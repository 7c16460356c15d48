"""Where is a large run cut, so that several threads read it? Between two queries, into parts of much the same size."""

from __future__ import annotations

from collections.abc import Iterator

from toprung.data.formats.content import Content

LEAST_BYTES = 1 << 23
"""Of a part: to start a thread takes as long as to read some thousand lines."""
MOST_LINES = 100_000
"""That are looked at for the end of a query; a longer one is not cut."""


def cut(content: Content, n_parts: int) -> list[tuple[int, int]]:
    r"""Where at most so many parts begin and end.

    >>> cut(b"q1 Q0 a 1 1 t\n", 4)
    [(0, 14)]
    """
    size = len(content)
    n_parts = max(1, min(n_parts, size // LEAST_BYTES))
    ends = sorted({end_of_query(content, size * part // n_parts, MOST_LINES) for part in range(1, n_parts)} | {size})
    return list(zip([0, *ends], ends, strict=False))


def end_of_query(content: Content, position: int, most_lines: int) -> int:
    """The first place from ``position`` on where a line starts another query than the line before; else the end."""
    query: bytes | None = None
    for start, first_column in _first_columns(content, position, most_lines):
        if query is not None and first_column != query:
            return start
        query = first_column
    return len(content)


def _first_columns(content: Content, position: int, most_lines: int) -> Iterator[tuple[int, bytes]]:
    """The lines that begin behind the position: where, and their first column."""
    start, size = content.find(b"\n", position) + 1, len(content)
    for _ in range(most_lines):
        if not 0 < start < size:
            return
        end = content.find(b"\n", start)
        columns = bytes(content[start : end if end >= 0 else size]).split(maxsplit=1)
        yield start, columns[0] if columns else b""
        start = end + 1

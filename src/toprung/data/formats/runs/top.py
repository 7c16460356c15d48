"""Which documents does a run put first? Read from a text that was read and checked already for something else."""

from __future__ import annotations

from dataclasses import replace

from toprung.data.formats.runs import compiled, table_reader
from toprung.data.formats.runs.text import RunText
from toprung.data.run import Run

try:
    from toprung.data.formats import _top_lines
except ImportError:  # no compiler at install time: all lines are read
    _top_lines = None  # type: ignore[assignment]  # asked for first


def read_top(loaded: RunText | Run, depth: int) -> Run:
    """The first ``depth`` ranks of every query of a run without faults."""
    return (
        loaded.top(depth) if isinstance(loaded, Run) else table_reader.read_text(_shorten(loaded, depth), depth=depth)
    )


def _shorten(text: RunText, depth: int) -> RunText:
    """The text without lines that cannot be among the first; all of it where the compiled reader is not to be used."""
    if _top_lines is None or not compiled.has_scanner():
        return text
    lines = _top_lines.top_lines(text.content, len(text.layout.columns), depth)
    return replace(text, content=lines) if lines else text

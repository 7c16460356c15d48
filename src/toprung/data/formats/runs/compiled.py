"""Place labelled documents with the compiled scanner, where it was built.

Text and columns take the same way: no document twice in a query, the order of its rows, the look-up of what is wanted.
"""

from __future__ import annotations

import os
from collections.abc import Buffer, Iterable, Iterator
from typing import TYPE_CHECKING

from toprung.data.formats import problems
from toprung.data.formats.content import Content
from toprung.data.formats.problems import Problem
from toprung.data.formats.runs.line_parser import Layout, parse_line
from toprung.data.formats.runs.text import RunText
from toprung.data.placement import Placement, PlacementArrays
from toprung.data.qrels import Qrels

if TYPE_CHECKING:
    import polars as pl

try:
    from toprung.data.formats import _scan
except ImportError:  # no compiler at install time: table_reader.py does the same
    _scan = None  # type: ignore[assignment]  # has_scanner() is asked first

OK, BAD_LINE, DUPLICATE_DOCUMENT, DUPLICATE_RANK, INTERLEAVED = range(5)


def has_scanner() -> bool:
    """Whether the scanner was built and is not switched off (``TOPRUNG_SCANNER=off``)."""
    return _scan is not None and os.environ.get("TOPRUNG_SCANNER", "").lower() != "off"


def place_text(text: RunText, qrels: Qrels) -> Placement:
    """Where a run put the labelled documents; raises at its first faulty line."""
    content, layout = text.content, text.layout
    if not len(content):
        raise problems.empty_file().to_error(text.source)
    arrays = PlacementArrays.empty(qrels)
    outcome, rows, unknown, contradicting, line, earlier_line, offset = _scan.scan(
        content, len(layout.columns), text.float32_ties, *_wanted(qrels), *_places(arrays)
    )
    if outcome != OK:
        raise _problem(outcome, _line_at(content, offset), layout, line, earlier_line).to_error(text.source)
    return arrays.finish(text.name, qrels, n_rows=rows, n_unknown=unknown, n_contradicting=contradicting)


def place_pieces(
    pieces: Iterator[bytes], layout: Layout, qrels: Qrels, *, name: str, float32_ties: bool = False
) -> Placement | None:
    """The same of a text that is read piece by piece, each to the end of a line.

    None where a line is faulty, or the lines of a query are not together: then the text is to be read as a whole.
    """
    arrays = PlacementArrays.empty(qrels)
    outcome, rows, unknown, contradicting = _scan.scan_pieces(
        pieces, len(layout.columns), float32_ties, *_wanted(qrels), *_places(arrays)
    )
    if outcome != OK or not rows:
        return None
    return arrays.finish(name, qrels, n_rows=rows, n_unknown=unknown, n_contradicting=contradicting)


def place_columns(
    batches: Iterable[pl.DataFrame], qrels: Qrels, *, name: str, float32_ties: bool = False, are_mixed: bool = False
) -> Placement | int:
    """Where a table put the labelled documents, or why the scanner refuses it: INTERLEAVED, or a fault of some row.

    Batches have the columns of ``to_run_columns``. Where the rows of a query are not together (``are_mixed``), there
    may be one batch only.
    """
    arrays = PlacementArrays.empty(qrels)
    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        return BAD_LINE
    by_rank = "score" not in first.columns
    streams = _streams_of(first, batches)
    outcome, rows, unknown = _scan.scan_columns(
        streams, by_rank, are_mixed, float32_ties, *_wanted(qrels), *_places(arrays)
    )
    if outcome != OK or not rows:
        return outcome or BAD_LINE
    return arrays.finish(name, qrels, n_rows=rows, n_unknown=unknown, n_contradicting=0)


def _streams_of(first: pl.DataFrame, others: Iterator[pl.DataFrame]) -> Iterator[tuple[object, ...]]:
    """The columns of each batch as streams of Arrow chunks, which are not copied."""
    yield tuple(column.__arrow_c_stream__() for column in first)
    del first
    for batch in others:
        yield tuple(column.__arrow_c_stream__() for column in batch)


def _wanted(qrels: Qrels) -> tuple[Buffer, ...]:
    queries, docs = qrels.packed_query_ids, qrels.packed_doc_ids
    return queries.data, queries.ends, docs.data, docs.ends, qrels.starts


def _places(arrays: PlacementArrays) -> tuple[Buffer, ...]:
    return arrays.rank, arrays.tie_first, arrays.tie_last, arrays.retrieved, arrays.rank_32_bit


def _line_at(content: Content, offset: int) -> bytes:
    end = content.find(b"\n", offset)
    return bytes(content[offset : end if end >= 0 else len(content)]).removesuffix(b"\r")


def _problem(outcome: int, line_text: bytes, layout: Layout, line: int, earlier_line: int) -> Problem:
    row = parse_line(line_text, line, layout)
    if isinstance(row, Problem):
        return row
    if outcome == DUPLICATE_DOCUMENT:
        return problems.duplicate_document(row.doc_id, row.query_id, line, earlier_line)
    if outcome == DUPLICATE_RANK:
        return problems.duplicate_rank(str(row.rank), row.query_id, line, earlier_line)
    raise AssertionError(f"the scanner refused line {line}, the reference parser does not: {line_text!r}")

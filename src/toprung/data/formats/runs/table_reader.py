"""Read text runs with Polars: whole into memory, or piece by piece to place labelled documents.

Used where the compiled scanner is not there. Polars parses; whatever it cannot vouch for goes to the line parser, which
either reads it or says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from toprung.data.formats.content import Content
from toprung.data.formats.runs.checked_lines import check_lines
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.formats.runs.parts import end_of_query
from toprung.data.formats.runs.table_parser import parse_table
from toprung.data.formats.runs.text import RunText
from toprung.data.ordered import order_rows
from toprung.data.place import fill_placement
from toprung.data.placement import Placement, PlacementArrays
from toprung.data.qrels import Qrels
from toprung.data.run import Run
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
    return _read_lines(text) if frame is None else frame


def _read_lines(text: RunText) -> pl.DataFrame:
    found = check_lines(text.content, text.layout, stop_at_first=True)
    if found.problems or found.frame is None:
        raise found.problems.earliest().to_error(text.source)
    return found.frame.drop("line")


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
        end = end_of_query(content, start + PIECE, size)
        yield bytes(content[start:end])
        if end >= size:
            return
        start = end

"""Read a whole text run into memory: by the compiled scanner, or by Polars where it is not there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.formats.arrow_arrays import ArrowArray
from toprung.data.formats.content import Content
from toprung.data.formats.runs import compiled, table_reader
from toprung.data.formats.runs.line_parser import LARGEST_RANK, Layout
from toprung.data.formats.runs.recognise import first_line_of
from toprung.data.formats.runs.text import RunText
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray


def read_text(text: RunText, *, depth: int | None = None) -> Run:
    """The whole run in memory, or its first ``depth`` ranks; raises at its first faulty line."""
    if not compiled.has_scanner():
        return table_reader.read_text(text, depth=depth)
    rows = compiled.read_rows(text, depth=LARGEST_RANK if depth is None else depth)
    return _to_run(rows, text.layout, text.content, name=text.name)


def read_and_place_text(text: RunText, qrels: Qrels, *, depth: int) -> tuple[Run, Placement]:
    """Its first ``depth`` ranks and where it put the labelled documents, in one pass if the scanner is there."""
    if compiled.has_scanner():
        rows = compiled.read_rows(text, depth=depth, qrels=qrels)
        if rows.placement is not None:
            return _to_run(rows, text.layout, text.content, name=text.name), rows.placement
    return table_reader.read_text(text, depth=depth), table_reader.place_text(text, qrels)


def read_and_place_pieces(
    pieces: Iterator[bytes], layout: Layout, qrels: Qrels, *, name: str, depth: int
) -> tuple[Run, Placement] | None:
    """The same of a text that comes in pieces, by the scanner; None where it has to be read as a whole."""
    first = next(pieces, b"")
    found = compiled.read_pieces(chain([first], pieces), layout, qrels, name=name, depth=depth)
    return None if found is None else (_to_run(found[0], layout, first, name=name), found[1])


def hash_and_place_pieces(
    pieces: Iterator[bytes], layout: Layout, qrels: Qrels, *, name: str, depth: int
) -> tuple[TopOfRun, Placement] | None:
    """The same for runs that are only compared."""
    found = compiled.hash_pieces(pieces, layout, qrels, name=name, depth=depth)
    if found is None:
        return None
    rows, placed = found
    return TopOfRun.of_rows(rows.hashes, rows.starts, rows.query_ids, depth), placed


def _to_run(rows: compiled.ReadRows, layout: Layout, beginning: Content, *, name: str) -> Run:
    is_trec = layout is Layout.TREC
    return Run(
        name=name,
        query_ids=rows.query_ids,
        starts=rows.starts,
        doc_ids=_to_series(rows.doc_starts, rows.docs),
        ranks=rows.ranks,
        scores=rows.scores if is_trec else None,
        tag=first_line_of(beginning).split()[-1].decode() if is_trec else "",
        n_contradicting_queries=rows.n_contradicting,
    )


def _to_series(starts: NDArray[np.int64], data: NDArray[np.uint8]) -> pl.Series:
    from toprung.extras.frames import pl

    return pl.Series(ArrowArray(compiled.pack_texts(starts, data)))

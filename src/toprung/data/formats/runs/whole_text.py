"""Read a whole text run into memory: by the compiled scanner, or by Polars where it is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.formats.arrow_arrays import ArrowArray
from toprung.data.formats.runs import compiled, table_reader
from toprung.data.formats.runs.line_parser import LARGEST_RANK, Layout
from toprung.data.formats.runs.recognise import first_line_of
from toprung.data.formats.runs.text import RunText
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
    return _to_run(text, compiled.read_rows(text, depth=LARGEST_RANK if depth is None else depth))


def read_and_place_text(text: RunText, qrels: Qrels, *, depth: int) -> tuple[Run, Placement]:
    """Its first ``depth`` ranks and where it put the labelled documents, in one pass if the scanner is there."""
    if compiled.has_scanner():
        rows = compiled.read_rows(text, depth=depth, qrels=qrels)
        if rows.placement is not None:
            return _to_run(text, rows), rows.placement
    return table_reader.read_text(text, depth=depth), table_reader.place_text(text, qrels)


def _to_run(text: RunText, rows: compiled.ReadRows) -> Run:
    ids = (text.content[start:end].decode() for start, end in rows.query_spans.tolist())
    is_trec = text.layout is Layout.TREC
    return Run(
        name=text.name,
        query_ids=tuple(ids),
        starts=rows.starts,
        doc_ids=_to_series(rows.doc_starts, rows.docs),
        ranks=rows.ranks,
        scores=rows.scores if is_trec else None,
        tag=first_line_of(text.content).split()[-1].decode() if is_trec else "",
        n_contradicting_queries=rows.n_contradicting,
    )


def _to_series(starts: NDArray[np.int64], data: NDArray[np.uint8]) -> pl.Series:
    from toprung.extras.frames import pl

    return pl.Series(ArrowArray(compiled.pack_texts(starts, data)))

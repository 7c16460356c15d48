"""Place labelled documents with the compiled scanner, where it was built.

Text and columns take the same way: no document twice in a query, the order of its rows, the look-up of what is wanted.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Buffer, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from toprung.arrays import np
from toprung.data.formats import problems
from toprung.data.formats.content import Content
from toprung.data.formats.problems import Problem
from toprung.data.formats.runs.line_parser import Layout, parse_line
from toprung.data.formats.runs.parts import cut
from toprung.data.formats.runs.text import RunText
from toprung.data.packed import PackedTexts
from toprung.data.placement import Placement, PlacementArrays
from toprung.data.qrels import Qrels
from toprung.errors import FormatError
from toprung.records import record
from toprung.workers import THREADING, Workers

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from toprung.data.formats.parquet.columns import Batch
    from toprung.data.formats.runs.stored_index import StoredIndex
    from toprung.data.formats.runs.stored_place import WantedHashes

try:
    from toprung.data.formats import _scan
except ImportError:  # no compiler at install time: table_reader.py does the same
    _scan = None  # type: ignore[assignment]  # has_scanner() is asked first

OK, BAD_LINE, DUPLICATE_DOCUMENT, DUPLICATE_RANK, INTERLEAVED = range(5)


def has_scanner() -> bool:
    """Whether the scanner was built and is not switched off (``TOPRUNG_SCANNER=off``)."""
    return _scan is not None and os.environ.get("TOPRUNG_SCANNER", "").lower() != "off"


def place_text(text: RunText, qrels: Qrels, *, threads: int = 1) -> Placement:
    """Where a run put the labelled documents; raises at its first faulty line."""
    content = text.content
    if not len(content):
        raise problems.empty_file().to_error(text.source)
    placed = place_parts(text, qrels, threads) if threads > 1 else None
    if placed is not None:
        return placed
    arrays = PlacementArrays.empty(qrels)
    outcome, rows, unknown, contradicting, *where = _scan.scan(
        content, len(text.layout.columns), text.float32_ties, *_wanted(qrels), *_places(arrays)
    )
    if outcome != OK:
        raise _refusal(text, outcome, *where)
    return arrays.finish(text.name, qrels, n_rows=rows, n_unknown=unknown, n_contradicting=contradicting)


def place_parts(text: RunText, qrels: Qrels, threads: int) -> Placement | None:
    """The same by several threads, each with some of the queries; None where it has to be read as a whole.

    All write into the same arrays, each where its own queries have their places. Where two turn out to share a query,
    or a line is refused, what was written is thrown away: every message comes from the reading that knows all lines.
    """
    parts = cut(text.content, threads)
    if len(parts) == 1:
        return None
    arrays, whole = PlacementArrays.empty(qrels), memoryview(text.content)

    def scan(part: tuple[int, int]) -> tuple[int, int, int, int, bytes]:
        columns = len(text.layout.columns)
        with whole[part[0] : part[1]] as data:
            return _scan.scan_part(data, columns, text.float32_ties, *_wanted(qrels), *_places(arrays))

    with whole:
        found = Workers(count=len(parts), backend=THREADING).map(scan, parts)
    outcomes, rows, unknown, contradicting, hashes = zip(*found, strict=True)
    if any(outcomes) or _share_one(hashes):
        return None
    counts = {"n_rows": sum(rows), "n_unknown": sum(unknown), "n_contradicting": sum(contradicting)}
    return arrays.finish(text.name, qrels, **counts)


def _share_one(hashes: Iterable[bytes]) -> bool:
    """Whether any number of 64 bits stands in two of these."""
    each = [set(memoryview(numbers).cast("Q")) for numbers in hashes]
    return len(set().union(*each)) < sum(map(len, each))


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


def note_queries(content: Content, layout: Layout) -> NDArray[np.int64] | None:
    """Seven numbers of each query, as ``query_facts`` reads them; None where any line is refused."""
    outcome, notes = _scan.note_queries(content, len(layout.columns))
    return np.frombuffer(notes, dtype=np.int64).reshape(-1, 7) if outcome == OK else None


@record(eq=False)
class ReadRows:
    """The rows of a run in ranking order; document ``i`` lies between ``doc_starts[i]`` and ``doc_starts[i + 1]``."""

    scores: NDArray[np.float64]
    ranks: NDArray[np.int32]
    doc_starts: NDArray[np.int64]
    docs: NDArray[np.uint8]
    starts: NDArray[np.int64]
    query_ids: tuple[str, ...]
    n_contradicting: int
    placement: Placement | None
    """Of all its rows, where labels were given."""


def read_rows(text: RunText, *, depth: int, qrels: Qrels | None = None) -> ReadRows:
    """All rows down to this rank; raises at the first faulty line. With labels the same pass places their documents."""
    content = text.content
    if not len(content):
        raise problems.empty_file().to_error(text.source)
    n = _scan.count_lines(content)
    scores, ranks, doc_starts = _room(n, np.float64), _room(n, np.int32), _room(n + 1, np.int64)
    docs, starts, spans = _room(len(content), np.uint8), _room(n + 1, np.int64), _room(2 * n, np.int64)
    arrays = None if qrels is None else PlacementArrays.empty(qrels)
    wanted = () if qrels is None or arrays is None else (*_wanted(qrels), *_places(arrays))
    outcome, rows, queries, doc_bytes, n_rows, unknown, contradicting, *where = _scan.read(
        content, len(text.layout.columns), depth, scores, ranks, doc_starts, docs, starts, spans, *wanted
    )
    if outcome != OK:
        raise _refusal(text, outcome, *where)
    placed = None
    if qrels is not None and arrays is not None:
        placed = arrays.finish(text.name, qrels, n_rows=n_rows, n_unknown=unknown, n_contradicting=contradicting)
    by_row = scores[:rows], ranks[:rows], doc_starts[: rows + 1], docs[:doc_bytes]
    return ReadRows(
        *by_row, starts[: queries + 1].copy(), _texts_in(content, spans[: 2 * queries]), contradicting, placed
    )


def read_pieces(
    pieces: Iterator[bytes], layout: Layout, qrels: Qrels, *, name: str, depth: int
) -> tuple[ReadRows, Placement] | None:
    """The same of a text that is read piece by piece, with the places of labelled documents; None as `place_pieces`."""
    arrays = PlacementArrays.empty(qrels)
    outcome, n_rows, unknown, contradicting, kept, starts, spans, query_text = _scan.read_pieces(
        pieces, len(layout.columns), depth, *_wanted(qrels), *_places(arrays)
    )
    if outcome != OK or not n_rows:
        return None
    placed = arrays.finish(name, qrels, n_rows=n_rows, n_unknown=unknown, n_contradicting=contradicting)
    scores, ranks, doc_starts, docs = kept
    by_row = np.frombuffer(scores), np.frombuffer(ranks, np.int32), np.frombuffer(doc_starts, np.int64)
    by_query = np.frombuffer(starts, np.int64), _same_ids(query_text, spans)
    return ReadRows(*by_row, np.frombuffer(docs, np.uint8), *by_query, contradicting, placed), placed


@record(eq=False)
class HashedRows:
    """The rows of a run in ranking order: 64 bits for each document, as `hash_packed` gives them, and no more."""

    hashes: NDArray[np.uint64]
    starts: NDArray[np.int64]
    query_ids: tuple[str, ...]


def hash_pieces(
    pieces: Iterator[bytes], layout: Layout, qrels: Qrels, *, name: str, depth: int
) -> tuple[HashedRows, Placement] | None:
    """As `read_pieces`, without the texts of documents."""
    arrays = PlacementArrays.empty(qrels)
    outcome, n_rows, unknown, contradicting, kept, starts, spans, query_text = _scan.hash_pieces(
        pieces, len(layout.columns), depth, *_wanted(qrels), *_places(arrays)
    )
    if outcome != OK or not n_rows:
        return None
    placed = arrays.finish(name, qrels, n_rows=n_rows, n_unknown=unknown, n_contradicting=contradicting)
    (hashes,) = kept
    by_query = np.frombuffer(starts, np.int64), _same_ids(query_text, spans)
    return HashedRows(np.frombuffer(hashes, np.uint64), *by_query), placed


@lru_cache(maxsize=2)
def _same_ids(text: bytes, spans: bytes) -> tuple[str, ...]:
    """The ids of queries, which one run after the other has: the same texts each time."""
    return _texts_in(text, np.frombuffer(spans, np.int64))


def _texts_in(text: Content, spans: NDArray[np.int64]) -> tuple[str, ...]:
    """Each from where it begins to where it ends."""
    return tuple(text[start:end].decode() for start, end in spans.reshape(-1, 2).tolist())


def _room[D: np.generic](n: int, dtype: type[D]) -> NDArray[D]:
    """Room for n numbers, of which few may be needed: memory is taken only where it is written to.

    NumPy's own asks for huge pages, and clearing those took three times as long as reading on some machines.
    """
    size = max(1, n) * np.dtype(dtype).itemsize
    is_unix = hasattr(mmap, "MAP_ANONYMOUS")
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) if is_unix else mmap.mmap(-1, size)
    return np.frombuffer(memory, dtype=dtype, count=n)


def pack_texts(starts: NDArray[np.int64], data: NDArray[np.uint8]) -> tuple[object, object]:
    """Texts as an Arrow array, for Polars."""
    return _scan.texts(starts, data)


def place_columns(
    batches: Iterable[pl.DataFrame], qrels: Qrels, *, name: str, float32_ties: bool = False, are_mixed: bool = False
) -> Placement | int:
    """Where a table put the labelled documents, or why the scanner refuses it: INTERLEAVED, or a fault of some row.

    Batches have the columns of ``to_run_columns``. Where the rows of a query are not together (``are_mixed``), there
    may be one batch only.
    """
    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        return BAD_LINE
    by_rank, streams = "score" not in first.columns, _streams_of(first, batches)
    return _place_streams(streams, qrels, name, by_rank=by_rank, float32_ties=float32_ties, are_mixed=are_mixed)


def place_pages(
    batches: Iterable[Batch],
    qrels: Qrels,
    *,
    name: str,
    by_rank: bool,
    float32_ties: bool = False,
    are_mixed: bool = False,
) -> Placement | int:
    """The same for the pages of a Parquet file."""
    streams = (tuple(tuple(page.to_tuple() for page in column) for column in batch) for batch in batches)
    return _place_streams(streams, qrels, name, by_rank=by_rank, float32_ties=float32_ties, are_mixed=are_mixed)


def _place_streams(
    streams: Iterator[tuple[object, ...]],
    qrels: Qrels,
    name: str,
    *,
    by_rank: bool,
    float32_ties: bool,
    are_mixed: bool,
) -> Placement | int:
    arrays = PlacementArrays.empty(qrels)
    outcome, rows, unknown = _scan.scan_columns(
        streams, by_rank, are_mixed, float32_ties, *_wanted(qrels), *_places(arrays)
    )
    if outcome != OK or not rows:
        return outcome or BAD_LINE
    return arrays.finish(name, qrels, n_rows=rows, n_unknown=unknown, n_contradicting=0)


def place_dict(
    run: dict[str, dict[str, float]], qrels: Qrels, *, name: str, float32_ties: bool = False
) -> Placement | None:
    """Where a dict of dicts put the labelled documents; None where anything in it is not a text or a finite float."""
    arrays = PlacementArrays.empty(qrels)
    outcome, rows, unknown = _scan.scan_dict(run, float32_ties, *_wanted(qrels), *_places(arrays))
    if outcome != OK or not rows:
        return None
    return arrays.finish(name, qrels, n_rows=rows, n_unknown=unknown, n_contradicting=0)


def hash_series(texts: pl.Series) -> NDArray[np.uint64]:
    """64 bits for each text, the same for ever: they are written to files."""
    hashes = _room(len(texts), np.uint64)
    _scan.hash_column(texts.__arrow_c_stream__(), hashes)
    return hashes


def hash_packed(texts: PackedTexts) -> NDArray[np.uint64]:
    """The same for packed texts."""
    hashes = np.empty(len(texts.ends), dtype=np.uint64)
    _scan.hash_packed(texts.data, texts.ends, hashes)
    return hashes


def place_stored(index: StoredIndex, wanted: WantedHashes, query: NDArray[np.int64], arrays: PlacementArrays) -> None:
    """Write down where a stored run put the wanted documents; ``query``: which of the labels each of its queries is."""
    _scan.place_stored(
        *(index.hashes, index.starts, index.is_tied, index.ranks),
        *(query, wanted.hashes, wanted.rows, wanted.starts),
        *(arrays.rank, arrays.tie_first, arrays.tie_last, arrays.retrieved),
    )


def _streams_of(first: pl.DataFrame, others: Iterator[pl.DataFrame]) -> Iterator[tuple[object, ...]]:
    """The columns of each batch as streams of Arrow chunks, which are not copied."""
    yield tuple(column.__arrow_c_stream__() for column in first)
    del first
    for batch in others:
        yield tuple(column.__arrow_c_stream__() for column in batch)


def _wanted(qrels: Qrels) -> tuple[Buffer, ...]:
    queries, docs = qrels.packed_query_ids, qrels.packed_doc_ids
    return queries.data, queries.ends, docs.data, docs.ends, qrels.starts_buffer


def _places(arrays: PlacementArrays) -> tuple[Buffer, ...]:
    return arrays.rank, arrays.tie_first, arrays.tie_last, arrays.retrieved, arrays.rank_32_bit


def _refusal(text: RunText, outcome: int, line: int, earlier_line: int, offset: int) -> FormatError:
    return _problem(outcome, _line_at(text.content, offset), text.layout, line, earlier_line).to_error(text.source)


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

"""What is there to say of each query of a run that can be read? Counted by the scanner, or from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toprung.arrays import np
from toprung.data.formats.content import Content
from toprung.data.formats.runs import compiled
from toprung.data.formats.runs.line_parser import Layout
from toprung.data.ordered import OrderedRows
from toprung.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    type Counts = NDArray[np.int64]


@record(eq=False)
class QueryFacts:
    """By query, in the order of the file."""

    names: list[str]
    first_line: Counts | None
    """None where there are no lines."""
    n_docs: Counts
    n_tied: Counts
    """Documents that share their score with another."""
    contradicts: NDArray[np.bool_]
    """Whether its rank column contradicts its scores."""
    last_rank: Counts | None
    """Where the rank column decides."""


def facts_of_text(content: Content, layout: Layout) -> QueryFacts | None:
    """In one pass by the scanner; None where it is not there, finds a fault, or finds nothing."""
    notes = compiled.note_queries(content, layout) if compiled.has_scanner() else None
    if notes is None or not len(notes):
        return None
    begin, end, first_line, n_docs, n_tied, highest_rank, contradicts = notes.T
    return QueryFacts(
        [bytes(content[at:to]).decode() for at, to in zip(begin.tolist(), end.tolist(), strict=True)],
        first_line,
        n_docs,
        n_tied,
        contradicts.astype(np.bool_),
        None if layout is Layout.TREC else highest_rank,
    )


def facts_of_rows(rows: OrderedRows, lines: Counts | None) -> QueryFacts:
    """From the rows themselves, and the line of each."""
    starts, n_docs = rows.starts[:-1], np.diff(rows.starts)
    contradicts = np.zeros(len(n_docs), dtype=np.bool_)
    contradicts[rows.contradicting_queries()] = True
    return QueryFacts(
        rows.query_ids.to_list(),
        None if lines is None else np.minimum.reduceat(lines, starts),
        n_docs,
        _count_tied(rows),
        contradicts,
        None if rows.scores is not None else np.maximum.reduceat(rows.ranks, starts).astype(np.int64),
    )


def join_facts(parts: Sequence[QueryFacts]) -> QueryFacts:
    """Of queries that were told of apart."""

    def joined(name: str) -> Any:
        arrays = [getattr(each, name) for each in parts]
        return None if arrays[0] is None else np.concatenate(arrays)

    arrays = ("first_line", "n_docs", "n_tied", "contradicts", "last_rank")
    return QueryFacts([name for each in parts for name in each.names], *map(joined, arrays))


def _count_tied(rows: OrderedRows) -> Counts:
    groups = rows.tie_groups()
    sizes = np.diff(groups)
    query_of_group = np.searchsorted(rows.starts, groups[:-1], side="right") - 1
    tied = np.bincount(query_of_group, weights=np.where(sizes > 1, sizes, 0), minlength=len(rows.starts) - 1)
    return tied.astype(np.int64)

"""What is there to say of each query of a text with faults? Told query by query, so that few rows are held at a time.

Lines of a query usually stand together: a piece of the text is read, and the queries that end in it are done with.
Where a query comes back, all rows are gathered first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from toprung.data.formats.content import Content
from toprung.data.formats.problems import ProblemLog
from toprung.data.formats.runs.checked_lines import check_lines, read_pieces, without_repeats
from toprung.data.formats.runs.line_parser import Layout

if TYPE_CHECKING:
    import polars as pl


class QueriesMixedError(Exception):
    """A query comes back after another."""


def check_queries[T](content: Content, layout: Layout, tell: Callable[[pl.DataFrame], T]) -> tuple[list[T], ProblemLog]:
    """What is told of the good rows, some whole queries at a time; and the problems of the others."""
    log = ProblemLog()
    try:
        told = [tell(without_repeats(frame, layout, log)) for frame in whole_queries(read_pieces(content, layout, log))]
    except QueriesMixedError:
        checked = check_lines(content, layout)
        return [] if checked.frame is None or not checked.frame.height else [tell(checked.frame)], checked.problems
    log.sort()
    return told, log


def whole_queries(pieces: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows, cut between two queries; each waits for the next, in which it may go on."""
    from toprung.extras.frames import pl

    held, seen = None, set[str]()
    for piece in pieces:
        rows = piece if held is None else pl.concat([held, piece])
        if not rows.height:
            continue
        last = rows["query_id"].rle().struct.unnest()
        *ended, _ = last["value"].to_list()
        _note_ended(ended, seen)
        n_last = last["len"][-1]
        held = rows.tail(n_last)
        if ended:
            yield rows.head(rows.height - n_last)
    if held is not None:
        _note_ended([held["query_id"][0]], seen)
        yield held


def _note_ended(query_ids: list[str], seen: set[str]) -> None:
    n_before = len(seen)
    seen.update(query_ids)
    if len(seen) < n_before + len(query_ids):
        raise QueriesMixedError

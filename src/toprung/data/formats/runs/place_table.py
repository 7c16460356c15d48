"""Where did a table put the labelled documents? A Parquet file, a frame, a dict, by the scanner where it is there.

What the scanner refuses is read again as a whole, which says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits
from toprung.data.formats.parquet.table import ParquetTable, open_table
from toprung.data.formats.runs import compiled
from toprung.data.formats.runs.parquet import read_parquet_batches, read_parquet_whole, read_table_columns
from toprung.data.frames import to_run_columns
from toprung.data.place import place_run
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run

if TYPE_CHECKING:
    import polars as pl


def place_parquet(
    content: Content,
    qrels: Qrels,
    *,
    name: str,
    source: str,
    float32_ties: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Placement:
    """Where the run in a Parquet file put the labelled documents, without holding more than a batch of it."""
    table = open_table(content, source=source, limits=limits)
    if compiled.has_scanner():
        placed = _scan_pages(table, qrels, name, float32_ties)
        if isinstance(placed, Placement):
            return placed
    run = Run.from_checked_frame(read_table_columns(table), name=name, source=source)
    return place_run(run, qrels, float32_ties=float32_ties)


def _scan_pages(table: ParquetTable, qrels: Qrels, name: str, float32_ties: bool) -> Placement | int:
    """What the scanner makes of it, page by page; or of the whole, where the rows of a query are not together."""
    from toprung.data.formats.parquet.pages import MissingValueError

    batches, by_rank = read_parquet_batches(table)
    place = partial(compiled.place_pages, name=name, by_rank=by_rank, float32_ties=float32_ties)
    try:
        placed = place(batches, qrels)
    except MissingValueError:  # told of the whole
        return compiled.BAD_LINE
    return place([read_parquet_whole(table)], qrels, are_mixed=True) if placed == compiled.INTERLEAVED else placed


def place_frame(frame: pl.DataFrame, qrels: Qrels, *, name: str, float32_ties: bool = False) -> Placement:
    """Where a run that was given as a frame put the labelled documents."""
    columns = to_run_columns(frame, source=name)
    if compiled.has_scanner():
        place = partial(compiled.place_columns, [columns], qrels, name=name, float32_ties=float32_ties)
        placed = place()
        placed = place(are_mixed=True) if placed == compiled.INTERLEAVED else placed
        if isinstance(placed, Placement):
            return placed
    return place_run(Run.from_checked_frame(columns, name=name, source=name), qrels, float32_ties=float32_ties)


def place_dict(run: Mapping[str, Mapping[str, float]], qrels: Qrels, *, name: str, float32_ties: bool) -> Placement:
    """Where a run that was given as ``{query_id: {doc_id: score}}`` put the labelled documents."""
    if compiled.has_scanner() and isinstance(run, dict):
        placed = compiled.place_dict(run, qrels, name=name, float32_ties=float32_ties)
        if placed is not None:
            return placed
    return place_held(Run.from_dict(run, name=name), qrels, float32_ties=float32_ties)


def place_held(run: Run, qrels: Qrels, *, float32_ties: bool = False) -> Placement:
    """Where a run held in memory put the labelled documents."""
    if compiled.has_scanner():
        columns = to_run_columns(run.to_frame(), source=run.name)
        placed = compiled.place_columns([columns], qrels, name=run.name, float32_ties=float32_ties)
        if isinstance(placed, Placement):
            return replace(placed, n_contradicting_queries=run.n_contradicting_queries)
    return place_run(run, qrels, float32_ties=float32_ties)

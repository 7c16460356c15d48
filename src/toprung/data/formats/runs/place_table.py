"""Where did a table put the labelled documents? A Parquet file, a frame, a dict, by the scanner where it is there.

What the scanner refuses is read again as a whole, which says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits
from toprung.data.formats.runs import compiled
from toprung.data.formats.runs.parquet import read_parquet_batches, read_parquet_columns
from toprung.data.frames import to_run_columns
from toprung.data.place import place_run
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError

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
    data = bytes(content)  # copied once, and not for each batch
    batches = read_parquet_batches(data, source=source, limits=limits)
    return _place(
        batches,
        lambda: read_parquet_columns(data, source=source, limits=limits),
        qrels,
        name=name,
        source=source,
        float32_ties=float32_ties,
    )


def place_frame(frame: pl.DataFrame, qrels: Qrels, *, name: str, float32_ties: bool = False) -> Placement:
    """Where a run that was given as a frame put the labelled documents."""
    columns = to_run_columns(frame, source=name)
    return _place([columns], lambda: columns, qrels, name=name, source=name, float32_ties=float32_ties)


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


def _place(
    batches: Iterable[pl.DataFrame],
    whole: Callable[[], pl.DataFrame],
    qrels: Qrels,
    *,
    name: str,
    source: str,
    float32_ties: bool,
) -> Placement:
    if compiled.has_scanner():
        placed = _scan_batches(batches, qrels, name, float32_ties)
        if placed == compiled.INTERLEAVED:
            placed = compiled.place_columns([whole()], qrels, name=name, float32_ties=float32_ties, are_mixed=True)
        if isinstance(placed, Placement):
            return placed
    run = Run.from_checked_frame(whole(), name=name, source=source)
    return place_run(run, qrels, float32_ties=float32_ties)


def _scan_batches(batches: Iterable[pl.DataFrame], qrels: Qrels, name: str, float32_ties: bool) -> Placement | int:
    try:
        return compiled.place_columns(batches, qrels, name=name, float32_ties=float32_ties)
    except FormatError:  # a fault of this batch, which says less than one of the whole
        return compiled.BAD_LINE

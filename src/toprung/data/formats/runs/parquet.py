"""Runs and labels in Parquet: what a board stores, since re-scoring must not parse text again.

A run that is written here has its rows in ranking order, says of each whether it ties with the row above, and is
stamped. Whoever wrote it need not check and order it again, nor read its scores: see ``read_stored_rows``.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits, check_ratio, check_size
from toprung.data.frames import run_column_names, to_qrels_columns, to_run_columns
from toprung.data.ordered import OrderedRows, query_starts
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.errors import FormatError

if TYPE_CHECKING:
    import polars as pl

BYTES_PER_ROW = 40
"""Two texts and a number take at least this much in memory."""
ROWS_PER_GROUP = 1 << 20
"""Most runs are one group, which need not be put together when it is read; ids pack badly in larger ones."""
ROWS_PER_BATCH = 1 << 19
"""Where only labelled documents are wanted: little enough for the memory, and whole parts of the groups."""
STAMP, STAMP_VALUE = "toprung", "run 1"
"""In the metadata of the file. Another layout gets another value, and is then read as any Parquet file is."""


def write_parquet_run(run: Run, target: Path) -> None:
    """The columns of ``run.to_frame()`` and, where there are scores, ``is_tied``: as good as the row above."""
    frame = run.to_frame()
    if run.scores is not None:
        is_tied = np.ones(len(run), dtype=bool)
        is_tied[run.to_ordered().tie_groups()[:-1]] = False
        frame = frame.with_columns(is_tied=is_tied)
    frame.write_parquet(target, compression="zstd", row_group_size=ROWS_PER_GROUP, metadata={STAMP: STAMP_VALUE})


def read_stored_rows(content: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> OrderedRows | None:
    """The rows of a run that ``write_parquet_run`` wrote, in ranking order; None of any other file.

    The stamp is believed and nothing is checked again: only for files that were written here. Scores are not read, for
    ``is_tied`` says all that placing documents asks of them.
    """
    content = bytes(content)  # copied once, and not for each look at it
    columns = _stored_columns(content, source)
    if columns is None:
        return None
    frame = _read(content, source, limits, [name for name in columns if name != "score"]).rechunk()
    ranks, is_tied = frame["rank"].to_numpy(), None
    if "is_tied" in columns:
        starts = np.append(np.flatnonzero(ranks == 1), len(ranks))
        is_tied = frame["is_tied"].to_numpy()
    else:
        starts = query_starts(frame)  # ranks that were written may begin anywhere
    query_ids = frame["query_id"].gather(starts[:-1])
    return OrderedRows(frame, query_ids, starts, ranks, scores=None, is_tied=is_tied)


def read_parquet_run(content: Content, *, name: str, source: str, limits: Limits = DEFAULT_LIMITS) -> Run:
    """A run with the columns query_id, doc_id and score or rank (or their names in other tools)."""
    frame = read_parquet_columns(content, source=source, limits=limits)
    return Run.from_checked_frame(frame, name=name, source=source)


def read_parquet_columns(content: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> pl.DataFrame:
    """The columns of a run as ``to_run_columns`` makes them, and no others."""
    data = bytes(content)
    return to_run_columns(_read(data, source, limits, _run_columns(data, source)), source=source)


def read_parquet_batches(
    data: bytes, *, source: str, limits: Limits = DEFAULT_LIMITS, rows_per_batch: int = 0
) -> Iterator[pl.DataFrame]:
    """The same, so many rows at a time; ``ROWS_PER_BATCH`` unless told."""
    from toprung.extras.frames import pl

    columns, rows_per_batch = _run_columns(data, source), rows_per_batch or ROWS_PER_BATCH
    n_rows = _check_rows(data, source, limits)
    for start in range(0, n_rows, rows_per_batch):
        try:
            batch = pl.scan_parquet(data).select(columns).slice(start, rows_per_batch).collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise _damaged(source, error) from error
        yield to_run_columns(batch, source=source)


def read_parquet_qrels(content: Content, *, source: str, limits: Limits = DEFAULT_LIMITS) -> Qrels:
    """Labels with the columns query_id, doc_id and grade (or their names in other tools)."""
    frame = to_qrels_columns(_read(content, source, limits), source=source)
    return Qrels.from_rows(frame.iter_rows(), source=source)


def _stored_columns(content: Content, source: str) -> list[str] | None:
    """The columns of a file with the stamp and the layout that ``write_parquet_run`` writes; None of any other."""
    from toprung.extras.frames import pl

    ranked = {"query_id": pl.String(), "doc_id": pl.String(), "rank": pl.Int32()}
    scored = ranked | {"score": pl.Float64(), "is_tied": pl.Boolean()}
    file = io.BytesIO(content)
    try:
        is_stamped = pl.read_parquet_metadata(file).get(STAMP) == STAMP_VALUE
        schema = dict(pl.read_parquet_schema(file)) if is_stamped else {}
        return list(schema) if schema in (ranked, scored) else None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _damaged(source, error) from error


def _run_columns(data: bytes, source: str) -> list[str]:
    """What the columns of a run are called in this file; refuses one that lacks any."""
    from toprung.extras.frames import pl

    try:
        schema = pl.read_parquet_schema(data)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _damaged(source, error) from error
    return run_column_names(pl.DataFrame(schema=schema), source=source)


def _check_rows(data: bytes, source: str, limits: Limits) -> int:
    """How many rows there are; refuses more than the limits allow."""
    from toprung.extras.frames import pl

    try:
        n_rows = int(pl.scan_parquet(data).select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:  # damage can make Polars panic
        raise _damaged(source, error) from error
    check_size(source, BYTES_PER_ROW * n_rows, limits)
    check_ratio(source, BYTES_PER_ROW * n_rows, len(data), limits)
    return n_rows


def _read(content: Content, source: str, limits: Limits, columns: list[str] | None = None) -> pl.DataFrame:
    """All columns, or those of these names."""
    from toprung.extras.frames import pl

    data = bytes(content)
    _check_rows(data, source, limits)
    try:
        return pl.read_parquet(data, columns=columns)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _damaged(source, error) from error


def _damaged(source: str, error: BaseException) -> FormatError:
    return FormatError(source=source, found=f"a file that cannot be read ({error})", expected="a complete Parquet file")

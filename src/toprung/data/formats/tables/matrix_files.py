"""Read a matrix of queries × runs from CSV, so that analyses work without run files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from toprung.data.formats.content import DEFAULT_LIMITS, Limits, read_content
from toprung.data.formats.runs.line_parser import SCORE
from toprung.data.formats.tables.csv_table import CsvTable, NumberedRow
from toprung.data.formats.tables.long_scores import (
    LongColumns,
    advise_on,
    count_query_columns,
    delimiter_of,
    pivot_scores,
    records_of,
    refuse_ids,
)
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.words.visible import quoted

SURE_DIGITS = 10
"""A rank of fewer digits surely fits."""
RANK = re.compile(r"0{0,20}[0-9]{1,10}")


def read_ranks(
    path: str | os.PathLike[str], *, cutoff: int | None = None, limits: Limits = DEFAULT_LIMITS
) -> FirstRanks:
    """Read first relevant ranks: a header of run names, a row per query, 0 where nothing was found.

    A first column called ``qid`` or ``query_id`` names the queries; without one they are numbered. Ranks
    beyond ``cutoff`` count as not found.
    """
    query_ids, runs, ranks = _read_table(path, _to_ranks, limits)
    if cutoff is not None:
        ranks = np.where(ranks <= cutoff, ranks, 0).astype(np.int32)
    return FirstRanks(query_ids=query_ids, runs=runs, values=ranks, cutoff=cutoff)


def read_scores(
    path: str | os.PathLike[str], *, measure: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> ScoreTable:
    """Read a measure's scores: a header of run names and a row per query, or a row per run and query.

    The second form has columns for the query, the run and the value, and one for the measure where there are several:
    ``measure`` says which. ``toprung evaluate --per-query`` writes so, as CSV and as JSON; tabs may part columns.
    """
    content, source = bytes(read_content(path, limits)), os.fspath(path)
    if content.lstrip()[:1] in (b"{", b"["):
        return pivot_scores(records_of(content, source), source=source, measure=measure)
    table, rows = CsvTable.begin(content, source, delimiter=delimiter_of(content))
    columns = LongColumns.find(table.header)
    if columns is not None:
        return pivot_scores(columns.pick(rows), source=source, measure=measure)
    query_ids, runs, scores = _read_wide(table, rows, _to_scores)
    scored = ScoreTable(query_ids=query_ids, runs=runs, values=scores, measure=measure or "score")
    refuse_ids(scored, source)
    return scored


def _read_table[T: np.generic](
    path: str | os.PathLike[str], convert: Callable[[tuple[str, ...], CsvTable, int], NDArray[T]], limits: Limits
) -> tuple[tuple[str, ...], tuple[str, ...], NDArray[T]]:
    return _read_wide(*CsvTable.begin(bytes(read_content(path, limits)), os.fspath(path)), convert)


def _read_wide[T: np.generic](
    table: CsvTable, rows: Iterator[NumberedRow], convert: Callable[[tuple[str, ...], CsvTable, int], NDArray[T]]
) -> tuple[tuple[str, ...], tuple[str, ...], NDArray[T]]:
    n_before = count_query_columns(table.header, table.source)
    runs = table.header[n_before:]
    query_ids: list[str] = []
    values: list[NDArray[T]] = []
    for number, (line, row) in enumerate(rows, start=1):
        query_ids.append(row[n_before - 1] if n_before else str(number))
        values.append(convert(row[n_before:], table, line))
    if not runs or not values:
        raise table.error(f"{len(runs)} runs and {len(values)} queries", "at least one of each")
    for what, names in (("query", query_ids), ("run", list(runs))):
        repeated = [name for name, count in Counter(names).items() if count > 1]
        if repeated:
            raise table.error(f"{what} '{repeated[0]}' twice", f"each {what} once")
    return tuple(query_ids), runs, np.stack(values)


def _to_ranks(row: tuple[str, ...], table: CsvTable, line: int) -> NDArray[np.int32]:
    if _has_only(row, b"0123456789") and max(map(len, row), default=0) < SURE_DIGITS and all(row):
        return np.fromiter(map(int, row), np.int32, len(row))
    return np.array([_to_rank(text, table, line) for text in row], dtype=np.int32)


def _to_scores(row: tuple[str, ...], table: CsvTable, line: int) -> NDArray[np.float64]:
    if _has_only(row, b"0123456789+-.eE"):  # then what Python takes for a number is what SCORE describes
        with suppress(ValueError):
            scores = np.fromiter(map(float, row), np.float64, len(row))
            if np.isfinite(scores).all():
                return scores
    return np.array([_to_score(text, table, line) for text in row], dtype=np.float64)


def _has_only(row: tuple[str, ...], letters: bytes) -> bool:
    """All cells of a row are asked at once; one by one they would take most of the reading."""
    return not "".join(row).encode().translate(None, letters)


def _to_rank(text: str, table: CsvTable, line: int) -> int:
    if RANK.fullmatch(text) and int(text) < 2**31:
        return int(text)
    raise table.error(f"rank {quoted(text)}", "a whole number from 1, or 0 for not found", line=line)


def _to_score(text: str, table: CsvTable, line: int) -> float:
    value = float(text) if SCORE.fullmatch(text) else float("nan")
    if not np.isfinite(value):
        raise table.error(f"score {quoted(text)}", "a finite number", line=line, advice=advise_on(text))
    return value

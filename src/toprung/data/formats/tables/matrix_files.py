"""Read a matrix of queries × runs from CSV, so that analyses work without run files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable

import numpy as np

from toprung.data.formats.content import DEFAULT_LIMITS, Limits
from toprung.data.formats.runs.line_parser import SCORE
from toprung.data.formats.tables.csv_table import CsvTable
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.words.visible import quoted

RANK = re.compile(r"0{0,20}[0-9]{1,10}")
QUERY_COLUMNS = {"qid", "query_id", "query", "topic", "topic_id", "q", ""}


def read_ranks(
    path: str | os.PathLike[str], *, cutoff: int | None = None, limits: Limits = DEFAULT_LIMITS
) -> FirstRanks:
    """Read first relevant ranks: a header of run names, a row per query, 0 where nothing was found.

    A first column called ``qid`` or ``query_id`` names the queries; without one they are numbered. Ranks
    beyond ``cutoff`` count as not found.
    """
    query_ids, runs, values = _read_table(path, _to_rank, limits)
    ranks = np.array(values, dtype=np.int32).reshape(len(query_ids), len(runs))
    if cutoff is not None:
        ranks = np.where(ranks <= cutoff, ranks, 0).astype(np.int32)
    return FirstRanks(query_ids=query_ids, runs=runs, values=ranks, cutoff=cutoff)


def read_scores(path: str | os.PathLike[str], *, measure: str = "score", limits: Limits = DEFAULT_LIMITS) -> ScoreTable:
    """Read a measure's scores: a header of run names, a row per query."""
    query_ids, runs, values = _read_table(path, _to_score, limits)
    scores = np.array(values, dtype=np.float64).reshape(len(query_ids), len(runs))
    return ScoreTable(query_ids=query_ids, runs=runs, values=scores, measure=measure)


def _read_table[T](
    path: str | os.PathLike[str], convert: Callable[[str, CsvTable, int], T], limits: Limits
) -> tuple[tuple[str, ...], tuple[str, ...], list[T]]:
    table = CsvTable.read(path, limits)
    has_query_column = table.header[0].lower() in QUERY_COLUMNS
    runs = table.header[has_query_column:]
    if not runs or not table.rows:
        raise table.error(f"{len(runs)} runs and {len(table.rows)} queries", "at least one of each")
    query_ids: list[str] = []
    values: list[T] = []
    for number, (line, row) in enumerate(table.rows, start=1):
        query_ids.append(row[0] if has_query_column else str(number))
        values.extend(convert(text, table, line) for text in row[has_query_column:])
    for what, names in (("query", query_ids), ("run", list(runs))):
        repeated = [name for name, count in Counter(names).items() if count > 1]
        if repeated:
            raise table.error(f"{what} '{repeated[0]}' twice", f"each {what} once")
    return tuple(query_ids), runs, values


def _to_rank(text: str, table: CsvTable, line: int) -> int:
    if RANK.fullmatch(text) and int(text) < 2**31:
        return int(text)
    raise table.error(f"rank {quoted(text)}", "a whole number from 1, or 0 for not found", line=line)


def _to_score(text: str, table: CsvTable, line: int) -> float:
    value = float(text) if SCORE.fullmatch(text) else float("nan")
    if not np.isfinite(value):
        raise table.error(f"score {quoted(text)}", "a finite number", line=line)
    return value

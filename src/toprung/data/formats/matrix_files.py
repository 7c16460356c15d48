"""Read a matrix of queries × runs from CSV, so that analyses work without run files."""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Callable

import numpy as np

from toprung.data.formats import problems
from toprung.data.formats.content import DEFAULT_LIMITS, Limits, read_content
from toprung.data.formats.line_parser import SCORE
from toprung.data.matrices import FirstRanks, ScoreTable
from toprung.errors import FormatError

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
    path: str | os.PathLike[str], convert: Callable[[str, str, int], T], limits: Limits
) -> tuple[tuple[str, ...], tuple[str, ...], list[T]]:
    source = os.fspath(path)
    header, *rows = _read_rows(source, limits)
    if not header:
        raise FormatError(source=source, line=1, found="a blank line", expected="a header of run names")
    has_query_column = header[0].strip().lower() in QUERY_COLUMNS
    runs = tuple(name.strip() for name in header[has_query_column:])
    if not runs or not rows:
        raise FormatError(
            source=source, found=f"{len(runs)} runs and {len(rows)} queries", expected="at least one of each"
        )
    query_ids: list[str] = []
    values: list[T] = []
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise FormatError(
                source=source,
                line=line,
                found=f"{len(row)} columns",
                expected=f"{len(header)} as in the header",
            )
        query_ids.append(row[0] if has_query_column else str(line - 1))
        values.extend(convert(text, source, line) for text in row[has_query_column:])
    for what, names in (("query", query_ids), ("run", list(runs))):
        repeated = [name for name, count in Counter(names).items() if count > 1]
        if repeated:
            raise FormatError(source=source, found=f"{what} '{repeated[0]}' twice", expected=f"each {what} once")
    return tuple(query_ids), runs, values


def _read_rows(source: str, limits: Limits) -> list[list[str]]:
    content = bytes(read_content(source, limits))
    if not content.strip():
        raise problems.empty_file().to_error(source)
    try:
        text = content.decode("utf-8")
        return list(csv.reader(io.StringIO(text), strict=True))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        position = error.start - content.rfind(b"\n", 0, error.start)
        raise problems.not_utf8(content[error.start], position, line).to_error(source) from None
    except csv.Error as error:
        raise FormatError(source=source, found=f"text that is not CSV ({error})", expected="a CSV table") from None


def _to_rank(text: str, source: str, line: int) -> int:
    if RANK.fullmatch(text.strip()) and int(text) < 2**31:
        return int(text)
    raise FormatError(
        source=source,
        line=line,
        found=f"rank {problems.quoted(text)}",
        expected="a whole number from 1, or 0 for not found",
    )


def _to_score(text: str, source: str, line: int) -> float:
    value = float(text) if SCORE.fullmatch(text.strip()) else float("nan")
    if not np.isfinite(value):
        raise FormatError(source=source, line=line, found=f"score {problems.quoted(text)}", expected="a finite number")
    return value

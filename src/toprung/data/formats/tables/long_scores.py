"""Scores with a row for each run, measure and query, as `evaluate --per-query`, ir_measures and PyTerrier give them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from toprung.data.formats.tables.csv_table import NumberedRow
from toprung.data.frames import is_frame
from toprung.data.matrices import ScoreTable
from toprung.errors import FormatError, InputError
from toprung.words.visible import quoted
from toprung.words.wording import list_names, say_count

QUERY = ("query_id", "qid", "query", "topic")
RUN = ("run", "name", "system", "run_id")
MEASURE = ("measure", "metric")
VALUE = ("value", "score")
MEANS = ("all", "amean")
"""What trec_eval and others call the query of a row that is the mean of all."""
ESCAPED = re.compile(r"'(?=[=+\-@\t\r])")
"""An apostrophe that `write_rows` puts before a name that a spreadsheet would run."""
ONE_RUN = "run"
MOST_NAMED = 3


class LongRow(NamedTuple):
    """One score, and the line or record it stands on."""

    number: int
    query_id: str
    run: str
    measure: str | None
    value: object


class LongColumns(NamedTuple):
    """Where the columns stand."""

    query: int
    run: int | None
    measure: int | None
    value: int

    @classmethod
    def find(cls, header: Sequence[str]) -> Self | None:
        """None where the header is that of a matrix: runs as columns."""
        lowered = [str(name).lower() for name in header]
        query, run, measure, value = (
            next((lowered.index(name) for name in names if name in lowered), None)
            for names in (QUERY, RUN, MEASURE, VALUE)
        )
        if query is None or value is None or (run is None and measure is None):
            return None
        return cls(query=query, run=run, measure=measure, value=value)

    def pick(self, rows: Iterable[NumberedRow]) -> Iterator[LongRow]:
        """The scores among the cells of the rows."""
        for number, row in rows:
            texts = [ESCAPED.sub("", cell, count=1) if cell.startswith("'") else cell for cell in row]
            yield LongRow(
                number=number,
                query_id=texts[self.query],
                run=ONE_RUN if self.run is None else texts[self.run],
                measure=None if self.measure is None else texts[self.measure],
                value=row[self.value],
            )


def delimiter_of(content: bytes) -> str:
    """A tab where the first line has one and no comma."""
    first = content.lstrip().partition(b"\n")[0]
    return "\t" if b"\t" in first and b"," not in first else ","


def records_of(content: bytes, source: str) -> Iterator[LongRow]:
    """The scores of the JSON of an evaluation, of a list of objects, or of one object a line."""
    expected = "the JSON of `toprung evaluate --per-query`, or objects with a query_id, a run and a value"
    try:
        held = json.loads(content)
        records = held.get("per_query", [held]) if isinstance(held, dict) else held
        records = records if isinstance(records, list) else [records]
    except ValueError:
        try:
            records = [json.loads(line) for line in content.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            raise FormatError(source=source, found="text that is not JSON", expected=expected) from None
    except RecursionError:
        raise FormatError(source=source, found="JSON that is nested too deep", expected=expected) from None
    for number, record in enumerate(records, start=1):
        names = list(record) if isinstance(record, dict) else []
        columns = LongColumns.find(names)
        if columns is None:
            what = list_names([quoted(name) for name in names]) if names else quoted(str(record)[:60])
            raise FormatError(source=source, found=f"{what} in record {number}", expected=expected)
        cells = [str(cell) if type(cell) is int else cell for cell in record.values()]
        query_id, run = cells[columns.query], ONE_RUN if columns.run is None else cells[columns.run]
        measure = None if columns.measure is None else cells[columns.measure]
        if not (isinstance(query_id, str) and isinstance(run, str) and isinstance(measure, str | None)):
            raise FormatError(source=source, found=f"an id that is no text in record {number}", expected=expected)
        yield LongRow(number, query_id, run, measure, cells[columns.value])


def is_scores(given: object) -> bool:
    """Whether this may be scores: an array of two dimensions, a frame, or a dict of dicts of numbers."""
    if isinstance(given, np.ndarray):
        return given.ndim == 2
    if isinstance(given, Mapping):
        inner = next(iter(given.values()), None)
        return isinstance(inner, Mapping) and isinstance(next(iter(inner.values()), None), int | float | np.number)
    return is_frame(given)


def to_scores_given(given: Any, runs: Sequence[str] | None = None, *, measure: str | None = None) -> ScoreTable:
    """Scores that are held in memory: ``{run: {query: score}}``, a frame of either form, or an array with named runs.

    An array has queries as rows; runs without names are called run1, run2 and so on, and queries are numbered.

    >>> to_scores_given({"A": {"q1": 1.0, "q2": 0.5}, "B": {"q1": 0.0, "q2": 0.25}}, measure="RR").values.tolist()
    [[1.0, 0.0], [0.5, 0.25]]
    """
    if isinstance(given, Mapping):
        cells = ((str(query), str(run), value) for run, scores in given.items() for query, value in scores.items())
        return _pivot_given(cells, measure)
    if isinstance(given, np.ndarray):
        names = [f"run{place + 1}" for place in range(given.shape[1])] if runs is None else list(runs)
        return _pivot_wide([str(row + 1) for row in range(len(given))], names, given.tolist(), measure)
    header = [str(name) for name in given.columns]
    rows = list(given.itertuples(index=False, name=None) if hasattr(given, "itertuples") else given.iter_rows())
    columns = LongColumns.find(header)
    if columns is not None:
        told = (
            LongRow(
                number=number,
                query_id=str(row[columns.query]),
                run=ONE_RUN if columns.run is None else str(row[columns.run]),
                measure=None if columns.measure is None else str(row[columns.measure]),
                value=row[columns.value],
            )
            for number, row in enumerate(rows, start=1)
        )
        return pivot_scores(told, source="scores", measure=measure)
    if header and header[0].lower() in QUERY:
        return _pivot_wide([str(row[0]) for row in rows], header[1:], [row[1:] for row in rows], measure)
    numbers = range(1, len(rows) + 1)
    return _pivot_wide([str(name) for name in getattr(given, "index", numbers)], header, rows, measure)


def _pivot_wide(
    query_ids: Sequence[str], runs: Sequence[str], rows: Sequence[Sequence[Any]], measure: str | None
) -> ScoreTable:
    if any(len(row) != len(runs) for row in rows):
        raise InputError(f"Found {len(rows[0])} columns of scores and {len(runs)} names of runs; expected as many.")
    cells = (
        (query, run, cell)
        for query, row in zip(query_ids, rows, strict=True)
        for run, cell in zip(runs, row, strict=True)
    )
    return _pivot_given(cells, measure)


def _pivot_given(cells: Iterable[tuple[str, str, Any]], measure: str | None) -> ScoreTable:
    rows = (LongRow(number, query, run, None, value) for number, (query, run, value) in enumerate(cells, start=1))
    return pivot_scores(rows, source="scores as {run: {query: score}}", measure=measure)


def pivot_scores(rows: Iterable[LongRow], *, source: str, measure: str | None = None) -> ScoreTable:
    """The matrix of the scores of one measure, which must be named where there are several.

    Rows of means are left out, and it is said. A run lacks no query that another has.
    """
    kept, means = [], 0
    for row in rows:
        if row.query_id in MEANS:
            means += 1
        else:
            kept.append(row)
    chosen = _choose_measure(kept, source, measure)
    cells: dict[tuple[str, str], float] = {}
    for row in kept:
        if row.measure != chosen:
            continue
        key = (row.query_id, row.run)
        if key in cells:
            found = f"query {quoted(row.query_id)} of run {quoted(row.run)} twice"
            raise FormatError(source=source, line=row.number, found=found, expected="one score for each run and query")
        cells[key] = _to_number(row, source)
    queries, runs = (tuple(dict.fromkeys(key[place] for key in cells)) for place in (0, 1))
    _refuse_gaps(cells, queries, runs, source)
    values = np.array([[cells[query, run] for run in runs] for query in queries], dtype=np.float64)
    remarks = (f"Left out: {say_count(means, 'row')} of means over queries.",) if means else ()
    name = chosen or measure or "score"
    return ScoreTable(query_ids=queries, runs=runs, values=values, measure=name, remarks=remarks)


def _choose_measure(rows: Sequence[LongRow], source: str, measure: str | None) -> str | None:
    names = list(dict.fromkeys(row.measure for row in rows))
    if not names:
        raise FormatError(source=source, found="no scores of queries", expected="at least one")
    if None in names:
        return None
    known = [name for name in names if name is not None]
    wanted = known if measure is None else [name for name in known if name.casefold() == measure.casefold()]
    if len(wanted) == 1:
        return wanted[0]
    listed = list_names(known, most=len(known))
    if measure is None:
        advice = f"Say which by --measure or measure=, such as {known[0]}."
        raise FormatError(source=source, found=f"scores of {listed}", expected="one measure", advice=advice)
    raise FormatError(source=source, found=f"scores of {listed}", expected=f"{measure} among them")


def _to_number(row: LongRow, source: str) -> float:
    try:
        value = float(row.value)  # type: ignore[arg-type]  # what is no number is told below
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value) or "_" in str(row.value):
        found = f"score {quoted(str(row.value))}"
        raise FormatError(source=source, line=row.number, found=found, expected="a finite number")
    return value


def _refuse_gaps(cells: dict[tuple[str, str], Any], queries: Sequence[str], runs: Sequence[str], source: str) -> None:
    n_missing = len(queries) * len(runs) - len(cells)
    if n_missing:
        gaps = ((query, run) for query in queries for run in runs if (query, run) not in cells)
        named = [f"{quoted(query)} of {quoted(run)}" for (query, run), _ in zip(gaps, range(MOST_NAMED), strict=False)]
        more = f" and {n_missing - MOST_NAMED:,} more" if n_missing > MOST_NAMED else ""
        raise FormatError(
            source=source,
            found=f"no score for query {', '.join(named)}{more}",
            expected="one for each query of each run",
        )

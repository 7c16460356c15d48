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

NAMED = ("query_id", "qid", "query-id", "query", "topic", "topic_id", "q")
UNNAMED = ("", "unnamed: 0", "index")
"""What a first column without a name is called: by a spreadsheet, by pandas that reads one, by pandas itself."""
QUERY = (*NAMED, *UNNAMED)
"""The columns that name queries, in tables of either form and in frames."""
RUN = ("run", "name", "system", "run_id")
MEASURE = ("measure", "metric")
VALUE = ("value", "score")
MEANS = ("all", "amean")
"""What trec_eval and others call the query of a row that is the mean of all."""
ESCAPED = re.compile(r"'(?=[=+\-@\t\r])")
"""An apostrophe that `write_rows` puts before a name that a spreadsheet would run."""
ONE_RUN = "run"
RUNS_APART = "In a table with a row for each score, a column run or name tells runs apart."
SCORES = "scores"
"""What scores in memory are called in a message."""
MOST_NAMED = 3
FORMS = "Give a matrix of queries × runs, or columns query_id, run, measure, value."
LEAST_IDS = 3
"""Of fewer queries, whole numbers that differ may well be scores."""


class LongRow(NamedTuple):
    """One score, and the line or record it stands on."""

    number: int | None
    """None of scores in memory: these are told by their query and run."""
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
        lowered = [_plain(name) for name in header]
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


def _plain(name: object) -> str:
    return str(name).strip().lower()


def count_query_columns(header: Sequence[str], source: str) -> int:
    """How many columns of a matrix stand before its runs: the last of them names the queries.

    Two are row numbers without a name, and the queries.
    """
    names = [_plain(name) for name in header]
    count = 0
    if names and names[0] in QUERY:
        count = 2 if names[0] in UNNAMED and len(names) > 1 and names[1] in NAMED else 1
    for name, plain in zip(header[count:], names[count:], strict=True):
        if plain in NAMED:
            expected = "one column of queries, as the first"
            advice = "Put it first, leave it out, or give the run another name."
            found = f"column {quoted(str(name))} among the runs"
            raise FormatError(source=source, found=found, expected=expected, advice=advice)
    return count


def refuse_ids(table: ScoreTable, source: str) -> None:
    """Refuse a run whose scores are ids: whole numbers, each once, beside runs with scores from 0 to 1."""
    values = table.values
    lowest, highest = values.min(axis=0), values.max(axis=0)
    beyond = np.flatnonzero((lowest < 0) | (highest > 1))
    if len(table.query_ids) < LEAST_IDS or len(table.runs) < 2 or len(beyond) != 1:
        return
    ids = np.unique(values[:, beyond[0]])
    if len(ids) == len(table.query_ids) and (ids == np.round(ids)).all():
        name = quoted(table.runs[beyond[0]])
        raise FormatError(
            source=source,
            found=f"{ids[0]:.0f} to {ids[-1]:.0f} as scores of {name}, beside scores from 0 to 1",
            expected="scores of runs",
            advice="Call a column of query ids query_id, and put it first.",
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
    table = _read_given(given, runs, measure)
    refuse_ids(table, SCORES)
    return table


def _read_given(given: Any, runs: Sequence[str] | None, measure: str | None) -> ScoreTable:
    if isinstance(given, Mapping):
        cells = ((str(query), str(run), value) for run, scores in given.items() for query, value in scores.items())
        return _pivot_given(cells, measure, source=f"{SCORES} as {{run: {{query: score}}}}")
    if isinstance(given, np.ndarray):
        names = [f"run{place + 1}" for place in range(given.shape[1])] if runs is None else list(runs)
        return _pivot_wide([str(row + 1) for row in range(len(given))], names, given.tolist(), measure)
    given = _with_index_as_columns(given)
    header = [str(name) for name in given.columns]
    rows = list(given.itertuples(index=False, name=None) if hasattr(given, "itertuples") else given.iter_rows())
    columns = LongColumns.find(header)
    if columns is not None:
        told = (
            LongRow(
                number=None,
                query_id=str(row[columns.query]),
                run=ONE_RUN if columns.run is None else str(row[columns.run]),
                measure=None if columns.measure is None else str(row[columns.measure]),
                value=row[columns.value],
            )
            for row in rows
        )
        return pivot_scores(told, source=SCORES, measure=measure)
    count = count_query_columns(header, SCORES)
    if count:
        return _pivot_wide(
            [str(row[count - 1]) for row in rows], header[count:], [row[count:] for row in rows], measure
        )
    numbers = range(1, len(rows) + 1)
    return _pivot_wide([str(name) for name in getattr(given, "index", numbers)], header, rows, measure)


def _with_index_as_columns(frame: Any) -> Any:
    """The frame of pandas whose index is called as a column of queries is, with that as a column."""
    names = list(getattr(getattr(frame, "index", None), "names", ()))
    is_of_queries = any(name is not None and _plain(name) in QUERY for name in names)
    return frame.reset_index() if is_of_queries and not {*names} & {*frame.columns} else frame


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
    return _pivot_given(cells, measure, source=SCORES)


def _pivot_given(cells: Iterable[tuple[str, str, Any]], measure: str | None, *, source: str) -> ScoreTable:
    rows = (LongRow(None, query, run, None, value) for query, run, value in cells)
    return pivot_scores(rows, source=source, measure=measure)


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
            raise FormatError(
                source=source,
                line=row.number,
                found=found,
                expected="one score for each run and query",
                advice=RUNS_APART if row.run == ONE_RUN else "",
            )
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
        advice = f"Say which by --measure, measure= or measures=, such as {known[0]}."
        raise FormatError(source=source, found=f"scores of {listed}", expected="one measure", advice=advice)
    raise FormatError(source=source, found=f"scores of {listed}", expected=f"{measure} among them")


def _to_number(row: LongRow, source: str) -> float:
    is_of_file = row.number is not None
    try:
        value = float(row.value)  # type: ignore[arg-type]  # what is no number is told below
    except (TypeError, ValueError):
        value = math.nan
    if math.isfinite(value) and "_" not in str(row.value) and (is_of_file or not isinstance(row.value, str)):
        return value
    expected = "a finite number"
    if is_of_file:
        raise FormatError(source=source, line=row.number, found=f"score {quoted(str(row.value))}", expected=expected)
    where = f"query {quoted(row.query_id)} of run {quoted(row.run)}"
    found = str(row.value) if isinstance(row.value, float) else quoted(str(row.value))
    advice = FORMS if isinstance(row.value, str) else ""
    raise FormatError(source=where, found=found, expected=expected, advice=advice)


def advise_on(cell: str) -> str:
    """Which tables hold scores, where a cell of a file is a text: the file is likely to be another table."""
    try:
        float(cell)
    except ValueError:
        parted = " Commas or tabs part columns." if ";" in cell else ""
        return f"{FORMS}{parted}" if cell else ""
    return ""


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
            advice="If these are labels, give runs beside them." if source.startswith("scores as") else "",
        )

"""What is known of each query? A CSV of attributes: every value of one is a slice of the queries."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping

from toprung.data.formats.content import DEFAULT_LIMITS, Limits
from toprung.data.formats.tables.csv_table import CsvTable, list_columns
from toprung.words.visible import quoted

QUERY_COLUMNS = ("query_id", "qid", "query-id")
EXPECTED = "a column 'query_id' and one for each attribute, such as 'type'"

type Attributes = Mapping[str, Mapping[str, str]]
"""By the name of an attribute: the value of each query that has one."""


def read_slices(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> dict[str, dict[str, str]]:
    """Read a CSV with a header: ``query_id``, then one column an attribute; a cell may be empty."""
    table = CsvTable.read(path, limits)
    query = table.find(QUERY_COLUMNS, what=EXPECTED)
    columns = [column for column in range(len(table.header)) if column != query]
    _check_names(table, columns)
    values: dict[str, dict[str, str]] = {table.header[column]: {} for column in columns}
    first: dict[str, int] = {}
    for line, row in table.rows:
        query_id = row[query]
        if not query_id:
            raise table.error("no query id", "one on every line", line=line)
        if query_id in first:
            found = f"query {quoted(query_id)} again, first on line {first[query_id]}"
            raise table.error(found, "each query once", line=line)
        first[query_id] = line
        for column in columns:
            if row[column]:
                values[table.header[column]][query_id] = row[column]
    if not first:
        raise table.error("no rows below the header", "a row for every query")
    return values


def _check_names(table: CsvTable, columns: list[int]) -> None:
    if not columns:
        raise table.error(list_columns(table.header), EXPECTED, line=1)
    name, times = Counter(table.header[column].lower() for column in columns).most_common(1)[0]
    if times > 1:
        raise table.error(f"{times} columns {quoted(name)}", "each attribute once", line=1)
    if any(not table.header[column] for column in columns):
        raise table.error("a column without a name", "a name for each attribute", line=1)

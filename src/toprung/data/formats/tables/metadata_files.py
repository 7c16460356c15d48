"""Read what is known of runs: a CSV with a row per run, or a JSON list with an object per run.

Dates and submissions are read from the same files: they are some of its columns.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from toprung.data.formats.content import DEFAULT_LIMITS, Limits, read_content
from toprung.data.formats.tables.cell_values import A_DAY, to_claim, to_day, to_number
from toprung.data.formats.tables.csv_table import CsvTable, list_columns
from toprung.data.run_card import A_COST, CardField, CardValue, card_fields
from toprung.data.run_metadata import Metadata, RunMetadata
from toprung.data.submissions import Submissions
from toprung.data.utf8 import is_text
from toprung.errors import FormatError
from toprung.words.visible import quoted

KNOWN_BY_BOARDS: dict[str, tuple[str, ...]] = {
    "team": ("team", "group", "authors"),
    "date": ("date",),
    "is_baseline": ("is_baseline", "baseline"),
}
COLUMNS = KNOWN_BY_BOARDS | {each.columns[0]: each.columns for each in card_fields()}
"""Each column by the names it may have; of several the first counts."""
TAG_PARTING = re.compile(r"[;,]")
type Cell = str | list[str]


def read_metadata(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> Metadata:
    """Read what is known of runs from a CSV with a header, or from a JSON list of objects.

    There must be a column ``run``. Any of these may stand beside it, and any cell may be empty: ``team``, ``date``
    (2020-08-11 or 2020/08/11), ``tags`` (parted by ``;`` or ``,``), ``description``, ``paper``, ``code``, ``type``,
    ``cost`` (a positive number, in one unit for all runs), ``latency`` (milliseconds per query), ``system`` and
    ``seed`` (several runs of one system), ``embargo_until`` (a day), ``is_baseline`` (yes or no). Other columns are
    left out; ``Metadata.ignored_columns`` names them.
    """
    return _read(path, limits, needed=("run",))


def read_dates(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> dict[str, date]:
    """Read when each run was submitted: metadata in which every run but baselines has a date."""
    return read_dated_metadata(path, limits=limits).dates()


def read_dated_metadata(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> Metadata:
    """Read what is known of runs, of which every one but baselines has a date."""
    return _read(path, limits, needed=("run", "date"))


def read_submissions(path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> Submissions:
    """Read who submitted what, and when: metadata in which every run but baselines has a team and a date.

    ``embargo_until`` says to which day a team wants its name kept back; it may be empty or missing.
    """
    return _read(path, limits, needed=("run", "team", "date")).submissions()


@dataclass(frozen=True, kw_only=True)
class _MetadataRow:
    """What a file says of one run: the cells of the fields it has, and where that stands."""

    source: str
    line: int | None
    """In a CSV."""
    entry: int | None
    """In a JSON list, from 1."""
    cells: Mapping[str, Cell]

    @property
    def place(self) -> str:
        return f"on line {self.line}" if self.entry is None else f"in entry {self.entry}"

    def error(self, found: str, expected: str) -> FormatError:
        where = "" if self.entry is None else f"in entry {self.entry} "
        return FormatError(source=self.source, line=self.line, found=f"{where}{found}", expected=expected)

    def text(self, name: str) -> str:
        cell = self.cells.get(name, "")
        if not isinstance(cell, str):
            raise self.error(f"a list as {name}", "text")
        if not is_text(cell):
            raise self.error(f"half a character in the {name}", "text that UTF-8 can hold")
        return cell

    def value[T](self, name: str, read: Callable[[str], T | None], expected: str, *, called: str = "") -> T | None:
        text = self.text(name)
        value = read(text) if text else None
        if text and value is None:
            raise self.error(f"{called or name} {quoted(text)}", expected)
        return value

    def tags(self, name: str) -> tuple[str, ...]:
        cell = self.cells.get(name, "")
        parts = TAG_PARTING.split(self.text(name)) if isinstance(cell, str) else cell
        if not all(is_text(part) for part in parts):
            raise self.error("a tag that is not text", "texts that UTF-8 can hold")
        return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _read(path: str | os.PathLike[str], limits: Limits, *, needed: Sequence[str]) -> Metadata:
    source = os.fspath(path)
    content = bytes(read_content(path, limits))
    is_json = content.lstrip()[:1] == b"["
    header, rows = _json_rows(content, source, needed) if is_json else _csv_rows(content, source, needed)
    entries: list[RunMetadata] = []
    first: dict[str, str] = {}
    for row in rows:
        entry = _to_entry(row)
        missing = next((name for name in needed if not row.text(name)), None)
        if missing is not None and not entry.is_baseline:
            raise row.error(f"no {missing} for run {quoted(entry.name)}", f"a {missing} for every run")
        if entry.name in first:
            raise row.error(f"run {quoted(entry.name)} again, first {first[entry.name]}", "each run once")
        first[entry.name] = row.place
        entries.append(entry)
    if not entries:
        below = "no objects in the list" if is_json else "no rows below the header"
        raise FormatError(source=source, found=below, expected="a row for every run")
    known = {alias for aliases in COLUMNS.values() for alias in aliases}
    return Metadata(
        entries=tuple(entries),
        source=source,
        digest=f"sha256:{hashlib.sha256(content).hexdigest()}",
        ignored_columns=tuple(name for name in header if name and name.lower() not in known),
    )


def _to_entry(row: _MetadataRow) -> RunMetadata:
    try:
        return RunMetadata(
            team=row.text("team"),
            date=row.value("date", to_day, A_DAY),
            **{each.name: _read_field(row, each) for each in card_fields()},
            is_baseline=row.value("is_baseline", to_claim, "yes or no") or False,
        )
    except FormatError as fault:  # of the entry, which does not know where it stands
        if fault.source == row.source:
            raise
        raise row.error(fault.found, fault.expected) from None


def _read_field(row: _MetadataRow, declared: CardField) -> Any:
    column = declared.columns[0]
    if declared.holds is CardValue.TAGS:
        return row.tags(column)
    if declared.holds is CardValue.COST:
        return row.value(column, to_number, f"{A_COST}, or nothing")
    return row.value(column, to_day, A_DAY, called="date") if declared.holds is CardValue.DAY else row.text(column)


def _say_columns(needed: Sequence[str]) -> str:
    named = [f"'{name}'" for name in needed]
    return f"a column {named[0]}" if len(named) == 1 else f"columns {', '.join(named[:-1])} and {named[-1]}"


def _csv_rows(content: bytes, source: str, needed: Sequence[str]) -> tuple[Sequence[str], Iterator[_MetadataRow]]:
    table = CsvTable.parse(content, source)
    for name in needed:
        table.find(COLUMNS[name], what=_say_columns(needed))
    columns = {name: column for name in COLUMNS if (column := table.look_for(COLUMNS[name])) is not None}
    rows = (
        _MetadataRow(
            source=source, line=line, entry=None, cells={name: row[column] for name, column in columns.items()}
        )
        for line, row in table.rows
    )
    return table.header, rows


def _json_rows(content: bytes, source: str, needed: Sequence[str]) -> tuple[Sequence[str], Iterator[_MetadataRow]]:
    objects = _parse_json(content, source)
    header = list(dict.fromkeys(name for each in objects for name in each))
    lowered = {name.lower() for name in header}
    if objects and any(lowered.isdisjoint(COLUMNS[name]) for name in needed):
        raise FormatError(source=source, found=list_columns(header), expected=_say_columns(needed))
    rows = (
        _MetadataRow(source=source, line=None, entry=number, cells=_json_cells(each))
        for number, each in enumerate(objects, start=1)
    )
    return header, rows


def _json_cells(each: Mapping[str, Any]) -> dict[str, Cell]:
    by_name = {name.lower(): value for name, value in each.items()}
    cells: dict[str, Cell] = {}
    for field, aliases in COLUMNS.items():
        value = next((by_name[alias] for alias in aliases if alias in by_name), None)
        if isinstance(value, bool):
            cells[field] = "yes" if value else "no"
        elif isinstance(value, str):
            cells[field] = value.strip()
        elif value is not None:
            cells[field] = value
    return cells


def _parse_json(content: bytes, source: str) -> list[dict[str, Any]]:
    """The objects of the list; their values are texts, yes or no, nothing, or lists of texts."""

    def refuse(found: str, expected: str = "a JSON list with an object per run") -> FormatError:
        return FormatError(source=source, found=found, expected=expected)

    def to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        (name, count), *_ = Counter(name.lower() for name, _ in pairs).most_common(1) or [("", 0)]
        if count > 1:
            raise refuse(f"{quoted(name)} {count} times in an object", "each name once")
        return dict(pairs)

    try:
        # Numbers stay as they are written: one reader for both formats, and none that a long number could stop.
        objects = json.loads(
            content.decode("utf-8"), parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=to_object
        )
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise refuse(f"text that is not JSON ({error})") from None
    if not isinstance(objects, list):
        raise refuse("text that is not a JSON list")
    for number, each in enumerate(objects, start=1):
        if not isinstance(each, dict):
            raise refuse(f"entry {number} that is not an object")
        for name, value in each.items():
            is_plain = value is None or isinstance(value, str | bool)
            if not is_plain and not (isinstance(value, list) and all(isinstance(part, str) for part in value)):
                raise refuse(f"in entry {number} {quoted(name)} with parts of its own", "text or a number")
    return objects

"""Judgments a line: Waterloo's ``topic a b winner``, the TSV of Arabzadeh et al. 2021, and our own JSONL."""

from __future__ import annotations

import json
from typing import Any

from toprung.data.formats import problems
from toprung.data.formats.content import Content
from toprung.data.formats.judgments.rows import JudgmentRows
from toprung.data.formats.problems import Problem
from toprung.data.formats.runs.line_parser import iterate_lines, split_columns
from toprung.data.judgments import FIELDS, KINDS, Choice, Judgment, check_field
from toprung.errors import FormatError, InputError
from toprung.words.visible import quoted

WATERLOO_COLUMNS = ("topic", "a", "b", "winner")
ARABZADEH_COLUMNS = (
    "query id",
    "query",
    "category",
    "preference",
    "qrel id",
    "qrel text",
    "other id",
    "other text",
)
PREFERENCES = {
    "qrel": Choice.LEFT,
    "other": Choice.RIGHT,
    "alternative": Choice.RIGHT,
    "non-qrel": Choice.RIGHT,
    "tie": Choice.TIE,
}
IDS = ("query_id", "left", "right")
MAY_BE_NUMBERS = (*IDS, "judgment_id", "assessor", "task_id", "supersedes")
"""Other tools number their things; here they are text."""


def parse_waterloo(content: Content, rows: JudgmentRows) -> None:
    """``topic a b winner``, parted by blanks; with three columns the first answer wins."""
    names: tuple[str, ...] = ()
    for number, line in iterate_lines(content):
        if not names:
            names = WATERLOO_COLUMNS[: 3 if len(line.split()) == 3 else 4]
        columns = split_columns(line, number, names)
        if isinstance(columns, Problem):
            rows.refuse(columns)
        topic, a, b, *winner = columns
        choice = rows.choose(winner[0], a, b, number, {}) if winner else Choice.LEFT
        rows.add(line=number, query_id=topic, left=a, right=b, choice=choice)


def parse_arabzadeh(content: Content, rows: JudgmentRows) -> None:
    """The source's TSV, with or without a header: the label against another answer. The texts are not kept."""
    for number, line in iterate_lines(content):
        cells = _split_at_tabs(line, number, rows)
        if number == 1 and cells[3].lower().startswith("pref"):
            continue
        query_id, _, _, preference, qrel, _, other, _ = cells
        choice = rows.choose(preference, qrel, other, number, PREFERENCES)
        rows.add(line=number, query_id=query_id, left=qrel, right=other, choice=choice)


def _split_at_tabs(line: bytes, number: int, rows: JudgmentRows) -> list[str]:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        rows.refuse(problems.not_utf8(line[error.start], error.start + 1, number))
    cells = [cell.strip() for cell in text.split("\t")]
    if len(cells) != len(ARABZADEH_COLUMNS):
        rows.refuse(problems.wrong_columns(text.strip(), len(cells), ARABZADEH_COLUMNS, number))
    return cells


def parse_jsonl(content: Content, rows: JudgmentRows) -> None:
    """Our own: judgments as they are kept. An id that is missing is made of what the judgment says."""
    first_line: dict[str, int] = {}
    unknown: set[str] = set()
    for number, line in iterate_lines(content):
        record = _to_record(line, number, rows)
        for name in (name for name in record if name not in FIELDS and name not in unknown):
            rows.warnings.add(problems.unknown_column(name, number, what="key"))
            unknown.add(name)
        known = {name: record[name] for name in FIELDS if name in record}
        try:
            _add_record(known, number, rows, first_line)
        except FormatError:
            raise
        except InputError as error:
            found, _, expected = str(error).removeprefix("Found ").removesuffix(".").partition("; expected ")
            raise FormatError(source=rows.source, line=number, found=found, expected=expected) from None


def _add_record(record: dict[str, Any], number: int, rows: JudgmentRows, first_line: dict[str, int]) -> None:
    if "judgment_id" not in record:
        for name, value in record.items():
            check_field(name, value)
        kind = KINDS[record["kind"]] if "kind" in record else None
        rows.add(**(record | {"line": number, "choice": Choice(record["choice"]), "kind": kind}))
        return
    judgment = Judgment.from_record({"kind": rows.kind.value} | record)
    earlier = first_line.setdefault(judgment.judgment_id, number)
    if earlier != number:
        raise InputError(
            f"Found judgment {quoted(judgment.judgment_id)} again, first on line {earlier}; "
            "expected each judgment once."
        )
    rows.judgments.append(judgment)


def _to_record(line: bytes, number: int, rows: JudgmentRows) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, UnicodeDecodeError, RecursionError):
        record = None
    if not isinstance(record, dict) or not {*IDS, "choice"} <= record.keys():
        raise FormatError(
            source=rows.source,
            line=number,
            found=quoted(line.decode("utf-8", errors="replace")),
            expected="a JSON object with query_id, left, right and choice",
        )
    numbers = {name: str(record[name]) for name in MAY_BE_NUMBERS if type(record.get(name)) is int}
    return record | numbers

"""What does one line of a run say, and what is wrong with it? The reference reading, line by line.

The compiled scanner and the Polars reader are held equal to this parser in tests. It is what `validate` uses
on a file with faults, and where every message about a faulty line comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from toprung.data.formats import problems
from toprung.data.formats.content import Content
from toprung.data.formats.problems import Problem, ProblemLog

SCORE = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
WHOLE = re.compile(r"[+-]?0*[0-9]{1,18}")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f]")
BLANKS = re.compile(r"[ \t]+")
LARGEST_RANK = 2**31 - 1


class Layout(Enum):
    """A text layout of runs; the value names its columns."""

    TREC = ("query_id", "Q0", "doc_id", "rank", "score", "tag")
    MSMARCO = ("query_id", "doc_id", "rank")

    @property
    def columns(self) -> tuple[str, ...]:
        names: tuple[str, ...] = self.value
        return names


@dataclass(frozen=True, slots=True)
class RunLine:
    """One well-formed line of a run; MS MARCO lines have no score."""

    query_id: str
    doc_id: str
    rank: int
    score: float | None
    tag: str = ""


@dataclass(slots=True)
class ParsedRun:
    """The good lines of a run with their numbers, and the problems of the others."""

    rows: list[RunLine] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    problems: ProblemLog = field(default_factory=ProblemLog)


def split_columns(line: bytes, number: int, names: tuple[str, ...]) -> list[str] | Problem:
    """The columns of a line (its end already taken off), or what is wrong with them."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return problems.not_utf8(line[error.start], error.start + 1, number)
    control = CONTROL.search(text)
    if control:
        return problems.control_character(ord(control[0]), number)
    columns = [column for column in BLANKS.split(text) if column]
    if len(columns) != len(names):
        return problems.wrong_columns(text.strip(), len(columns), names, number)
    return columns


def parse_line(line: bytes, number: int, layout: Layout) -> RunLine | Problem:
    """Read one line, its end already taken off."""
    columns = split_columns(line, number, layout.columns)
    if isinstance(columns, Problem):
        return columns
    return _trec_line(columns, number) if layout is Layout.TREC else _msmarco_line(columns, number)


def _trec_line(columns: list[str], number: int) -> RunLine | Problem:
    query_id, _, doc_id, rank, score, tag = columns
    if not WHOLE.fullmatch(rank):
        return problems.bad_rank(rank, number, from_one=False)
    if NOT_FINITE.fullmatch(score):
        return problems.not_finite(score, number)
    if not SCORE.fullmatch(score):
        return problems.bad_score(score, number)
    value = float(score)
    if abs(value) == float("inf"):
        return problems.not_finite(score, number)
    return RunLine(query_id, doc_id, _to_int(rank), value, tag)


def _msmarco_line(columns: list[str], number: int) -> RunLine | Problem:
    query_id, doc_id, rank = columns
    if not WHOLE.fullmatch(rank) or not 1 <= _to_int(rank) <= LARGEST_RANK:
        return problems.bad_rank(rank, number, from_one=True)
    return RunLine(query_id, doc_id, _to_int(rank), None)


def _to_int(whole: str) -> int:
    """The number, however many zeros lead it: Python itself refuses to convert very long texts."""
    digits = whole.lstrip("+-").lstrip("0") or "0"
    return -int(digits) if whole.startswith("-") else int(digits)


def parse_lines(data: Content, layout: Layout, *, first_number: int = 1) -> ParsedRun:
    """Read all lines one by one, collecting every problem; what stands twice is not looked for."""
    parsed = ParsedRun()
    for number, line in iterate_lines(data, first_number=first_number):
        row = parse_line(line, number, layout)
        if isinstance(row, Problem):
            parsed.problems.add(row)
        else:
            parsed.rows.append(row)
            parsed.lines.append(number)
    return parsed


def iterate_lines(data: Content, *, first_number: int = 1) -> Iterator[tuple[int, bytes]]:
    """Number the lines, from 1 unless told, and take off their ends (LF or CRLF)."""
    start, number, size = 0, first_number - 1, len(data)
    while start < size:
        end = data.find(b"\n", start)
        end = size if end < 0 else end
        number += 1
        yield number, bytes(data[start:end]).removesuffix(b"\r")
        start = end + 1

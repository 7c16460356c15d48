"""Which lines of a file are at fault? Quoted with their neighbours, the fault marked, nothing unseen left in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypedDict

from toprung.data.formats.content import PIECE, Content
from toprung.data.formats.problems import Kind, Problem
from toprung.data.formats.runs.line_parser import Layout
from toprung.words.visible import spell_hidden

LONGEST = 120
"""Characters of a line that are quoted."""
FAULTY_COLUMN = {
    Kind.RANK: "rank",
    Kind.DUPLICATE_RANK: "rank",
    Kind.SCORE: "score",
    Kind.NOT_FINITE: "score",
    Kind.DUPLICATE_DOCUMENT: "doc_id",
}
WHOLE_LINE = (Kind.COLUMNS, Kind.CONTROL, Kind.ENCODING)
_COLUMN = re.compile(r"[^ \t]+")


class QuotedLine(TypedDict):
    """A line in three parts; only the one at fault has something in the middle."""

    number: int
    before: str
    fault: str
    after: str


def is_quoted(problem: Problem) -> bool:
    """Whether a line shows the problem; one that is about a whole query, no line does."""
    return problem.line is not None and (problem.kind in FAULTY_COLUMN or problem.kind in WHOLE_LINE)


def lines_to_quote(problem: Problem) -> list[int]:
    """The line with its neighbours; of something said twice, both lines."""
    if problem.line is None:
        return []
    if problem.first_line is not None:
        return [problem.first_line, problem.line]
    return [number for number in (problem.line - 1, problem.line, problem.line + 1) if number > 0]


def quote(problem: Problem, lines: dict[int, bytes], layout: Layout) -> list[QuotedLine]:
    return [
        _mark(number, _printable(lines[number]), problem, layout)
        for number in lines_to_quote(problem)
        if number in lines
    ]


def read_lines(content: Content, numbers: Iterable[int]) -> dict[int, bytes]:
    """The lines of these numbers, from 1; numbers past the end are left out."""
    found: dict[int, bytes] = {}
    start, number = 0, 1
    for wanted in sorted(set(numbers)):
        start, number = _skip_to(content, start, number, wanted)
        if number != wanted or start >= len(content):
            break
        end = content.find(b"\n", start)
        found[wanted] = bytes(content[start : len(content) if end < 0 else end])
    return found


def count_lines(content: Content) -> int:
    """By their ends."""
    return sum(bytes(content[start : start + PIECE]).count(b"\n") for start in range(0, len(content), PIECE))


def _skip_to(content: Content, start: int, number: int, wanted: int) -> tuple[int, int]:
    """Where the wanted line begins; whole pieces are skipped by counting the line ends in them."""
    while number < wanted and start < len(content):
        ends = bytes(content[start : start + PIECE]).count(b"\n")
        if number + ends < wanted:
            start, number = start + PIECE, number + ends
            continue
        while number < wanted:
            start, number = content.find(b"\n", start) + 1, number + 1
    return start, number


def _printable(line: bytes) -> str:
    text = line.removesuffix(b"\r")[: 4 * LONGEST].decode("utf-8", "replace")
    shown = spell_hidden(text).replace("\t", " ")
    return f"{shown[:LONGEST]}…" if len(shown) > LONGEST else shown


def _mark(number: int, text: str, problem: Problem, layout: Layout) -> QuotedLine:
    start, end = _fault_in(text, problem, layout) if number == problem.line else (len(text), len(text))
    return QuotedLine(number=number, before=text[:start], fault=text[start:end], after=text[end:])


def _fault_in(text: str, problem: Problem, layout: Layout) -> tuple[int, int]:
    columns: Sequence[re.Match[str]] = list(_COLUMN.finditer(text))
    name = FAULTY_COLUMN.get(problem.kind)
    if name in layout.columns and len(columns) > (place := layout.columns.index(name or "")):
        return columns[place].span()
    return 0, len(text)

"""Read labels from a file: TREC 4 columns, 3 columns, BEIR's TSV with its header, Parquet, ``irds:``."""

from __future__ import annotations

import os
from collections.abc import Iterator

from toprung.data.formats import problems
from toprung.data.formats.content import DEFAULT_LIMITS, Content, Limits, read_content, say_source
from toprung.data.formats.plain_labels import GRADE, read_plain
from toprung.data.formats.problems import Problem
from toprung.data.formats.runs.files import Source, is_irds
from toprung.data.formats.runs.line_parser import iterate_lines, split_columns
from toprung.data.formats.runs.recognise import QrelsFormat, recognise_qrels, to_format
from toprung.data.qrels import Qrels

COLUMNS = {
    QrelsFormat.TREC: ("query_id", "0", "doc_id", "grade"),
    QrelsFormat.THREE_COLUMNS: ("query_id", "doc_id", "grade"),
    QrelsFormat.BEIR: ("query-id", "corpus-id", "score"),
}


def read_qrels(
    path: Source,
    *,
    format: str | QrelsFormat | None = None,  # noqa: A002 - the word users know
    limits: Limits = DEFAULT_LIMITS,
) -> Qrels:
    """Read relevance labels.

    ``path`` is a file, plain or compressed, or ``irds:DATASET``. The format is recognised unless it is named.
    Strict: the first fault raises a FormatError with its line.
    """
    if is_irds(path):
        from toprung.data.formats.irds import read_irds_qrels

        return read_irds_qrels(os.fspath(path))
    source = say_source(path)
    content = read_content(path, limits)
    qrels_format = recognise_qrels(content, source) if format is None else to_format(QrelsFormat, format)
    if qrels_format is QrelsFormat.PARQUET:
        from toprung.data.formats.runs.parquet import read_parquet_qrels

        return read_parquet_qrels(content, source=source, limits=limits)
    names, has_header = COLUMNS[qrels_format], qrels_format is QrelsFormat.BEIR
    plain = read_plain(content, names, has_header=has_header, source=source)
    return plain or Qrels.from_rows(_parse(content, qrels_format, source), source=source)


def _parse(content: Content, qrels_format: QrelsFormat, source: str) -> Iterator[tuple[str, str, int]]:
    names = COLUMNS[qrels_format]
    line_of: dict[tuple[str, str], int] = {}
    for number, line in iterate_lines(content):
        if qrels_format is QrelsFormat.BEIR and number == 1:
            if line.split() != [name.encode() for name in names]:
                raise problems.no_header(line, names).to_error(source)
            continue
        row = _parse_line(line, number, names)
        if isinstance(row, Problem):
            raise row.to_error(source)
        query_id, doc_id, grade = row
        earlier = line_of.setdefault((query_id, doc_id), number)
        if earlier != number:
            raise problems.duplicate_document(doc_id, query_id, number, earlier).to_error(source)
        yield query_id, doc_id, grade
    if not line_of:
        raise problems.empty_file().to_error(source)


def _parse_line(line: bytes, number: int, names: tuple[str, ...]) -> tuple[str, str, int] | Problem:
    columns = split_columns(line, number, names)
    if isinstance(columns, Problem):
        return columns
    query_id, *_, doc_id, grade = columns
    if not GRADE.fullmatch(grade):
        return problems.bad_grade(grade, number)
    return query_id, doc_id, int(grade)

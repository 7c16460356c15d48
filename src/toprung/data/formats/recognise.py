"""Which format is this file? Told by its content; the name decides nothing."""

from __future__ import annotations

import os
from enum import StrEnum

from toprung.data.formats import problems
from toprung.data.formats.content import read_start
from toprung.data.formats.line_parser import Layout
from toprung.errors import FormatError, InputError

PARQUET = b"PAR1"


class RunFormat(StrEnum):
    """How a run file is written."""

    TREC = "trec"
    MSMARCO = "msmarco"
    PARQUET = "parquet"

    @property
    def layout(self) -> Layout:
        """The columns of a text format."""
        return {RunFormat.TREC: Layout.TREC, RunFormat.MSMARCO: Layout.MSMARCO}[self]


class QrelsFormat(StrEnum):
    """How a label file is written."""

    TREC = "trec"
    THREE_COLUMNS = "three-columns"
    BEIR = "beir"
    PARQUET = "parquet"


def to_format[F: StrEnum](kind: type[F], name: str | F) -> F:
    """A format by its name."""
    try:
        return kind(name)
    except ValueError:
        known = ", ".join(kind)
        raise InputError(
            f"Found format '{name}'; expected one of {known}. Leave it out to have it recognised."
        ) from None


def recognise_run(path: str | os.PathLike[str]) -> RunFormat:
    """The format of a run file, by its first line."""
    start = read_start(path)
    if start.startswith(PARQUET):
        return RunFormat.PARQUET
    n_columns = _columns_of_first_line(path, start)
    if n_columns in (6, 3):
        return RunFormat.TREC if n_columns == 6 else RunFormat.MSMARCO
    raise FormatError(
        source=os.fspath(path),
        line=1,
        found=f"{n_columns} columns",
        expected="6 (TREC: query_id Q0 doc_id rank score tag) or 3 (MS MARCO: query_id doc_id rank)",
        advice="Four columns are labels, not a run." if n_columns == 4 else "Name the format to see each fault.",
    )


def recognise_qrels(path: str | os.PathLike[str]) -> QrelsFormat:
    """The format of a label file, by its first line."""
    start = read_start(path)
    if start.startswith(PARQUET):
        return QrelsFormat.PARQUET
    if start.startswith(b"query-id\tcorpus-id\tscore"):
        return QrelsFormat.BEIR
    n_columns = _columns_of_first_line(path, start)
    if n_columns in (4, 3):
        return QrelsFormat.TREC if n_columns == 4 else QrelsFormat.THREE_COLUMNS
    raise FormatError(
        source=os.fspath(path),
        line=1,
        found=f"{n_columns} columns",
        expected="4 (query_id 0 doc_id grade), 3 (query_id doc_id grade) or the header of a BEIR file",
        advice="Six columns are a run, not labels." if n_columns == 6 else "",
    )


def _columns_of_first_line(path: str | os.PathLike[str], start: bytes) -> int:
    if not start:
        raise problems.empty_file().to_error(os.fspath(path))
    return len(start.split(b"\n", 1)[0].split())

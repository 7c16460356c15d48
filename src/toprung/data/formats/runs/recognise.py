"""Which format is this file? Told by its first bytes; the name decides nothing."""

from __future__ import annotations

from enum import StrEnum

from toprung.data.formats import problems
from toprung.data.formats.archives import refuse_archive
from toprung.data.formats.content import Content, looks_like_parquet
from toprung.data.formats.runs.line_parser import Layout
from toprung.errors import FormatError, InputError
from toprung.words.wording import say_count


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


def recognise_run(content: Content, source: str) -> RunFormat:
    """The format of a run, by its first line."""
    if looks_like_parquet(content):
        return RunFormat.PARQUET
    line = first_line_of(content)
    n_columns = _columns_of_first_line(content, line, source)
    if n_columns in (6, 3):
        return RunFormat.TREC if n_columns == 6 else RunFormat.MSMARCO
    raise FormatError(
        source=source,
        line=1,
        found=say_count(n_columns, "column"),
        expected="6 (TREC: query_id Q0 doc_id rank score tag) or 3 (MS MARCO: query_id doc_id rank)",
        advice=_advise_on_columns(n_columns),
    )


def _advise_on_columns(n_columns: int) -> str:
    if n_columns == 4:
        return "Four columns are labels, not a run."
    if n_columns > 6:
        return "Ids and tags must not contain blanks: write my_tag, not my tag."
    return "Name the format to see each fault."


def recognise_qrels(content: Content, source: str) -> QrelsFormat:
    """The format of labels, by their first line."""
    if looks_like_parquet(content):
        return QrelsFormat.PARQUET
    line = first_line_of(content)
    if line.startswith(b"query-id\tcorpus-id\tscore"):
        return QrelsFormat.BEIR
    n_columns = _columns_of_first_line(content, line, source)
    if n_columns in (4, 3):
        return QrelsFormat.TREC if n_columns == 4 else QrelsFormat.THREE_COLUMNS
    raise FormatError(
        source=source,
        line=1,
        found=say_count(n_columns, "column"),
        expected="4 (query_id 0 doc_id grade), 3 (query_id doc_id grade) or the header of a BEIR file",
        advice="Six columns are a run, not labels." if n_columns == 6 else "",
    )


def first_line_of(content: Content) -> bytes:
    """All bytes up to the first line end."""
    end = content.find(b"\n")
    return bytes(content[: end if end >= 0 else len(content)])


def _columns_of_first_line(content: Content, line: bytes, source: str) -> int:
    if not len(content):
        raise problems.empty_file().to_error(source)
    refuse_archive(content, source)
    return len(line.split())

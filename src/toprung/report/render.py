"""How is a result written? As text, CSV, JSON, Markdown, LaTeX or a page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from enum import StrEnum

from toprung.report.latex import to_latex
from toprung.result import Result, Table

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


class OutputFormat(StrEnum):
    """What a command can write."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


def render(result: Result, output_format: OutputFormat) -> str:
    """The result as text in this format, ending in a newline."""
    return WRITERS[output_format](result)


def to_csv(result: Result) -> str:
    header, rows = result.tidy_rows()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_harmless, header))
    writer.writerows(map(_harmless, row) for row in rows)
    return text.getvalue()


def _harmless(cell: object) -> object:
    """A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def to_json(result: Result) -> str:
    return json.dumps(result.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def to_markdown(result: Result) -> str:
    shown = [_to_markdown_table(heading, table) for heading, table in result.tables]
    notes = "\n".join(f"- {_escaped(note)}" for note in result.notes)
    return "\n\n".join(part for part in (_escaped(result.sentence), *shown, notes) if part) + "\n"


def _to_markdown_table(heading: str, table: Table) -> str:
    rules = ["---:" if i in table.numeric else "---" for i in range(len(table.header))]
    lines = ["| " + " | ".join(map(_escaped, row)) + " |" for row in (table.header, rules, *table.rows)]
    return "\n".join([*([f"{_escaped(heading)}:", ""] if heading else []), *lines])


def _to_page(result: Result) -> str:
    from toprung.report.html import to_page  # only here: package resources take a while to import

    return to_page(result)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


WRITERS: dict[OutputFormat, Callable[[Result], str]] = {
    OutputFormat.TABLE: lambda result: f"{result}\n",
    OutputFormat.CSV: to_csv,
    OutputFormat.JSON: to_json,
    OutputFormat.MARKDOWN: to_markdown,
    OutputFormat.LATEX: to_latex,
    OutputFormat.HTML: _to_page,
}

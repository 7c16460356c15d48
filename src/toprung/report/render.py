"""How is a result written? As text, CSV, JSON, Markdown, LaTeX or a page."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from toprung.report.latex import to_latex
from toprung.report.writers import to_csv, to_json, to_markdown
from toprung.result import Result


class OutputFormat(StrEnum):
    """What a command can write."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"
    LATEX = "latex"
    HTML = "html"


ENDINGS = {
    ".txt": OutputFormat.TABLE,
    ".csv": OutputFormat.CSV,
    ".json": OutputFormat.JSON,
    ".md": OutputFormat.MARKDOWN,
    ".tex": OutputFormat.LATEX,
    ".html": OutputFormat.HTML,
}
"""What the name of a file says of the format."""
PICTURE_ENDINGS = (".svg", ".png", ".pdf")


def render(result: Result, output_format: OutputFormat) -> str:
    """The result as text in this format, ending in a newline."""
    return WRITERS[output_format](result)


def _to_page(result: Result) -> str:
    from toprung.report.html import to_page  # only here: package resources take a while to import

    return to_page(result)


WRITERS: dict[OutputFormat, Callable[[Result], str]] = {
    OutputFormat.TABLE: lambda result: f"{result}\n",
    OutputFormat.CSV: to_csv,
    OutputFormat.JSON: to_json,
    OutputFormat.MARKDOWN: to_markdown,
    OutputFormat.LATEX: to_latex,
    OutputFormat.HTML: _to_page,
}

"""How is a result written? As text, CSV, JSON, Markdown, LaTeX or a page."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from toprung.analysis import Place, load
from toprung.errors import InputError
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


def check_ending(path: Path, endings: Sequence[str], *, or_else: str = "") -> None:
    """Refuse the name of an output whose ending does not say how to write it."""
    if path.suffix.lower() not in endings:
        found = f"the ending '{path.suffix}'" if path.suffix else "a name without an ending"
        listed = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise InputError(f"{path}: found {found}; expected {listed}{or_else}.")


def render(result: Result, output_format: OutputFormat) -> str:
    """The result as text in this format, ending in a newline."""
    if output_format is OutputFormat.TABLE:
        return f"{result}\n"
    written: str = load(WRITERS[output_format])(result)
    return written


WRITERS: dict[OutputFormat, Place] = {
    OutputFormat.CSV: "toprung.report.writers:to_csv",
    OutputFormat.JSON: "toprung.report.writers:to_json",
    OutputFormat.MARKDOWN: "toprung.report.writers:to_markdown",
    OutputFormat.LATEX: "toprung.report.latex:to_latex",
    OutputFormat.HTML: "toprung.report.html:to_page",
}
"""Loaded when something is written so."""

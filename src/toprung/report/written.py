"""How does a result write itself? As text in every format, to a file by its ending, and as a chart."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toprung.data.formats.runs.writing import replacing
from toprung.data.formats.whole_files import check_folder
from toprung.errors import InputError
from toprung.report.charts.catalogue import figure_of
from toprung.report.render import OutputFormat, render
from toprung.result import Result
from toprung.words.wording import list_names

if TYPE_CHECKING:
    from toprung.report.charts.figure import Chart

TEXTS = {
    ".txt": OutputFormat.TABLE,
    ".csv": OutputFormat.CSV,
    ".json": OutputFormat.JSON,
    ".md": OutputFormat.MARKDOWN,
    ".tex": OutputFormat.LATEX,
    ".html": OutputFormat.HTML,
}
FIGURES = (".svg", ".png", ".pdf")


def to_text(result: Result, output_format: str) -> str:
    """The result in a format that commands write."""
    return render(result, OutputFormat(output_format))


def plot(result: Result, kind: str | None) -> Chart:
    """The Altair chart of a result."""
    return figure_of(result, kind).to_chart()


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """To a file that is there whole or not at all; its ending says how."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in (*TEXTS, *FIGURES):
        known = list_names([*TEXTS, *FIGURES]).replace(" and ", " or ")
        raise InputError(f"{target}: found the ending '{ending}'; expected {known}.")
    check_folder(target)
    content = _draw(result, ending) if ending in FIGURES else render(result, TEXTS[ending]).encode()
    with replacing(target) as partial:
        partial.write_bytes(content)


def _draw(result: Result, ending: str) -> bytes:
    figure = figure_of(result)
    if ending == ".svg":
        return figure.to_svg().encode()
    return figure.to_png() if ending == ".png" else figure.to_pdf()

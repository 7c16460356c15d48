"""How does a result write itself? As text in every format, to a file by its ending, and as a chart."""

from __future__ import annotations

import os
from pathlib import Path

from toprung.data.formats.runs.writing import replacing
from toprung.data.formats.whole_files import check_folder, refuse_input
from toprung.report.charts.catalogue import figure_of
from toprung.report.charts.figure import Figure
from toprung.report.render import ENDINGS, PICTURE_ENDINGS, OutputFormat, check_ending, render
from toprung.result import Result


def to_text(result: Result, output_format: str) -> str:
    """The result in a format that commands write."""
    return render(result, OutputFormat(output_format))


def plot(result: Result, kind: str | None) -> Figure:
    """The figure of a result."""
    return figure_of(result, kind)


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """To a file that is there whole or not at all; its ending says how."""
    target = Path(path)
    check_ending(target, (*ENDINGS, *PICTURE_ENDINGS))
    check_folder(target)
    refuse_input(target)
    ending = target.suffix.lower()
    content = _draw(result, ending) if ending in PICTURE_ENDINGS else render(result, ENDINGS[ending]).encode()
    with replacing(target) as partial:
        partial.write_bytes(content)


def _draw(result: Result, ending: str) -> bytes:
    figure = figure_of(result)
    if ending == ".svg":
        return figure.to_svg().encode()
    return figure.to_png() if ending == ".png" else figure.to_pdf()

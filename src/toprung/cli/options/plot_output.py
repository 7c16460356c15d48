"""Where does a figure go, and as what? The ending of its file decides."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from toprung.data.formats.runs.writing import replacing
from toprung.errors import InputError
from toprung.report.charts.figure import PNG_SCALE, Figure
from toprung.words.wording import list_names


@dataclass(frozen=True, kw_only=True)
class FigureOutput:
    """What was asked for, checked before anything is computed."""

    path: Path | None
    dark: bool
    scale: float | None
    """Pixels for each point of a PNG."""

    def __post_init__(self) -> None:
        if self.path is None and sys.stdout.isatty():
            raise InputError(f"Found no --output; expected a file, {_say_endings()}, or a pipe, which gets SVG.")
        if self.ending not in WRITERS:
            raise InputError(f"Found --output {self.path}; expected {_say_endings()}.")
        if self.scale is not None and self.ending != ".png":
            raise InputError(f"Found --scale with {self.ending}; expected .png: only pixels have a number.")

    @property
    def ending(self) -> str:
        return ".svg" if self.path is None else self.path.suffix.lower()

    def write(self, figure: Figure) -> None:
        """To the file, whole or not at all, or to the pipe."""
        content = WRITERS[self.ending](figure, self)
        if self.path is None:
            click.echo(content)
            return
        with replacing(self.path) as partial:
            partial.write_bytes(content.encode() if isinstance(content, str) else content)


WRITERS: dict[str, Callable[[Figure, FigureOutput], str | bytes]] = {
    ".svg": lambda figure, asked: figure.to_svg(dark=asked.dark),
    ".png": lambda figure, asked: figure.to_png(dark=asked.dark, scale=asked.scale or PNG_SCALE),
    ".pdf": lambda figure, asked: figure.to_pdf(dark=asked.dark),
    ".html": lambda figure, asked: figure.to_html(dark=asked.dark),
    ".json": lambda figure, asked: figure.to_json(dark=asked.dark),
}


def _say_endings() -> str:
    return f"a name that ends in {list_names(list(WRITERS)).replace(' and ', ' or ')}"

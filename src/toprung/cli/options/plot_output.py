"""Where does a figure go, and as what? The ending of its file decides."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from toprung.errors import InputError
from toprung.report.charts.figure import PNG_SCALE, WRITERS, Figure, say_endings


@dataclass(frozen=True, kw_only=True)
class FigureOutput:
    """What was asked for, checked before anything is computed."""

    path: Path | None
    dark: bool
    scale: float | None
    """Pixels for each point of a PNG."""

    def __post_init__(self) -> None:
        if self.path is None and sys.stdout.isatty():
            raise InputError(
                f"Found no --output; expected a file, a name that ends in {say_endings()}, or a pipe, which gets SVG."
            )
        if self.ending not in WRITERS:
            raise InputError(f"Found --output {self.path}; expected a name that ends in {say_endings()}.")
        if self.scale is not None and self.ending != ".png":
            raise InputError(f"Found --scale with {self.ending}; expected .png: only pixels have a number.")

    @property
    def ending(self) -> str:
        return ".svg" if self.path is None else self.path.suffix.lower()

    def write(self, figure: Figure) -> None:
        """To the file, whole or not at all, or to the pipe."""
        if self.path is None:
            click.echo(figure.to_svg(dark=self.dark), nl=False)
        else:
            figure.save(self.path, dark=self.dark, scale=self.scale or PNG_SCALE)

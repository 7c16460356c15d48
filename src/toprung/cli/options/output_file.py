"""Can this file be written? Asked before anything is computed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from toprung.data.formats.whole_files import check_folder


class OutputFile(click.Path):
    """A file to write, in a folder that exists."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        check_folder(value)
        return super().convert(value, param, ctx)

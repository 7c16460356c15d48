"""Can this file be written? Asked before anything is computed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from toprung.errors import InputError


class OutputFile(click.Path):
    """A file to write, in a folder that exists."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        missing = say_missing_folder(os.fspath(value))
        if missing:
            raise InputError(missing)
        return super().convert(value, param, ctx)


def say_missing_folder(path: str) -> str:
    """That the file has no folder to stand in, if so.

    >>> say_missing_folder("nowhere/at-all/x.csv")
    'nowhere/at-all/x.csv: found no folder nowhere/at-all; make it, or name another.'
    """
    folder = os.path.dirname(path)
    return (
        f"{path}: found no folder {folder}; make it, or name another." if folder and not os.path.isdir(folder) else ""
    )

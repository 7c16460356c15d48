"""What is known of runs, for commands that need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from toprung.data.formats.tables.csv_table import list_columns
from toprung.data.formats.tables.metadata_files import read_metadata
from toprung.data.run_metadata import Metadata
from toprung.errors import InputError


def metadata_option[F: Callable[..., Any]](columns: str) -> Callable[[F], F]:
    """``--metadata``, which says what columns it is read for."""
    return click.option(
        "--metadata", metavar="FILE", required=True, help=f"A CSV or JSON list with the columns {columns}."
    )


dates_option = click.option(
    "--dates", metavar="FILE", help="A CSV with the columns run and date: the earlier of two alike goes first."
)


def read_known(path: str, *, column: str) -> Metadata:
    """What is known of runs, of which one at least has a value in the column."""
    known = read_metadata(path)
    if all(getattr(entry, column) in (None, "") for entry in known.entries):
        raise InputError(f"{path}: found no run with a {column}; expected a column '{column}'.{say_ignored(known)}")
    return known


def say_ignored(known: Metadata) -> str:
    """Which columns said nothing, where one may be a misspelling."""
    return f" Not known: {list_columns(known.ignored_columns)}." if known.ignored_columns else ""

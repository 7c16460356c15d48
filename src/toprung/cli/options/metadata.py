"""What is known of runs, for commands that need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from toprung.data.formats.tables.csv_table import list_columns
from toprung.data.run_metadata import Metadata


def metadata_option[F: Callable[..., Any]](columns: str) -> Callable[[F], F]:
    """``--metadata``, which says what columns it is read for."""
    return click.option(
        "--metadata", metavar="FILE", required=True, help=f"A CSV or JSON list with the columns {columns}."
    )


def say_ignored(known: Metadata) -> str:
    """Which columns said nothing, where one may be a misspelling."""
    return f" Not known: {list_columns(known.ignored_columns)}." if known.ignored_columns else ""

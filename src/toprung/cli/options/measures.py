"""``--measure`` of a command that takes one: a second is refused, not silently taken instead of the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from toprung.errors import InputError
from toprung.scoring.names import split_names


def one_measure_option[F: Callable[..., Any]](said: str, *, default: str | None = None) -> Callable[[F], F]:
    """``-m``, once; what it is for is said in the help."""
    return click.option(
        "--measure",
        "-m",
        multiple=True,
        default=() if default is None else (default,),
        show_default=True,
        callback=_take_one,
        help=said,
    )


def _take_one(context: click.Context, _: click.Parameter, measures: tuple[str, ...]) -> str | None:
    named = split_names(measures)
    if len(named) > 1:
        raise InputError(
            f"Found {len(named)} measures, {' and '.join(named)}; expected one: `{context.command_path}` takes "
            "one measure. `toprung table` shows several."
        )
    return named[0] if named else None

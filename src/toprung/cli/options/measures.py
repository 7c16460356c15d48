"""``--measure`` of a command that takes one: a second is refused, not silently taken instead of the first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from toprung.errors import InputError


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
    if len(measures) > 1:
        raise InputError(
            f"Found {len(measures)} measures, {' and '.join(measures)}; expected one: `{context.command_path}` takes "
            "one measure. `toprung table` shows several."
        )
    return measures[0] if measures else None

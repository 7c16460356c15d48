"""The correction of p-values among many, for commands that test several pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from toprung.stats.tests.corrections import CORRECTION_NAMES


def correction_option[F: Callable[..., Any]](of: str, *, default: str = "holm") -> Callable[[F], F]:
    """``--correction``, which says what is corrected for."""
    return click.option(
        "--correction",
        type=click.Choice(list(CORRECTION_NAMES)),
        default=default,
        show_default=True,
        help=f"For {of}.",
    )

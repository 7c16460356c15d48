"""How much harm a claim may do, on the command line: options of every command that holds claims to "no harm"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from toprung.cli.options.numbers import NumberRange

MARGIN = NumberRange(0, 1, min_open=True)


def margin_options[F: Callable[..., Any]](command: F) -> F:
    """Hand them on as ``Margins(answered=margin_answered, ranking=margin_ranking)``."""
    for decorate in (
        click.option("--margin-ranking", type=MARGIN, help="And in RR where both runs answer."),
        click.option(
            "--margin-answered",
            type=MARGIN,
            help="The harm a claim may do in queries answered, by no_harm; 0.01 to 0.1, by their number, if left out.",
        ),
    ):
        command = decorate(command)
    return command

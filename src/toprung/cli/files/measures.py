"""``toprung measures``: what can be measured?"""

from __future__ import annotations

import click

from toprung.cli.options.common import terminal_width
from toprung.result import Table
from toprung.scoring.external import external_names, has_ir_measures
from toprung.scoring.measures import NATIVE


@click.command()
def measures() -> None:
    """List the measures, with their parameters and defaults."""
    rows = tuple(
        (each.signature, ", ".join(each.aliases), each.aggregate.value, each.summary)
        for each in sorted(NATIVE, key=lambda each: each.name.lower())
    )
    table = Table(header=("measure", "also", "over queries", "what it is"), rows=rows)
    click.echo(table.to_text(width=terminal_width()))
    click.echo("\nrel: the lowest grade that counts as relevant. @k: only the first k documents.")
    if has_ir_measures():
        native = {name for each in NATIVE for name in (each.name, *each.aliases)}
        others = [name for name in external_names() if name not in native]
        click.echo(f"\nThrough ir_measures: {', '.join(others)}.")
    else:
        click.echo("\nInstall toprung[ir-measures] for all other measures that ir_measures knows.")

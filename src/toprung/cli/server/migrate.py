"""``toprung migrate``: bring the tables and static files of a board to this version."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from toprung.cli.server.web_options import data_option, need_django


@click.command()
@data_option
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 where something is behind.")
def migrate(*, data: Path | None, check: bool) -> None:
    """Make the tables of a board, or bring them and the static files to this version of Toprung.

    Run it before the parts of a newer version start. Where several run at once, one does the work.
    """
    need_django()
    from toprung.web.ops import start

    if check:
        pending = start.find_pending(data)
        for each in pending or ["everything is up to date"]:
            click.echo(f"{each[0].upper()}{each[1:]}.")
        sys.exit(1 if pending else 0)
    _, done = start.migrate(data)
    for each in done or ["everything was up to date"]:
        click.echo(f"{each[0].upper()}{each[1:]}.")

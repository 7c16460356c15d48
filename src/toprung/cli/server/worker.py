"""``toprung worker``: checks and scores runs, on its own."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from toprung.cli.server.web_options import data_option, need_django


@click.command()
@data_option
@click.option("--processes", type=click.IntRange(min=1), default=1, show_default=True, help="Each does one task.")
def worker(*, data: Path | None, processes: int) -> None:
    """Check and score runs and compute what pages show, until Ctrl-C or SIGTERM.

    Workers may run on several machines that share database and files. What one leaves undone another takes up.
    """
    need_django()
    from toprung.web.ops.run import run_workers

    sys.exit(run_workers(data, processes=processes, say=click.echo))

"""``toprung web``: the web server of a board, on its own."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from toprung.cli.server.web_options import data_option, need_django


@click.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for all addresses.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Which port; 0 for one that is free."
)
@click.option("--processes", type=click.IntRange(min=1), default=2, show_default=True, help="That answer requests.")
def web(*, data: Path | None, host: str, port: int, processes: int) -> None:
    """Run the web server of a board alone, until Ctrl-C or SIGTERM.

    Nothing is brought up to date: run `toprung migrate` before. Runs are checked and scored by `toprung worker`.
    """
    need_django()
    from toprung.web.ops.run import run_web

    sys.exit(run_web(data, host=host, port=port, processes=processes, say=click.echo))

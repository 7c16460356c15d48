"""``toprung serve``: host a leaderboard."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from toprung.cli.server.web_options import FIRST_ORGANISER, data_option, need_django


@click.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for all addresses.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Which port; 0 for one that is free."
)
@click.option(
    "--organiser",
    metavar="EMAIL",
    default=FIRST_ORGANISER,
    show_default=True,
    help="Who comes first to organise.",
)
@click.option("--processes", type=click.IntRange(min=1), default=2, show_default=True, help="Of the web server.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="That check and score runs; of several, one does nothing else.",
)
def serve(*, data: Path | None, host: str, port: int, organiser: str, processes: int, workers: int) -> None:
    """Host leaderboards with hidden labels: a web server and workers, until Ctrl-C.

    Everything lies in one folder: a SQLite database and the files. On the first start an organiser is made, and the
    link that lets them in is printed. The environment (TOPRUNG_URL, TOPRUNG_MAIL_URL, ...) sets the rest: see the docs.
    On a server the parts run on their own: toprung migrate, toprung web, toprung worker.
    """
    need_django()
    from toprung.web.ops.serve import Serving
    from toprung.web.ops.serve import serve as run_server

    asked = Serving(data_folder=data, host=host, port=port, organiser=organiser, processes=processes, workers=workers)
    sys.exit(run_server(asked, say=click.echo))

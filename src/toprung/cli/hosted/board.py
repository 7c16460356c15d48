"""``toprung board``: who stands where on a hosted board?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.hosted.options import connect, server_option
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.client.hosted_board import read_hosted_board
from toprung.report.render import OutputFormat


@click.command()
@click.argument("board")
@click.option(
    "--labels",
    type=click.IntRange(min=1),
    metavar="N",
    help="As of this version of the labels; the latest if left out.",
)
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, metavar="N", help="Show so many runs."
)
@server_option
@output_format_option
@output_option
def board(
    *,
    board: str,
    labels: int | None,
    limit: int,
    server: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Show the leaderboard of BOARD, in order of score: the address of its page, or the last part of it.

    A board that everybody may see needs no token.
    """
    connection, slug = connect(board, server)
    show(read_hosted_board(connection, slug, labels=labels, limit=limit), output_format, output)

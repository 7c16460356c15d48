"""``toprung status``: how far are my runs?"""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.hosted.options import connect, need_token, server_option, tell, timeout_option
from toprung.cli.options.common import output_format_option, output_option, show
from toprung.client.address import check_label
from toprung.client.connection import Connection
from toprung.client.following import Following
from toprung.client.hosted_runs import FAILED, HostedRun, HostedRuns, is_settled, say_state
from toprung.client.submitting import runs_of
from toprung.errors import InputError
from toprung.report.render import OutputFormat


@click.command()
@click.argument("board")
@click.argument("run", required=False)
@click.option("--team", metavar="SLUG", help="Only the runs of this team.")
@click.option("--follow", is_flag=True, help="Wait until RUN is done or failed.")
@timeout_option
@server_option
@output_format_option
@output_option
@click.pass_context
def status(
    ctx: click.Context,
    *,
    board: str,
    run: str | None,
    team: str | None,
    follow: bool,
    timeout: float,
    server: str,
    output_format: OutputFormat,
    output: Path | None,
) -> None:
    """Show how far the runs of your teams on BOARD are, or RUN alone, such as R32.

    Exits with 1 where RUN could not be scored.
    """
    if run is None and follow:
        raise InputError("Found --follow without a run; expected one, such as: toprung status BOARD R32 --follow")
    connection, slug = connect(board, server)
    if run is None:
        need_token(connection)
        found = sorted(runs_of(connection, slug, team), key=lambda each: each.text("submitted_at"), reverse=True)
        show(HostedRuns(board=connection.ask(f"boards/{slug}"), runs=tuple(found)), output_format, output)
        return
    one = look_at_run(connection, slug, check_label(run), timeout=timeout if follow else None)
    show(one, output_format, output)
    if one.run.text("state") == FAILED:
        ctx.exit(1)


def look_at_run(connection: Connection, board: str, label: str, *, timeout: float | None) -> HostedRun:
    """The run as it is, or as it is in the end."""
    path = f"boards/{board}/runs/{label}"
    if timeout is None:
        found = connection.ask(path)
    else:
        following = Following(connection=connection, timeout=timeout, on_change=lambda each: tell(say_state(each)))
        found = following.follow(path, is_settled)
    return HostedRun(run=found, board=connection.ask(f"boards/{board}"))

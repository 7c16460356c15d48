"""``toprung login-link``: let someone in without a password."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.server.web_options import data_option, need_django


@click.command()
@click.argument("email")
@data_option
@click.option("--organiser", is_flag=True, help="Let them make boards; who has no account gets one.")
def login_link(*, email: str, data: Path | None, organiser: bool) -> None:
    """Print a link that lets EMAIL into a board without a password, once, for a day.

    For who lost their password where no mail is sent. Run it on the machine of the board, whether it is served or not.
    """
    need_django()
    from toprung.web.ops.organisers import find_organiser, link_for
    from toprung.web.ops.start import open_folder

    environment = open_folder(data)
    if organiser:
        find_organiser(email)
    click.echo(link_for(environment, email))

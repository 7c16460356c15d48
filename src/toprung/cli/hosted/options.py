"""What the commands to a hosted board share: which board, as whom."""

from __future__ import annotations

import click

from toprung.cli.options.numbers import NumberRange
from toprung.client.address import read_board, read_server
from toprung.client.connection import Connection
from toprung.client.credentials import find_server, find_token
from toprung.errors import InputError

server_option = click.option(
    "--server", metavar="URL", default="", help="Where BOARD is, if it is named by the last part of its address alone."
)
timeout_option = click.option(
    "--timeout",
    type=NumberRange(min=1),
    default=1800.0,
    show_default=True,
    metavar="SECONDS",
    help="Follow no longer; what was submitted goes on.",
)


def connect(board: str, server: str) -> tuple[Connection, str]:
    """The server that is meant, and the board on it."""
    named = read_board(board)
    if named.server and server and named.server != read_server(server):
        raise InputError(f"Found BOARD at {named.server} and --server {read_server(server)}; expected one server.")
    chosen = named.server or find_server(server)
    return Connection(server=chosen, token=find_token(chosen), tell=tell), named.slug


def need_token(connection: Connection) -> None:
    if connection.token is None:
        raise InputError(
            f"Found no token for {connection.server}; expected one. Run this first: toprung login {connection.server}"
        )


def tell(message: str = "") -> None:
    """To a person, beside the result that goes to a file or a pipe."""
    click.echo(message, err=True)

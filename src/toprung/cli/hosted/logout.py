"""``toprung logout``: forget the token of a server."""

from __future__ import annotations

import click

from toprung.client.address import read_server
from toprung.client.connection import TOKENS_PAGE
from toprung.client.credentials import forget_token, read_tokens
from toprung.errors import InputError


@click.command()
@click.argument("url", required=False)
def logout(*, url: str | None) -> None:
    """Forget the token for the boards at URL; it may be left out where there is only one.

    The token itself goes on to work wherever else it was copied to, until you revoke it on the server.
    """
    known = sorted(read_tokens())
    if url is None and len(known) != 1:
        found = f"tokens for {', '.join(known)}" if known else "no token"
        raise InputError(f"Found {found}; expected one server: name it.")
    server = known[0] if url is None else read_server(url)
    if not forget_token(server):
        raise InputError(f"Found no token for {server}; expected one of {', '.join(known) or 'none'}.")
    click.echo(f"The token for {server} is forgotten here. To end it everywhere, revoke it at {server}{TOKENS_PAGE}")

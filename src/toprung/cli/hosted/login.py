"""``toprung login``: who am I on this server?"""

from __future__ import annotations

import sys

import click

from toprung.client.address import read_server
from toprung.client.connection import TOKENS_PAGE, Connection
from toprung.client.credentials import TOKEN_VARIABLE, check_token, keep_token
from toprung.client.record import Record
from toprung.errors import InputError
from toprung.words.wording import list_names


@click.command()
@click.argument("url")
@click.option("--token-stdin", is_flag=True, help="Read the token from standard input.")
def login(*, url: str, token_stdin: bool) -> None:
    """Keep a token for the boards at URL, so that you can submit from here.

    Make one on the page account/tokens/ of the server. It is asked for without being shown, tried, and kept in a file
    that only you can read; where nothing may be kept, set TOPRUNG_TOKEN instead.
    """
    server = read_server(url)
    Connection(server=server, token="to see whether one may be sent")  # noqa: S106 - it is not sent
    token = check_token(_read_token(server, from_stdin=token_stdin), "Token")
    me = Connection(server=server, token=token).ask("me")
    path = keep_token(server, token)
    click.echo(_say_who(me, server))
    click.echo(f"The token is kept in {path}.")


def _read_token(server: str, *, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline(1000)
    if not sys.stdin.isatty():
        raise InputError(f"Found no terminal to ask at; expected --token-stdin, or the token in {TOKEN_VARIABLE}.")
    click.echo(f"Make a token at {server}{TOKENS_PAGE}, and paste it here; it is not shown.", err=True)
    token: str = click.prompt("Token", hide_input=True, err=True)
    return token


def _say_who(me: Record, server: str) -> str:
    who = me.text("name") or me.text("email")
    bound = me.text("team")
    teams = [f"{team.text('name')} ({team.text('slug')})" for team in me.records("teams")]
    among = f"in {list_names(teams)}" if teams else "in no team yet"
    of = f"for the team {bound} alone" if bound else among
    scopes = me.texts("scopes")
    until = me.day("expires_at")
    return (
        f"You are {who} at {server}, {of}. The token may {list_names(list(scopes)) if scopes else 'do nothing'}"
        f"{'' if until is None else f', until {until:%Y-%m-%d}'}."
    )

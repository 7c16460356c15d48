"""``toprung publish``: the public pages of a board as plain files."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import click

from toprung.cli.options.progress import growing_progress
from toprung.cli.server.web_options import data_option, need_django
from toprung.errors import InputError
from toprung.words.wording import say_count

MEGABYTE = 1_000_000


@click.command()
@click.argument("slug", metavar="BOARD")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@data_option
@click.option(
    "--url",
    metavar="URL",
    help="Where people reach the server, for links to the board itself; TOPRUNG_URL when left out, unless it is local.",
)
def publish(*, slug: str, folder: Path, data: Path | None, url: str | None) -> None:
    """Write the public pages of BOARD into DIR, as files that need no server.

    DIR is made, or holds an earlier copy, which is replaced whole; anything else in it is refused. What is not public
    is not in it: the pages are those that somebody sees who is not signed in.
    """
    need_django()
    site = None if url is None else _check_url(url)
    from toprung.web.core.config.served_at import served_at
    from toprung.web.ops.start import open_folder

    environment = open_folder(data)
    from toprung.web.ops.publish.publish import find_board, publish_board
    from toprung.web.ops.publish.settings_of_copies import name_static_files_plainly

    name_static_files_plainly()
    board = find_board(slug)
    if site is None:
        site = _unless_local(served_at(environment))
    with growing_progress("reading") as tell:
        made = publish_board(board, folder, site=site, on_progress=tell)
    if made.is_behind:
        click.echo("toprung: newer results of this board are due; the copy has those before.", err=True)
    size = f"{made.n_bytes / MEGABYTE:.1f} MB"
    of = f"with the results of {made.results_of:%Y-%m-%d %H:%M} UTC" if made.results_of else "without results yet"
    click.echo(f"{board}: {say_count(made.n_files, 'file')}, {size}, {of}.")
    click.echo(f"Open {folder / made.first_page}")


def _check_url(url: str) -> str:
    """Without the slash at its end."""
    parts = urlsplit(url)
    is_sound = parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
    if not is_sound or any(character.isspace() or character in '"<>' for character in url):
        raise InputError(f"--url: found '{url}'; expected an address such as https://board.example.org.")
    return url.rstrip("/")


def _unless_local(url: str) -> str:
    host = urlsplit(url).hostname or ""
    is_local = host in ("localhost", "::1") or host.startswith("127.") or host.endswith(".localhost")
    return "" if is_local else url

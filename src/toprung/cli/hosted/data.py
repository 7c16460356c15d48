"""``toprung data``: fetch what a hosted board offers to work with."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.hosted.options import connect, server_option, tell
from toprung.cli.options.progress import byte_progress
from toprung.client.fetching import Fetching, NamedFile, check_terms
from toprung.errors import InputError
from toprung.words.wording import list_names, say_count


@click.command()
@click.argument("board")
@click.argument("names", nargs=-1)
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where to; a folder called as the board if left out.",
)
@click.option("--accept-terms", is_flag=True, help="Accept the terms of the files, which you have read.")
@click.option("--replace", is_flag=True, help="Overwrite files of the folder that differ from the board's.")
@server_option
def data(
    *, board: str, names: tuple[str, ...], into: Path | None, accept_terms: bool, replace: bool, server: str
) -> None:
    """Fetch what BOARD offers to work with, all files or those of these NAMES, and check that each is whole.

    Queries, labels of dev queries, passages, whatever its organisers give. What is there and right is not fetched
    again; what broke off goes on. BOARD is the address of its page, or the last part of it.
    """
    connection, slug = connect(board, server)
    offered = check_terms(connection, slug, connection.ask(f"boards/{slug}/data"), accepts=accept_terms)
    files = _choose([NamedFile.of(each) for each in offered.records("files")], names)
    folder = into or Path(slug)
    folder.mkdir(parents=True, exist_ok=True)
    fetching = Fetching(connection=connection, slug=slug, folder=folder, replaces=replace)
    missing = [file.name for file in files if not _has(fetching, file)]
    if missing:
        raise InputError(
            f"Found no whole {list_names(missing)} where the board says; expected all. The others are in {folder}."
        )
    click.echo(f"{say_count(len(files), 'file')} in {folder}, with the digests that the board names.")


def _has(fetching: Fetching, file: NamedFile) -> bool:
    """Whether the file is here and right now; what lies elsewhere and cannot be had is told, and the rest fetched."""
    if fetching.is_there(file):
        tell(f"{file.name}: there already")
        return True
    try:
        with byte_progress(file.size, file.name) as on_progress:
            fetching.fetch(file, on_progress)
    except InputError as error:
        if not file.link:
            raise
        tell(str(error))
        return False
    tell(f"{file.name}: fetched")
    return True


def _choose(files: list[NamedFile], names: tuple[str, ...]) -> list[NamedFile]:
    known = {file.name: file for file in files}
    if not known:
        raise InputError("Found no file on this board; expected some. Its organisers have not given any yet.")
    for name in names:
        if name not in known:
            raise InputError(f"Found no file '{name}' on this board; expected one of {', '.join(known)}.")
    return [known[name] for name in dict.fromkeys(names)] if names else files

"""``toprung backup``: all of a server in one file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toprung.cli.options.progress import byte_progress
from toprung.cli.server.ending import undone_if_ended
from toprung.cli.server.web_options import data_option, need_django
from toprung.words.wording import say_count

if TYPE_CHECKING:
    from toprung.web.ops.backup.contents import BackupManifest

MEGABYTE = 1_000_000


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; see whether FILE is a whole backup, byte by byte.")
@data_option
def backup(*, file: Path, check: bool, data: Path | None) -> None:
    """Write the database and all files of a server to a new FILE, while the server runs.

    FILE is as secret as the server: hidden labels, people's addresses and the server's keys are in it. It exits with 1
    where files are not there that must be.
    """
    need_django()
    if check:
        from toprung.boards.archive.reading import read_archive
        from toprung.web.ops.backup.contents import BACKUP

        with byte_progress(file.stat().st_size, "checking") as tell:
            found = read_archive(file, BACKUP, tell=tell)
        click.echo(f"{_describe(file, found.manifest)} Every byte is as it was written.")
        return
    from toprung.web.ops.start import open_folder

    environment = open_folder(data, as_it_is=True)
    from toprung.web.ops.backup.backing_up import back_up

    with undone_if_ended(), byte_progress(0, "writing") as tell:
        made = back_up(environment, file, tell)
    click.echo(_describe(file, made))
    click.echo("Hidden labels, addresses and keys are in it: keep it as secret as the server.")
    if made.facts.forgotten:
        click.echo(f"{say_count(len(made.facts.forgotten), 'file')} of uploads that nobody submitted went meanwhile.")
    for name in made.facts.lost:
        click.echo(f"{name}: found nothing; expected a file that the database names.", err=True)
    sys.exit(1 if made.facts.lost else 0)


def _describe(file: Path, found: BackupManifest) -> str:
    from toprung.web.ops.backup.contents import count_files

    size, files = f"{file.stat().st_size / MEGABYTE:,.1f} MB", say_count(count_files(found), "file")
    database = f"the {found.facts.database} database as of {found.made_at}"
    return f"{file}: {database} and {files}, {size}, of Toprung {found.toprung}."

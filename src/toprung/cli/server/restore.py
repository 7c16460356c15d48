"""``toprung restore``: a server from its backup."""

from __future__ import annotations

from pathlib import Path

import click

from toprung.cli.options.progress import byte_progress
from toprung.cli.server.ending import undone_if_ended
from toprung.cli.server.web_options import data_option, need_django
from toprung.words.wording import list_names, say_count


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
def restore(*, file: Path, data: Path | None) -> None:
    """Bring back what FILE holds, into a place that is empty: no database, no files.

    The environment says where, as it does for the server. Every byte is checked before anything is changed.
    """
    need_django()
    from toprung.web.ops.start import start_django

    environment = start_django(data)
    from toprung.web.ops.backup.contents import count_files
    from toprung.web.ops.backup.restoring import restore as bring_back

    with undone_if_ended(), byte_progress(file.stat().st_size, "checking") as tell:
        found = bring_back(environment, file, tell)
    click.echo(f"Restored the database as of {found.made_at} and {say_count(count_files(found), 'file')}.")
    lost = found.facts.lost
    if lost:
        click.echo(f"Lost before the backup was made: {say_count(len(lost), 'file')}, {list_names(list(lost))}.")
    where = f" --data {data}" if data is not None else ""
    click.echo(f"Next: toprung migrate{where}, then start the server. It goes on with what was queued.")
    click.echo("Where the old server still runs, end it first: both would mail people and score the same runs.")

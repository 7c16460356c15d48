"""``toprung verify``: is this bundle of a board what was made, and by which key?"""

from __future__ import annotations

import json
from pathlib import Path

import click

from toprung.cli.options.progress import byte_progress
from toprung.data.formats.content import refuse_stream
from toprung.errors import InputError

key_option = click.option(
    "--key", metavar="FINGERPRINT", help="The key that must have signed it; the board's page tells its fingerprint."
)
bundle_argument = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))


@click.command()
@bundle_argument
@key_option
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def verify(*, file: Path, key: str | None, as_json: bool) -> None:
    """Check a bundle that `toprung export` wrote: every byte of it, and what it says.

    Needs no server and no database. Exits with 2 where something is not as it was signed, or does not hold together.
    """
    check_is_file(file)
    from toprung.boards.archive.verifying import verify_bundle

    with byte_progress(file.stat().st_size, "verifying") as tell:
        found = verify_bundle(file, key=key, tell=tell)
    click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if as_json else str(found))


def check_is_file(file: Path) -> None:
    refuse_stream(file)
    if not file.is_file():
        what = "a folder" if file.is_dir() else "no such file"
        raise InputError(f"{file}: found {what}; expected a bundle of a board.")

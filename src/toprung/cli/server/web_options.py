"""What the commands around a board share."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from toprung.errors import MissingPackageError

FIRST_ORGANISER = "organiser@localhost"
data_option = click.option(
    "--data",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of database and files; TOPRUNG_DATA, or ./toprung-data, when left out.",
)


def need_django() -> None:
    if find_spec("django") is None:
        raise MissingPackageError("Found no Django; expected the extra: pip install 'toprung[web]'.")

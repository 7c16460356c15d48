"""How is a data folder opened? Its environment read, Django started, its tables made or looked at."""

from __future__ import annotations

import os
from pathlib import Path

from toprung.errors import InputError
from toprung.web.core.config.databases import has_tables, refuse_damaged
from toprung.web.core.config.environment import Environment
from toprung.web.ops.backup.cut_short import refuse_files_alone, refuse_half_restored
from toprung.web.ops.migrate import bring_up_to_date, find_pending_files, find_pending_tables, refuse_behind

SETTINGS = "toprung.web.ops.settings"
PRIVATE = 0o077
"""What is made in the data folder is for its owner alone: hidden labels lie there."""


def set_up(data_folder: Path | None) -> Environment:
    """Make the folder and the tables, and put the static files where the server finds them; harmless when repeated."""
    environment, _ = migrate(data_folder)
    return environment


def migrate(data_folder: Path | None) -> tuple[Environment, list[str]]:
    """The same, with what was done, in words."""
    environment = start_django(data_folder)
    refuse_half_restored(environment)
    refuse_damaged(environment)
    return environment, bring_up_to_date(environment)


def find_pending(data_folder: Path | None) -> list[str]:
    """What ``migrate`` would do, as far as it can be known beforehand; nothing is changed."""
    environment = start_django(data_folder)
    refuse_damaged(environment)
    return find_pending_tables(environment) + find_pending_files()


def open_folder(data_folder: Path | None, *, as_it_is: bool = False) -> Environment:
    """A folder that was served before, for commands beside the server; nothing is made or changed.

    Its tables must be those of this version, unless it is to be taken ``as_it_is``.
    """
    named = read_environment(data_folder, draws_key=False)
    if named.postgres is None and not named.database.exists():  # asked first: Django's settings make folder and key
        raise _no_database(named)
    environment = start_django(data_folder)
    if not has_tables(environment):
        raise _no_database(environment)
    if not as_it_is:
        refuse_behind(find_pending_tables(environment))
    return environment


def _no_database(environment: Environment) -> InputError:
    refuse_files_alone(environment)
    where = environment.postgres or environment.data_folder
    return InputError(f"{where}: found no database; expected the data of a board. Start one: toprung serve.")


def open_or_make(data_folder: Path | None) -> Environment:
    """The same for commands that may come first: where no tables are, they are made."""
    environment = start_django(data_folder)
    return open_folder(data_folder) if has_tables(environment) else set_up(data_folder)


def start_django(data_folder: Path | None) -> Environment:
    """What everything that asks the database begins with."""
    import django

    environment = read_environment(data_folder)
    django.setup()
    return environment


def read_environment(data_folder: Path | None, *, draws_key: bool = True) -> Environment:
    """What the options and the environment say, for this process and its children; an InputError names the fault."""
    os.umask(PRIVATE)
    if data_folder is not None:
        os.environ["TOPRUNG_DATA"] = str(data_folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = SETTINGS
    return Environment.read(os.environ, draws_key=draws_key)

"""Can the board's database be used? Said before anything is done with it, whichever kind it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toprung.errors import InputError
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.postgres import SECONDS_KEPT


def django_settings(environment: Environment) -> dict[str, Any]:
    """A file in the data folder, unless a server was named."""
    if environment.postgres is not None:
        return environment.postgres.django_settings()
    return sqlite_settings(environment.database)


def sqlite_settings(file: Path) -> dict[str, Any]:
    """IMMEDIATE: a transaction that will write takes the lock at once, and waits, instead of failing half way.

    A connection is kept: whoever closes the last one moves all that was written to the database and waits for the disk.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        "CONN_MAX_AGE": SECONDS_KEPT,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }


def unusable(environment: Environment, error: Exception) -> InputError:
    """What is said where the database does not do what it is asked."""
    why = " ".join(str(error).split())  # servers answer in several lines
    if environment.postgres is not None:
        return InputError(
            f"{environment.postgres}: found a server that cannot be used ({why}); expected one that lets this user "
            "make tables in it. Does it run, and is TOPRUNG_DATABASE_URL right?"
        )
    return InputError(
        f"{environment.database}: found a database that cannot be used ({why}); expected one of Toprung's, or none. Is "
        "the disk full, or the file another program's?"
    )


def has_tables(environment: Environment) -> bool:
    """Whether a board's tables are there; an InputError says why it cannot be known. Django must be set up."""
    from django.db import DatabaseError, connection

    if environment.postgres is None and not environment.database.exists():  # to look into it would make it
        return False
    try:
        return "django_migrations" in connection.introspection.table_names()
    except DatabaseError as error:
        raise unusable(environment, error) from None

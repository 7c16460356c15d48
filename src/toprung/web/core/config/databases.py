"""Can the board's database be used? Said before anything is done with it, whichever kind it is."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from toprung.errors import InputError
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.postgres import SECONDS_KEPT

SECONDS_TO_LOCK = 30
DAMAGE_OF_SQLITE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGE_OF_POSTGRES = ("XX001", "XX002")
"""Data corrupted, index corrupted."""
EMPTY = "the file is empty"
NOTED_IN = "database-damaged"
"""The file in the data folder that says what is damaged: it cannot be trusted to the database."""


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
            "timeout": SECONDS_TO_LOCK,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }


def unusable(environment: Environment, error: Exception) -> InputError:
    """What is said where the database does not do what it is asked."""
    why = " ".join(str(error).split())  # servers answer in several lines
    if is_damage(error):
        return damaged(environment, why)
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
    if environment.postgres is None and environment.database.stat().st_size == 0:  # to look into it would fill it
        raise damaged(environment, EMPTY)
    try:
        return "django_migrations" in connection.introspection.table_names()
    except DatabaseError as error:
        raise unusable(environment, error) from None


def make_empty_database(environment: Environment) -> None:
    """Make SQLite's file where there is none. It gets its name once it is a database, for an empty file is damaged."""
    if environment.postgres is None and not environment.database.exists():
        begun = environment.database.with_name(f"{environment.database.name}.begun")
        with closing(sqlite3.connect(begun)) as database:
            database.execute("PRAGMA journal_mode=WAL")
        begun.replace(environment.database)


def find_damage(file: Path) -> str:
    """Read all pages of SQLite's file and say what is wrong; empty where nothing is. Who writes meanwhile waits not."""
    if not file.exists():
        return "the file is gone"
    if file.stat().st_size == 0:
        return EMPTY
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=SECONDS_TO_LOCK)) as read:
            ((found,),) = read.execute("PRAGMA quick_check(1)").fetchall()
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        found = str(error)
    return "" if found == "ok" else " ".join(found.removeprefix("*** in database main ***").split())


def is_damage(error: BaseException | None) -> bool:
    """Whether a database says that it cannot read what it has stored; Django names its error as the cause."""
    return any(
        getattr(each, "sqlite_errorcode", 0) & 0xFF in DAMAGE_OF_SQLITE
        or getattr(each, "sqlstate", None) in DAMAGE_OF_POSTGRES
        for each in (error, getattr(error, "__cause__", None))
    )


def damaged(environment: Environment, found: str) -> InputError:
    """What is said of it; where a server holds it, its own log says more, and its tools may mend it."""
    folder = environment.data_folder
    where, moved = (environment.database, folder) if environment.postgres is None else (environment.postgres, "it")
    return InputError(
        f"{where}: found a damaged database ({found}); expected one that can be read whole. Stop all that runs on it, "
        f"move {moved} away, and bring back the last good backup: toprung restore BACKUP --data {folder}"
    )


def refuse_damaged(environment: Environment) -> None:
    """Nothing starts on a damaged file; what was noted of an earlier one is forgotten. A server looks at its own."""
    if environment.postgres is None and environment.database.exists():
        try:
            found = find_damage(environment.database)
        except sqlite3.DatabaseError as error:
            raise unusable(environment, error) from None
        if found:
            raise damaged(environment, found)
    forget_damage(environment)


def explain(error: Exception) -> InputError | None:
    """What a command says where the database is away or damaged; None for a fault of ours."""
    from django.conf import settings
    from django.db import InterfaceError, OperationalError

    is_ours = not (is_damage(error) or isinstance(error, OperationalError | InterfaceError))
    return None if is_ours else unusable(settings.ENVIRONMENT, error)


def note_damage(environment: Environment, found: str) -> None:
    """For readiness and organisers, until a check finds nothing."""
    with suppress(OSError):
        (environment.data_folder / NOTED_IN).write_text(" ".join(found.split()))


def noted_damage(environment: Environment) -> str:
    """What is damaged; empty where nothing is known to be."""
    try:
        return (environment.data_folder / NOTED_IN).read_text() or "not said how"
    except OSError:
        return ""


def forget_damage(environment: Environment) -> None:
    with suppress(OSError):
        (environment.data_folder / NOTED_IN).unlink()

"""How is a database copied while others write to it, and put back? As SQLite does it, or by PostgreSQL's programs."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from toprung.errors import InputError
from toprung.web.core.config.databases import damaged, find_damage, note_damage, unusable
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.postgres import PostgresServer
from toprung.web.ops.backup.contents import DatabaseKind
from toprung.web.ops.backup.named_files import Ask

SECONDS_TO_WAIT = 60.0
"""For a lock; a snapshot itself waits for nobody."""
LOOKED_EVERY = 30.0
"""Seconds after which it is looked whether the server still answers."""

COMPRESSION = 1
"""The least: nearly all is columns that are packed already, for which more takes three times as long and saves 4%."""

type Change = Callable[[str, Sequence[Any]], object]
"""Does a statement in SQL, with ``?`` for its values."""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The database as it was at one moment."""

    file: Path
    ask: Ask
    tables: tuple[str, ...]


def kind_of(environment: Environment) -> DatabaseKind:
    return "sqlite" if environment.postgres is None else "postgresql"


@contextmanager
def taken(environment: Environment, folder: Path) -> Iterator[Snapshot]:
    """A snapshot in a file of this folder, and answers from the same moment for as long as it is used."""
    file = folder / "database"
    if environment.postgres is None:
        with closing(_copy_sqlite(environment, file)) as copy:
            yield _of(file, lambda question: copy.execute(question).fetchall())
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        (number,) = cursor.fetchone()
        options = ("--format=custom", f"--compress={COMPRESSION}", f"--snapshot={number}", f"--file={file}")
        _run(environment.postgres, "pg_dump", *options, f"--lock-wait-timeout={SECONDS_TO_WAIT:.0f}s")
        yield _of(file, partial(_ask, cursor))


def _of(file: Path, ask: Ask) -> Snapshot:
    return Snapshot(file=file, ask=ask, tables=tuple(connection.introspection.table_names()))


def _copy_sqlite(environment: Environment, target: Path) -> sqlite3.Connection:
    """In one step, which sees one state of it; writers go on, for the journal keeps what they change apart.

    Pages are copied as they are, damaged ones too, so the copy is checked: nobody else is kept waiting for that.
    """
    copy = sqlite3.connect(target, timeout=SECONDS_TO_WAIT)
    try:
        with closing(sqlite3.connect(environment.database, timeout=SECONDS_TO_WAIT)) as database:
            database.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that it is one file
        found = find_damage(target)
    except sqlite3.DatabaseError as error:
        copy.close()
        raise unusable(environment, error) from None
    if found:
        copy.close()
        note_damage(environment, found)
        raise damaged(environment, found)
    return copy


def put_back(environment: Environment, file: Path, mend: Callable[[Ask, Change], None]) -> None:
    """Make the empty database what the file holds; ``mend`` puts right in it what is known to be missing beside it.

    SQLite's is the file itself, which must lie on the same disk.
    """
    if environment.postgres is None:
        with closing(sqlite3.connect(file, timeout=SECONDS_TO_WAIT)) as database:
            mend(lambda question: database.execute(question).fetchall(), database.execute)
            database.commit()
        os.replace(file, environment.database)
        return
    # In one transaction, so that a fault leaves it as empty as it was.
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-comments")
    _run(environment.postgres, "pg_restore", *options, f"--dbname={environment.postgres.name}", str(file))
    with transaction.atomic(), connection.cursor() as cursor:
        mend(partial(_ask, cursor), lambda statement, values: cursor.execute(statement.replace("?", "%s"), values))


def _ask(cursor: CursorWrapper, question: str) -> list[tuple[Any, ...]]:
    cursor.execute(question)
    return list(cursor.fetchall())


def check_programs(environment: Environment, program: str) -> None:
    """Said before anything else is done."""
    if environment.postgres is not None and shutil.which(program) is None:
        raise InputError(
            f"Found no {program}, PostgreSQL's own program; expected it: install postgresql-client, of the server's "
            "version or later."
        )


def _run(server: PostgresServer, program: str, *arguments: str) -> None:
    """It takes as long as it takes, while the server answers: these programs wait for one that is stopped for ever."""
    connection.ensure_connection()
    with subprocess.Popen(  # noqa: S603 - our own arguments
        [program, "--no-password", *arguments],
        env=os.environ | server.client_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            said = _wait_for(process)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        why = " ".join(said.split()[:100])
        raise InputError(f"{server}: found that {program} failed ({why}); expected it to do all of it.")


def _wait_for(process: subprocess.Popen[str]) -> str:
    """What it said of its faults."""
    while True:
        try:
            return process.communicate(timeout=LOOKED_EVERY)[1]
        except subprocess.TimeoutExpired:
            if not connection.connection.server_answers():
                process.kill()
                return "the server does not answer"

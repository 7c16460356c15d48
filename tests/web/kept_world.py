"""The world of ``busy_boards.py`` takes long to make, so it is made once a run, and its rows and files are kept.

Whichever process of tests needs it first makes it, and the others wait; each file of tests has it put into its own
database and its own folder of files, on SQLite and PostgreSQL alike.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core import mail
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import override_settings
from tests.web.busy_boards import World, make_world
from tests.web.listening import listening

from toprung.web.core.config.environment import MailServer
from toprung.web.services.results.compare import store as comparisons
from toprung.web.services.runs import pieces
from toprung.web.services.runs import receive as receiving

MAIL = MailServer(host="mail.example.org", port=587, user="", password="", speaks_tls=False)
PICKLE, FILES = "world.pickle", "files"


@dataclass(frozen=True, kw_only=True)
class Rows:
    """What a table holds."""

    columns: Sequence[str]
    values: Sequence[Sequence[Any]]


@dataclass(frozen=True, kw_only=True)
class KeptWorld:
    """The world, its rows by table, and what was sent and logged while it was made."""

    world: World
    rows: dict[str, Rows]
    sent: list[mail.EmailMessage]
    log: list[str]


def folder_of_this_run(factory: pytest.TempPathFactory) -> Path:
    """The same for all processes of a run."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "world"
    folder.mkdir(exist_ok=True)
    return folder


def keep_world(folder: Path) -> KeptWorld:
    """What the folder holds; made before, where nobody has yet."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / PICKLE).exists():
            made = _make(folder / FILES)
            (folder / PICKLE).write_bytes(pickle.dumps(made))
    return read_world(folder)


def read_world(folder: Path) -> KeptWorld:
    kept: KeptWorld = pickle.loads((folder / PICKLE).read_bytes())
    return kept


@contextmanager
def world_put_back(kept: KeptWorld, folder: Path, files: Path) -> Iterator[None]:
    """The world as it was made, with a copy of its files; what happens to it is undone."""
    shutil.copytree(folder / FILES, files)
    with stored_in(files), transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(receiving, "MOST_WAITING", 100)  # the same few people have filled all boards
        patch.setattr(receiving, "MOST_IN_AN_HOUR", 1_000)
        patch.setattr(pieces, "MOST_OPEN", 100)
        write_rows(kept.rows)
        yield
        transaction.set_rollback(True)


def write_rows(rows: dict[str, Rows]) -> None:
    """Into tables that are empty; what is made after gets the numbers that follow."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        for table, each in rows.items():
            columns, places = ", ".join(map(quote, each.columns)), ", ".join(["%s"] * len(each.columns))
            cursor.executemany(f"INSERT INTO {quote(table)} ({columns}) VALUES ({places})", each.values)
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(statement)


@contextmanager
def stored_in(files: Path) -> Iterator[None]:
    """Files are stored in this folder."""
    default = settings.STORAGES["default"]
    there = default | {"OPTIONS": default["OPTIONS"] | {"location": files}}
    with override_settings(STORAGES=settings.STORAGES | {"default": there}):
        yield


def _make(files: Path) -> KeptWorld:
    names = connection.introspection.django_table_names(only_existing=True)
    tables = [name for name in names if not _read(name).values]
    with (
        stored_in(files),
        transaction.atomic(),
        listening() as log,
        override_settings(ENVIRONMENT=replace(settings.ENVIRONMENT, mail=MAIL)),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(comparisons, "MOST_IN_ADVANCE", 3)  # the others are made when somebody asks
        mail.outbox.clear()
        world, sent = make_world(), list(mail.outbox)
        mail.outbox.clear()
        rows = {name: rows for name in tables if (rows := _read(name)).values}
        transaction.set_rollback(True)
    return KeptWorld(world=world, rows=rows, sent=sent, log=log)


def _read(table: str) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
        return Rows(columns=[column[0] for column in cursor.description], values=cursor.fetchall())

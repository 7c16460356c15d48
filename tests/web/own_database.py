"""A database of a test's own, for boards that run in processes of their own: a file, or one on the server it is given.

The whole suite runs on PostgreSQL when ``TOPRUNG_DATABASE_URL`` names a server; see ``scripts/with_postgres.py``.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 300.0
"""Seconds that anything may take before the test gives up."""
SERVER = os.environ.get("TOPRUNG_DATABASE_URL", "")
"""The PostgreSQL that tests are to run on; empty for SQLite."""


class OwnDatabase:
    """Empty at first, or as another; SQLite's is the file that a board makes in its data folder."""

    def __init__(self, folder: Path, server: str = SERVER, *, like: OwnDatabase | None = None) -> None:
        self.file, self.server = folder / "toprung.sqlite3", server
        self.name = f"board_{secrets.token_hex(6)}"
        self.url = urlsplit(server)._replace(path=f"/{self.name}").geturl() if server else ""
        if server:
            self._command_server(f"CREATE DATABASE {self.name}" + (f" TEMPLATE {like.name}" if like else ""))
        elif like:
            shutil.copyfile(like.file, self.file)

    @property
    def environment(self) -> dict[str, str]:
        """What a process must be told to use it."""
        return {"TOPRUNG_DATABASE_URL": self.url}

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        """Look into it, beside the processes of the board."""
        with self._connect() as connection:
            return connection.execute(question).fetchall()

    def change(self, statement: str, *values: object) -> int:
        """Change what is stored, with ``?`` for the values; returns how many rows."""
        with self._connect() as connection:
            changed = connection.execute(statement.replace("?", "%s") if self.server else statement, values).rowcount
            connection.commit()
        return int(changed)

    def drop(self) -> None:
        """Whoever still looks at it."""
        if self.server:
            self._command_server(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")

    @contextmanager
    def _connect(self) -> Iterator[Any]:
        if not self.server:
            with closing(sqlite3.connect(self.file, timeout=PATIENCE)) as connection:
                yield connection
            return
        import psycopg

        with psycopg.connect(self.url) as connection:
            yield connection

    def _command_server(self, command: str) -> None:
        import psycopg

        with psycopg.connect(self.server, autocommit=True) as connection:
            connection.execute(command)

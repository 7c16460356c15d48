"""Django's backend for PostgreSQL, with a bound for every wait.

PostgreSQL keeps its own timeouts, so a server that is stopped keeps none. Its kernel goes on acknowledging, so TCP
finds nothing wrong either. Only the client can end such a wait: it closes the connection, for an answer may still come.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any, ClassVar

import psycopg
from django.db.backends.postgresql import base
from psycopg import pq
from psycopg.errors import ConnectionTimeout

LOOKED_EVERY = 30.0
"""Seconds without an answer after which a statement that may take long has the server asked whether it is there."""
PAUSE = 5.0
"""Seconds for which a process asks a server nothing that did not answer."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that is closed when the server does not answer."""

    answers_within: float | None = None
    """Seconds for each statement; None for as long as the server answers others."""

    def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
        """Called by psycopg for everything that waits for the server."""
        return super().wait(self._watched(gen), *arguments, **options)

    def _watched(self, gen: Any) -> Generator[Any, Any, Any]:
        """The same steps; psycopg comes by ten times a second where nothing has arrived."""
        limit = self.answers_within
        latest = time.monotonic() + (LOOKED_EVERY if limit is None else limit)
        try:
            step = next(gen)
            while True:
                ready = yield step
                if not ready and time.monotonic() >= latest:
                    if limit is not None or not self.server_answers():
                        self._give_up()
                    latest = time.monotonic() + LOOKED_EVERY
                step = gen.send(ready)
        except StopIteration as done:
            return done.value

    def server_answers(self) -> bool:
        """Whether the server answers somebody who comes now; that takes the seconds to connect at most."""
        return pq.PGconn.ping(self.info.dsn.encode()) != pq.Ping.NO_RESPONSE

    def _give_up(self) -> None:
        self.pgconn.finish()
        _begin_pause()
        raise psycopg.OperationalError("the server did not answer in time, so the connection was closed")


class _Driver:
    """psycopg, but for the kind of connection that it makes."""

    connect = BoundedConnection.connect

    def __getattr__(self, name: str) -> Any:
        return getattr(psycopg, name)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with bounded connections. After a timeout one request at a time tries whether the server answers.

    The others fail at once meanwhile: else each thread of a web server would wait, and none would be left to answer.
    """

    Database = _Driver()  # type: ignore[assignment] # Django reads names of it, and calls connect
    away_until: ClassVar[float] = 0.0
    """By the monotonic clock, for all connections of this process; 0 while the server answers."""

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        params.pop("answers_within", None)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> BoundedConnection:
        if _is_pausing():
            raise psycopg.OperationalError("the server did not answer a moment ago")
        if DatabaseWrapper.away_until:
            _begin_pause()
        try:
            connection: BoundedConnection = super().get_new_connection(conn_params)
        except ConnectionTimeout:
            _begin_pause()
            raise
        DatabaseWrapper.away_until = 0.0
        connection.answers_within = self.settings_dict["OPTIONS"].get("answers_within")
        return connection

    def is_usable(self) -> bool:
        """Asked before each request of a connection that was used before, and bounded as connecting is."""
        if self.connection is None or _is_pausing():
            return False
        usual = self.connection.answers_within
        self.connection.answers_within = self.settings_dict["OPTIONS"]["connect_timeout"]
        try:
            return bool(super().is_usable())
        finally:
            self.connection.answers_within = usual


def _is_pausing() -> bool:
    return time.monotonic() < DatabaseWrapper.away_until


def _begin_pause() -> None:
    DatabaseWrapper.away_until = time.monotonic() + PAUSE

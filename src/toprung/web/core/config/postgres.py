"""Which PostgreSQL holds the board? As one address says it, checked; its password is never shown."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from toprung.errors import InputError

VARIABLE = "TOPRUNG_DATABASE_URL"
ENGINE = "toprung.web.core.bounded_postgres"
EXPECTED = "postgresql://USER:PASSWORD@HOST:PORT/NAME, or postgresql://USER@/NAME?host=/run/postgresql"
SCHEMES = ("postgresql", "postgres")
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
SSL_FILES = ("sslrootcert", "sslcert", "sslkey")
SECONDS_TO_CONNECT = 10
LINE_OPTIONS = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds
}
"""By libpq's names: how soon a server is found gone whose machine does not even acknowledge; of sockets, nothing."""
REQUEST_OPTIONS = {
    "connect_timeout": 3,
    "options": "-c lock_timeout=5s -c statement_timeout=8s",  # kept by the server
    "answers_within": 9,  # kept by us, for a server that keeps nothing
}
"""What a request of the web waits for at most, in seconds. Each may end in another, and all of them in less than 15."""
SECONDS_KEPT = 300
"""How long a connection is used again; before each request it is looked at whether it still stands."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PostgresServer:
    """A database on a server, and how it is reached."""

    host: str
    """A name, an address, or the folder of a socket; empty for where PostgreSQL's client looks by itself."""
    port: int
    name: str
    user: str
    password: str
    ssl: tuple[tuple[str, str], ...]
    """What was said of TLS, by libpq's names."""

    def __str__(self) -> str:
        where = self.host if self.host.startswith("/") else f"{self.host or 'this machine'}:{self.port}"
        return f"PostgreSQL database '{self.name}' at {where}"

    def __repr__(self) -> str:
        return f"PostgresServer({self})"  # never the password

    def django_settings(self) -> dict[str, Any]:
        """Work that must not meet is parted by locks on rows (``lock_board``), so that reads need wait for nothing."""
        return {
            "ENGINE": ENGINE,
            "NAME": self.name,
            "USER": self.user,
            "PASSWORD": self.password,
            "HOST": self.host,
            "PORT": str(self.port),
            "CONN_MAX_AGE": SECONDS_KEPT,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {
                "connect_timeout": SECONDS_TO_CONNECT,
                "application_name": "toprung",
                **LINE_OPTIONS,
                **dict(self.ssl),
            },
        }

    def client_environment(self) -> dict[str, str]:
        """For PostgreSQL's own programs: by variables, since arguments can be read by everyone on the machine."""
        ssl = {f"PG{name.upper()}": value for name, value in self.ssl}
        said = {"PGHOST": self.host, "PGPORT": str(self.port), "PGUSER": self.user, "PGPASSWORD": self.password}
        return {name: value for name, value in said.items() if value} | {"PGDATABASE": self.name} | ssl


def limit_requests(database: dict[str, Any]) -> None:
    """Bound what requests of this process wait for, by Django's settings of the database. Workers may take longer."""
    if database["ENGINE"] == ENGINE:
        database["OPTIONS"] |= REQUEST_OPTIONS


def read_database_url(text: str) -> PostgresServer | None:
    """The server that an address names; None without one. It may hold a password, so no message quotes it."""
    if not text:
        return None
    try:
        url = urlsplit(text)
        port = url.port or 5432
        said = dict(parse_qsl(url.query, keep_blank_values=True, strict_parsing=bool(url.query)))
    except ValueError:
        raise InputError(f"{VARIABLE}: found an address that cannot be read; expected {EXPECTED}.") from None
    name = unquote(url.path.removeprefix("/"))
    if url.scheme not in SCHEMES or not name or "/" in name or url.fragment or (url.password and not url.username):
        raise InputError(f"{VARIABLE}: found another kind of address; expected {EXPECTED}.")
    _check_client()
    return PostgresServer(
        host=_read_host(url.hostname or "", said.pop("host", "")),
        port=port,
        name=name,
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        ssl=_read_ssl(said),
    )


def _read_host(before_slash: str, in_query: str) -> str:
    """A folder cannot stand where a host does, so it stands behind the question mark."""
    if before_slash and in_query:
        raise InputError(f"{VARIABLE}: found two hosts; expected one, before the name or as ?host=FOLDER.")
    return in_query or unquote(before_slash)


def _read_ssl(said: dict[str, str]) -> tuple[tuple[str, str], ...]:
    known = ("sslmode", *SSL_FILES)
    unknown = sorted(said.keys() - set(known))
    if unknown:
        raise InputError(f"{VARIABLE}: found the option '{unknown[0]}'; expected some of host, {', '.join(known)}.")
    mode = said.get("sslmode", "prefer")
    if mode not in SSL_MODES:
        raise InputError(f"{VARIABLE}: found sslmode '{mode}'; expected one of {', '.join(SSL_MODES)}.")
    return tuple((name, said[name]) for name in known if name in said)


def _check_client() -> None:
    if importlib.util.find_spec("psycopg") is None:
        raise InputError(
            f"{VARIABLE}: found no psycopg, which speaks to PostgreSQL; expected it: pip install 'toprung[postgres]'."
        )

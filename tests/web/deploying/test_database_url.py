"""A PostgreSQL in the place of the file: named by one address, checked at the start, its password never shown."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest
from tests.warm.python import TOPRUNG, run_warm

from toprung.errors import InputError
from toprung.web.core.config.databases import django_settings
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.postgres import PostgresServer

KEY = {"TOPRUNG_SECRET_KEY": "k" * 40}
SECRET = "hunter2hunter2"


def read(url: str) -> PostgresServer:
    found = Environment.read(KEY | {"TOPRUNG_DATABASE_URL": url}).postgres
    assert found is not None
    return found


def refusal(url: str) -> str:
    with pytest.raises(InputError) as refused:
        read(url)
    return str(refused.value)


def toprung(*arguments: object, url: str) -> subprocess.CompletedProcess[str]:
    rest = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    return run_warm(TOPRUNG, *arguments, env=rest | {"TOPRUNG_DATABASE_URL": url}, text=True, timeout=300)


def test_a_server_is_read_with_all_its_parts() -> None:
    found = read(f"postgresql://me%40example.org:{SECRET}%2F@db.example.org:6432/boards?sslmode=verify-full")
    assert (found.host, found.port, found.name) == ("db.example.org", 6432, "boards")
    assert (found.user, found.password) == ("me@example.org", f"{SECRET}/")
    assert found.ssl == (("sslmode", "verify-full"),)


def test_a_socket_is_named_behind_the_question_mark() -> None:
    found = read("postgresql://toprung@/boards?host=/run/postgresql")
    assert (found.host, found.port, found.user, found.name) == ("/run/postgresql", 5432, "toprung", "boards")
    assert str(found) == "PostgreSQL database 'boards' at /run/postgresql"


def test_django_is_told_all_of_it_and_looks_whether_connections_still_stand() -> None:
    found = read(f"postgres://me:{SECRET}@db.example.org/boards?sslmode=require").django_settings()
    assert found["ENGINE"] == "toprung.web.core.bounded_postgres"
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example.org", "5432", "boards")
    assert (found["USER"], found["PASSWORD"]) == ("me", SECRET)
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["CONN_HEALTH_CHECKS"]


def test_without_an_address_the_database_is_a_file_in_the_data_folder(tmp_path: Path) -> None:
    environment = Environment.read(KEY | {"TOPRUNG_DATA": str(tmp_path)})
    assert environment.postgres is None
    assert django_settings(environment)["NAME"] == tmp_path / "toprung.sqlite3"


def test_its_password_is_in_no_text() -> None:
    url = f"postgresql://me:{SECRET}@db.example.org/boards"
    environment = Environment.read(KEY | {"TOPRUNG_DATABASE_URL": url})
    assert SECRET not in f"{environment!r} {environment.postgres!r} {environment.postgres}"


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://me:{SECRET}@db.example.org/boards",
        f"me:{SECRET}@db.example.org/boards",
        f"postgresql://me:{SECRET}@db.example.org",
        f"postgresql://me:{SECRET}@db.example.org/",
        f"postgresql://me:{SECRET}@db.example.org/two/names",
        f"postgresql://:{SECRET}@db.example.org/boards",
        f"postgresql://me:{SECRET}@db.example.org/boards#part",
    ],
)
def test_another_address_is_said_without_its_password(url: str) -> None:
    assert refusal(url) == (
        "TOPRUNG_DATABASE_URL: found another kind of address; expected postgresql://USER:PASSWORD@HOST:PORT/NAME, or "
        "postgresql://USER@/NAME?host=/run/postgresql."
    )


@pytest.mark.parametrize("where", ["db.example.org:99999/boards", "[db/boards", "db.example.org/boards?sslmode"])
def test_an_address_that_cannot_be_read_is_said_without_its_password(where: str) -> None:
    message = refusal(f"postgresql://me:{SECRET}@{where}")
    assert message.startswith("TOPRUNG_DATABASE_URL: found an address that cannot be read; expected postgresql://")
    assert SECRET not in message


def test_options_that_mean_nothing_here_are_said_without_what_they_say() -> None:
    assert refusal(f"postgresql:///boards?password={SECRET}") == (
        "TOPRUNG_DATABASE_URL: found the option 'password'; expected some of host, sslmode, sslrootcert, "
        "sslcert, sslkey."
    )
    assert refusal("postgresql:///boards?sslmode=yes") == (
        "TOPRUNG_DATABASE_URL: found sslmode 'yes'; expected one of disable, allow, prefer, require, verify-ca, "
        "verify-full."
    )
    assert refusal("postgresql://db.example.org/boards?host=/run/postgresql").startswith(
        "TOPRUNG_DATABASE_URL: found two hosts; expected one"
    )


def test_a_missing_client_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "psycopg" else find(name))
    assert refusal("postgresql:///boards") == (
        "TOPRUNG_DATABASE_URL: found no psycopg, which speaks to PostgreSQL; expected it: pip install "
        "'toprung[postgres]'."
    )


def test_a_server_that_does_not_answer_is_said_without_its_password(tmp_path: Path) -> None:
    url = f"postgresql://me:{SECRET}@/boards?host={tmp_path}"
    for command in (["serve", "--port", 0], ["login-link", "me@example.org"]):
        refused = toprung(*command, "--data", tmp_path / "board", url=url)
        assert refused.returncode == 2, refused.stderr
        assert refused.stderr.startswith(
            f"toprung: PostgreSQL database 'boards' at {tmp_path}: found a server that cannot be used (connection"
        )
        assert refused.stderr.endswith("Does it run, and is TOPRUNG_DATABASE_URL right?\n")
        assert SECRET not in refused.stderr

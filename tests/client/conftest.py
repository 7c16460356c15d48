"""A board that misbehaves, and a connection to it that does not wait long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.client.board_server import TOKEN, BoardServer

from toprung.client.connection import Connection
from toprung.net.pace import Backoff

QUICK = Backoff(tries=4, first_seconds=0.001, most_seconds=0.002)


@pytest.fixture
def server() -> Iterator[BoardServer]:
    server = BoardServer()
    yield server
    server.stop()


@pytest.fixture
def connection(server: BoardServer) -> Connection:
    return Connection(server=server.url, token=TOKEN, backoff=QUICK, timeout=10)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tokens are kept: never those of who runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("TOPRUNG_TOKEN", raising=False)
    monkeypatch.delenv("TOPRUNG_SERVER", raising=False)
    return tmp_path / "config" / "toprung"

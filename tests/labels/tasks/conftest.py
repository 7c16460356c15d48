"""Where the records of a desk lie: each test that asks for a store runs in a folder and in a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from tests.labels.sqlite_store import SqliteStore

from toprung.labels.effort.effort import Effort
from toprung.labels.effort.store import RecordStore


@pytest.fixture(params=["folder", "database"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], RecordStore]]:
    """Opens the same place, each time as another process would."""

    def open_database() -> RecordStore:
        return opened.enter_context(closing(SqliteStore(tmp_path / "state.sqlite")))

    with ExitStack() as opened:
        in_folder = request.param == "folder"
        yield (lambda: Effort.open_or_create(tmp_path / "state")) if in_folder else open_database

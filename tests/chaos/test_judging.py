"""Is every answer kept once when many judge at once and the server is killed? Counted by `benchmarks.judging`.

Some seconds and ten people in `make test`; in `make chaos` two hundred people for three minutes, with its figures.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.judging import run
from tests.web.own_database import OwnDatabase

pytestmark = pytest.mark.postgres

LONG = {"assessors": 200, "seconds": 180.0, "thinks": 5.0, "queries": 3334, "tasks": 480}
SHORT = {"assessors": 10, "seconds": 120.0, "thinks": 0.1, "queries": 60, "tasks": 14}
"""Eighteen tasks of ten pairs would be asked, and some again: the money ends before the work does, in some seconds."""


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Of a server with a database of its own."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    (tmp_path / "data").mkdir()
    database = OwnDatabase(tmp_path / "data")
    yield plain | {name: value for name, value in database.environment.items() if value}
    database.drop()


def test_every_answer_is_kept_once_whatever_is_killed(tmp_path: Path, environment: dict[str, str]) -> None:
    load = LONG if float(os.environ.get("CHAOS_MINUTES", "0")) else SHORT
    found = run(tmp_path / "data", kills=True, environment=environment, **load)
    for what, value in found.items():
        print(f"{what:36} {value}")
    assert found["faults"] == []
    assert found["tasks handed in"] == found["tasks paid"], "who was in the middle finished"
    if load is SHORT:
        assert found["tasks paid"] == found["tasks the money pays for"], "the money was spent, and no more"

"""A board that is served without a proxy answers visitors while hundreds of slow connections attack it.

Some seconds with few attackers in `make test`; two minutes with 900 in `make chaos` and among the slow tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.web.kept_tables import ROOT
from tests.web.working.test_serving import Served

PAGE, LARGE = "/methods/", "/static/large.bin"
LARGE_BYTES = 30_000_000


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("slow") / "board"
    (folder / "static").mkdir(parents=True)
    (folder / LARGE.removeprefix("/")).write_bytes(bytes(LARGE_BYTES))
    board = Served(folder)
    for _ in range(4):  # What is loaded with the first page is not what is measured.
        board.get(PAGE)
    yield board
    board.stop()
    board.database.drop()


def attack(served: Served, **options: float) -> dict[str, Any]:
    said = [f"--{name}={value}" for name, value in options.items()]
    command = [sys.executable, "-m", "tests.chaos.slow_connections", str(served.port), PAGE, LARGE, *said]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    return json.loads(done.stdout)


def test_a_few_dozen_slow_connections_hold_up_nobody(served: Served) -> None:
    """Nine stopped the server when each of them held one of its eight threads."""
    found = attack(served, each=20, seconds=4, requests=20, timeout=300)
    assert found["outcomes"] == {"200": 20}
    assert min(found["open"].values()) > 10
    assert found["refused"] == 0


@pytest.mark.slow
def test_900_slow_connections_hold_up_nobody(served: Served) -> None:
    """300 slow heads, 300 slow bodies and 300 readers, for two minutes; the figures of docs/design."""
    found = attack(served, each=300, seconds=120, requests=200, timeout=60)
    assert found["outcomes"] == {"200": 200}
    assert min(found["open"].values()) > 200
    assert found["p95"] <= 1.0

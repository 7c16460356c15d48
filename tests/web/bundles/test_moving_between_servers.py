"""Two servers, each with a database and files of its own: a board goes from one to the other by three commands."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.warm.python import TOPRUNG, run_warm
from tests.web.real_board import PATIENCE, ROOT, RealBoard

EXAMPLE = ROOT / "docs" / "examples" / "board"
RUNS = "bm25", "sparse", "dense-1", "rerank"
BOARD = """
slug = "harbour"
title = "Harbour"
task = "Rank passages."
official_measure = "RR@10"
cutoff = 10
quota = 20
[[labels]]
use = "official"
file = "qrels.txt"
[[labels]]
use = "private"
file = "private.qrels"
"""
COMPARED = {
    "standings": """
        SELECT audience, labels_version, place, run_id, s.content FROM web_standing s
        JOIN web_submission r ON r.id = s.submission_id ORDER BY 1, 2, 3""",
    "claims": """
        SELECT number, p, level, passed, smallest_gain, verdict, evidence, recorded_at FROM web_claim ORDER BY 1""",
    "results": """
        SELECT kind, key, audience, labels_version, content, computed_at FROM web_storedresult
        ORDER BY 1, 2, 3, 4""",
    "ranks": """
        SELECT run_id, use, packed FROM web_firstrankcolumn c JOIN web_submission r
        ON r.id = c.submission_id JOIN web_labelset l ON l.id = c.label_set_id ORDER BY 1, 2""",
}
WRITES_MEANWHILE = """
import threading, django; django.setup()
from toprung.web.core.models.boards import Board
from toprung.web.services.bundle.snapshot import snapshot

title = lambda: Board.objects.get(slug="harbour").title
def write():
    Board.objects.filter(slug="harbour").update(title="Later")
    from django.db import connection
    connection.close()
with snapshot():
    seen = [title()]
    writer = threading.Thread(target=write)
    writer.start(); writer.join(300)
    assert not writer.is_alive(), "who writes waits for who reads"
    seen.append(title())
print(seen, title())
"""
pytestmark = pytest.mark.postgres


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[RealBoard, RealBoard]]:
    old, new = (RealBoard(tmp_path / name, is_empty=True) for name in ("old", "new"))
    yield old, new
    old.stop()
    new.stop()


def toprung(server: RealBoard, *arguments: str | Path) -> str:
    done = run_warm(
        TOPRUNG, *arguments, env=server.environment, cwd=server.folder.parent, text=True, timeout=PATIENCE * 2
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def fill(server: RealBoard) -> None:
    folder = server.folder.parent / "given"
    (folder / "runs").mkdir(parents=True)
    for name in ("qrels.txt", "private.qrels"):
        shutil.copy(EXAMPLE / name, folder)
    for name in RUNS:
        shutil.copy(EXAMPLE / f"{name}.run.gz", folder / "runs")
    (folder / "board.toml").write_text(BOARD)
    rows = ["run,team,date,is_baseline", "bm25,,,yes"]
    rows += [f"{name},Team {name},2026-0{month}-01," for month, name in enumerate(RUNS[1:], start=1)]
    (folder / "runs.csv").write_text("\n".join(rows) + "\n")
    toprung(server, "host", "create", folder / "board.toml")
    toprung(server, "host", "import-runs", "harbour", folder / "runs", "--metadata", folder / "runs.csv")


def test_a_board_moves_by_three_commands(servers: tuple[RealBoard, RealBoard], tmp_path: Path) -> None:
    old, new = servers
    fill(old)
    path = tmp_path / "harbour.toprung"
    said = toprung(old, "export", "harbour", "-o", path, "--with-labels", "--reason", "The machine is turned off.")
    key = said.split("Signed by key ")[1][:64]
    assert "Runs     4 of 3 teams" in toprung(new, "verify", path, "--key", key)
    assert "Harbour is at /b/harbour/, organised by organiser@localhost: 4 runs" in toprung(
        new, "import", path, "--key", key
    )
    for what, question in COMPARED.items():
        was = old.ask(question)
        assert was, what
        assert new.ask(question) == was, what
    digests = "SELECT number, previous, digest FROM web_auditentry ORDER BY number"
    was, found = old.ask(digests), new.ask(digests)
    assert found[:-1] == was
    assert found[-1][:2] == (was[-1][0] + 1, was[-1][2])
    assert _read_while_written(old) == "['Harbour', 'Harbour'] Later\n"


def _read_while_written(server: RealBoard) -> str:
    """A snapshot sees one moment, and keeps nobody from writing."""
    done = run_warm("-c", WRITES_MEANWHILE, env=server.environment, cwd=ROOT, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout

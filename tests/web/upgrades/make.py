"""Keeps the data of this version for the tests of all later ones:

    python scripts/with_postgres.py python -m tests.web.upgrades.make NAME_OF_THE_LAST_MIGRATION

It writes ``kept/NAME.tar.xz``: a data folder with SQLite's database, the same rows as plain SQL for PostgreSQL, a
backup, bundles, the folder of a judging effort, a ``board.toml``, and what a server said of all of it (``told.json``).
A file that was written once is never written again: run it with the code of that version alone.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.core.serializers import deserialize, serialize
from django.db import connection, transaction
from tests.web.real_board import ROOT
from tests.web.upgrades.servers import BACKUP, BOARD_TOML, BOARDS, DATA, DUMP, EFFORT, KEPT, TOLD, Server

from toprung.labels.effort.effort import Effort
from toprung.labels.pools.store import read_pools
from toprung.labels.tasks.sitting import Sitting

EXAMPLES = ROOT / "docs" / "examples"
MOVED = BOARDS[:2]
MADE_BY_DJANGO = ("auth", "contenttypes")
"""Applications whose rows are there once the tables are."""
SETTINGS = """
slug = "harbour"
title = "Harbour"
task = "Rank passages for a question about a harbour."
opens_at = 2026-01-01
closes_at = 2190-12-01T12:00:00Z
official_measure = "RR@10"
cutoff = 10
other_measures = ["nDCG@10", "R@100"]
depth = 100
rule = "no_harm"
alpha = 0.05
gamma = "planned:20"
answered_margin = 0.05
ranking_margin = 0.05
release = "board-ladder:auto"
who_may_submit = "approved"
quota = 2
quota_days = 30
board_quota = 100
refuses_near_duplicates = true
embargo_months = 9
seed = 20261201
"""
LABELS = '\n[[labels]]\nuse = "{use}"\nfile = "board-labels/{use}.txt"\n'
OF_OTHER_SERVERS = re.compile(r"^(SET |SELECT pg_catalog.set_config|--|\\(un)?restrict).*\n|^\n", re.MULTILINE)
"""Lines of a dump that are of one version of PostgreSQL, or say nothing."""


def main(version: str) -> None:
    """Write the file of this version."""
    path = KEPT / f"{version}.tar.xz"
    if path.exists():
        sys.exit(f"{path}: found it there; expected a version that was not kept yet.")
    with TemporaryDirectory() as name:
        folder = Path(name)
        make = folder / "kept"
        make.mkdir()
        told = keep_server(folder, make) | keep_effort(make) | keep_moved(folder, make)
        (make / TOLD).write_text(json.dumps(told, indent=1))
        with tarfile.open(path, "x:xz", preset=9) as file:
            for each in sorted(make.iterdir()):
                file.add(each, each.name)
    print(f"{path}: {path.stat().st_size:,} bytes")


def keep_server(folder: Path, make: Path) -> dict[str, Any]:
    """Its data folder, backup and bundles; and its rows for PostgreSQL."""
    server, other = Server(folder / "server", ""), Server(folder / "other")
    try:
        server.run("migrate")
        secrets = server.call("make_story", of="tests.web.upgrades.story")
        for board in MOVED:
            bundle = make / f"{board}.toprung"
            server.run("export", board, "-o", bundle, "--with-labels", "--with-texts", "--reason", "The board moves.")
        with closing(sqlite3.connect(server.database.file)) as connection:
            connection.execute("VACUUM")
        server.run("backup", make / BACKUP)
        told = server.call("tell", of="tests.web.upgrades.telling", boards=BOARDS, tokens=secrets["tokens"])
        with closing(sqlite3.connect(server.database.file)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        left = shutil.ignore_patterns("static", "incoming", "migrating", "*.lock")
        shutil.copytree(server.folder, make / DATA, ignore=left)
        other.run("migrate")
        rows = str(folder / "rows.json")
        server.call("write_rows", of="tests.web.upgrades.make", path=rows)
        other.call("read_rows", of="tests.web.upgrades.make", path=rows)
        (make / DUMP).write_text(dump(other.database.url))
    finally:
        server.stop()
        other.stop()
    return {"secrets": secrets, "server": told}


def write_rows(path: str) -> None:
    """All rows, as Python has them: in JSON a time loses its last digits, which the audit log is digested with."""
    models = [each for each in apps.get_models() if each._meta.app_label not in MADE_BY_DJANGO]
    rows = [row for model in models for row in serialize("python", model._default_manager.order_by("pk"))]
    Path(path).write_bytes(pickle.dumps(rows))


def read_rows(path: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for each in deserialize("python", pickle.loads(Path(path).read_bytes())):
            each.save()
        for statement in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(statement)


def dump(url: str) -> str:
    options = ("--no-owner", "--no-privileges", "--no-comments", "--inserts", "--rows-per-insert=500")
    done = subprocess.run(["pg_dump", *options, url], capture_output=True, text=True, check=True)
    return OF_OTHER_SERVERS.sub("", done.stdout)


def keep_effort(make: Path) -> dict[str, Any]:
    """A judging effort in a folder, half judged."""
    folder = make / EFFORT
    files = ["qrels.txt", "dense.run", "late.run", "mixed.run", "words.run"]
    texts = ["--queries", "queries.tsv", "--documents", "documents.tsv"]
    how = ["--golds", "golds.txt", "--per-task", "4", "--golds-per-task", "1", "--seed", "5"]
    for each in (["pool", *files, *texts], ["import", "judgments.txt"], ["tasks", *how]):
        _run("labels", *each, "--state", str(folder), cwd=EXAMPLES / "labels")
    keys = "1" * 5
    _run("labels", "judge", "--state", str(folder), "--terminal", "--assessor", "ann", cwd=folder, input=keys)
    for lock in folder.glob(".*"):
        lock.unlink()
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace(str(EXAMPLES), "/srv"))
    return {"effort": tell_effort(folder)}


def tell_effort(folder: Path) -> dict[str, Any]:
    """What is in the folder of a judging effort."""
    effort = Effort.open(folder)
    sitting = Sitting(effort)
    judgments = effort.read_judgments()
    pairs = {(each.query_id, *sorted((each.left, each.right))) for each in judgments.rows}
    return {
        "digest": judgments.digest,
        "n_judgments": len(judgments.rows),
        "n_pairs": len(pairs),
        "pools": [[pool.query_id, list(pool.items)] for pool in read_pools(effort)],
        "tasks": [[task.task_id, len(task.slots)] for task in sitting.tasks.values()],
        "seed": effort.manifest["tasks"]["seed"],
    }


def keep_moved(folder: Path, make: Path) -> dict[str, Any]:
    """What a server says to which the bundles came, and a board of a file."""
    labels = make / "board-labels"
    shutil.copytree(EXAMPLES / "board-labels", labels)
    uses = [use for use in ("official", "private", "dev") if (labels / f"{use}.txt").exists()]
    (make / BOARD_TOML).write_text(SETTINGS + "".join(LABELS.format(use=use) for use in uses))
    server = Server(folder / "moved", "")
    try:
        server.run("migrate")
        for board in MOVED:
            server.run("import", make / f"{board}.toprung")
        server.run("host", "create", make / BOARD_TOML)
        telling = "tests.web.upgrades.telling"
        tokens = {"organiser": server.call("make_organiser_token", of=telling)}
        return {
            "moved": server.call("tell", of=telling, boards=MOVED, tokens=tokens),
            "made": server.call("tell", of=telling, boards=["harbour"], tokens={}),
        }
    finally:
        server.stop()


def _run(*arguments: str, **options: Any) -> None:
    command = [str(Path(sys.executable).with_name("toprung")), *arguments]
    subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ, **options)


if __name__ == "__main__":
    main(*sys.argv[1:])

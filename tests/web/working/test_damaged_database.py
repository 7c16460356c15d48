"""A database whose file is damaged is noticed: at the start, by pages, by the daily check, and before each backup."""

from __future__ import annotations

import dataclasses
import logging
import secrets
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client
from pytest_django import Settings
from tests.warm.python import TOPRUNG, run_warm
from tests.web.cast import Cast
from tests.web.kept_tables import kept_tables
from tests.web.own_database import SERVER
from tests.web.real_board import PATIENCE, ROOT, RealBoard, wait_until

from toprung.boards.archive.reading import read_archive
from toprung.boards.archive.writing import Source
from toprung.web.core import queue
from toprung.web.core.config.databases import NOTED_IN, find_damage
from toprung.web.ops.backup.backing_up import write_backup
from toprung.web.ops.backup.contents import BACKUP
from toprung.web.ops.watch import readiness

pytestmark = pytest.mark.skipif(bool(SERVER), reason="files of SQLite are damaged")
TO_DO = "Stop all that runs on it, move {folder} away, and bring back the last good backup: toprung restore BACKUP"


def overwrite(file: Path, at: int, n: int) -> None:
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(secrets.token_bytes(n))


def overwrite_pages_of(file: Path, table: str, kinds: tuple[str, ...] = ("table", "index")) -> None:
    """The first page of a table, and of each of its indexes."""
    question = "SELECT type, rootpage FROM sqlite_master WHERE tbl_name = ?"
    with closing(sqlite3.connect(file)) as database:
        pages = [page for kind, page in database.execute(question, [table]) if kind in kinds]
        ((size,),) = database.execute("PRAGMA page_size").fetchall()
    assert pages
    for page in pages:
        overwrite(file, (page - 1) * size, size)


def cut_in_half(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a header cut short": lambda file: file.write_bytes(file.read_bytes()[:50]),
    "half of it is gone": cut_in_half,
    "another kind of file": lambda file: file.write_text("Minutes of the meeting\n" * 1000),
    "an empty file": lambda file: file.write_bytes(b""),
    "a header overwritten": lambda file: overwrite(file, 0, 100),
    "a page of the boards": lambda file: overwrite_pages_of(file, "web_board", ("table",)),
    "a page of an index": lambda file: overwrite_pages_of(file, "web_submission", ("index",)),
    "a page that nothing reads at the start": lambda file: overwrite_pages_of(file, "web_hook", ("table",)),
}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


def toprung(board: RealBoard, *arguments: object) -> subprocess.CompletedProcess[str]:
    return run_warm(TOPRUNG, *arguments, env=board.environment, cwd=ROOT, text=True, timeout=PATIENCE)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("command", ["serve --port 0", "web --port 0", "worker", "migrate", "migrate --check"])
def test_no_part_starts_on_a_damaged_file(board: RealBoard, damage: str, command: str) -> None:
    DAMAGES[damage](board.database.file)
    done = toprung(board, *command.split())
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith(f"toprung: {board.database.file}: found a damaged database (")
    assert TO_DO.format(folder=board.folder) in sentence
    assert done.stdout == ""


@pytest.mark.parametrize("command", [("login-link", "ada@example.org"), ("export", "web-docs")])
def test_other_commands_say_what_is_wrong_too(board: RealBoard, command: tuple[str, ...]) -> None:
    for table in ("web_board", "web_user"):
        overwrite_pages_of(board.database.file, table)
    done = toprung(board, *command)
    assert done.returncode == 2, done.stderr
    (sentence,) = done.stderr.splitlines()
    assert "found a damaged database (database disk image is malformed)" in sentence


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_backup_is_made_of_a_damaged_file(board: RealBoard, tmp_path: Path, damage: str) -> None:
    DAMAGES[damage](board.database.file)
    done = toprung(board, "backup", tmp_path / "backups.tar")
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert str(board.folder) in sentence
    assert "found a damaged database (" in sentence
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize(
    "commands",
    [("backup {backup}", "serve --port 0"), ("migrate --check", "migrate"), ("login-link a@example.org", "worker")],
)
def test_an_empty_file_stays_what_it_is_whoever_looks_at_it_first(
    board: RealBoard, tmp_path: Path, commands: tuple[str, ...]
) -> None:
    board.database.file.write_bytes(b"")
    for command in commands:
        done = toprung(board, *command.format(backup=tmp_path / "backup.tar").split())
        assert done.returncode == 2, done.stdout
        assert f"{board.database.file}: found a damaged database (the file is empty)" in done.stderr
        assert board.database.file.read_bytes() == b""


def test_a_new_database_is_no_empty_file_at_any_moment(tmp_path: Path) -> None:
    """Whoever opens SQLite's file finds a database, so no other process takes it for a damaged one."""
    new = RealBoard(tmp_path / "new", is_empty=True)
    sizes = new.call("sizes_when_opened", of="tests.web.working.test_damaged_database", file=str(new.database.file))
    assert sizes
    assert 0 not in sizes
    assert list(new.folder.glob("*.begun*")) == []


def sizes_when_opened(file: str) -> list[int]:
    """In a process of its own: how large the file is whenever a migration opens it; 0 where it is not there."""
    import os
    import sys

    from toprung.web.ops.start import migrate

    sizes: list[int] = []

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "sqlite3.connect" and os.fspath(arguments[0]) == file:
            sizes.append(os.path.getsize(file) if os.path.exists(file) else 0)

    sys.addaudithook(note)
    migrate(None)
    return sizes


def test_a_backup_that_holds_a_damaged_database_is_not_restored(board: RealBoard, tmp_path: Path) -> None:
    """Earlier versions made such backups: every byte is as it was written."""
    assert toprung(board, "backup", tmp_path / "good.tar").returncode == 0
    overwrite_pages_of(board.database.file, "web_hook")
    good = read_archive(tmp_path / "good.tar", BACKUP)
    sources = [Source.of_file("database", board.database.file)]
    write_backup(tmp_path / "bad.tar", good.manifest, sources)
    elsewhere = RealBoard(tmp_path / "elsewhere", is_empty=True)
    done = toprung(elsewhere, "restore", tmp_path / "bad.tar")
    assert done.returncode == 2
    assert "bad.tar: found a damaged database in it (" in done.stderr
    assert done.stderr.endswith("Nothing was restored: take an earlier backup.\n")
    assert not elsewhere.database.file.exists()
    assert toprung(elsewhere, "restore", tmp_path / "good.tar").returncode == 0


def test_a_damaged_file_is_said_by_pages_by_readiness_and_once_in_the_log(board: RealBoard, tmp_path: Path) -> None:
    overwrite_pages_of(board.database.file, "web_board")
    with (tmp_path / "log").open("w") as log:
        port = serve(board, log)
        wait_until(lambda: get(port, "/healthz") == (200, "ok\n"), "the web server")
        for _ in range(10):
            status, page = get(port, "/b/web-docs/")
            assert status == 503
            assert "Found the database damaged; expected to read what it holds." in page
        assert get(port, "/readyz") == (503, "database: damaged\n")
        board.stop()
    lines = [line for line in (tmp_path / "log").read_text().splitlines() if "The database is damaged" in line]
    assert len(lines) == 1
    assert "The database is damaged: database disk image is malformed. Stop the server and restore" in lines[0]
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.fixture
def file(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database of a data folder of this test alone, which the task looks at."""
    monkeypatch.setattr(readiness, "_seen", {})
    settings.ENVIRONMENT = dataclasses.replace(settings.ENVIRONMENT, data_folder=tmp_path)
    (tmp_path / "files").mkdir()
    shutil.copyfile(kept_tables().file, tmp_path / "toprung.sqlite3")
    return tmp_path / "toprung.sqlite3"


@pytest.mark.parametrize("what", ["a page of an index", "a page that nothing reads at the start"])
def test_the_daily_check_finds_what_nothing_reads_and_tells(
    file: Path, what: str, cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    good = file.read_bytes()
    DAMAGES[what](file)
    with caplog.at_level(logging.ERROR):
        queue.check_database.call()
    assert "The database is damaged: " in caplog.text
    organiser = Client()
    organiser.force_login(cast.organiser)
    assert "database: damaged" in organiser.get("/readyz").content.decode()
    assert "The database is damaged: " in organiser.get("/b/web-docs/organise/").content.decode()
    file.write_bytes(good)
    queue.check_database.call()
    assert "database: ok" in organiser.get("/readyz").content.decode()
    assert "The database is damaged" not in organiser.get("/b/web-docs/organise/").content.decode()


def test_what_a_page_could_not_read_is_told_until_a_check_finds_nothing(
    file: Path, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        try:
            raise damage_of_sqlite()
        except sqlite3.DatabaseError as error:
            raise DatabaseError(str(error)) from error

    visitor = Client(raise_request_exception=False)
    with monkeypatch.context() as patched:
        patched.setattr("toprung.web.site.board.leaderboard.render", fail)
        assert visitor.get("/b/web-docs/").status_code == 503
    assert "database: damaged" in visitor.get("/readyz").content.decode()
    assert (file.parent / NOTED_IN).read_text() == "file is not a database"
    queue.check_database.call()
    assert "database: ok" in visitor.get("/readyz").content.decode()


def damage_of_sqlite() -> sqlite3.DatabaseError:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(b"Minutes of the meeting" * 100)
        with pytest.raises(sqlite3.DatabaseError) as raised:
            database.execute("SELECT * FROM sqlite_master")
    return raised.value


def test_a_check_waits_for_no_writer(file: Path) -> None:
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("CREATE TABLE another (name)")
        assert find_damage(file) == ""
        writer.execute("COMMIT")


def test_a_check_keeps_no_writer_waiting(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half way through it somebody writes, who would not wait a moment."""
    written = []

    def write() -> None:
        with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as writer:
            writer.execute("CREATE TABLE IF NOT EXISTS another (name)")
            written.append(writer.execute("INSERT INTO another VALUES ('one')").rowcount)

    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode=WAL")
    connect = sqlite3.connect

    def connect_watched(*given: Any, **options: Any) -> sqlite3.Connection:
        database = connect(*given, **options)
        if not written and "uri" in options:
            database.set_progress_handler(lambda: None if written else write(), 100)
        return database

    monkeypatch.setattr("toprung.web.core.config.databases.sqlite3.connect", connect_watched)
    assert find_damage(file) == ""
    assert written == [1]


def serve(board: RealBoard, log: object) -> int:
    """A web server whose messages can be read."""
    start = board.start
    board.start = lambda *command, **options: start(*command, **options, stderr=log)  # type: ignore[method-assign]
    return board.serve()


def get(port: int, path: str) -> tuple[int, str]:
    try:
        with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode()
    except ConnectionError:
        return 0, ""

"""A server is kept in one file while it runs, and comes back elsewhere with all that was acknowledged, once."""

from __future__ import annotations

import http.client
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from tests.warm.python import TOPRUNG, run_warm
from tests.web.buckets import a_bucket
from tests.web.own_database import SERVER
from tests.web.real_board import PATIENCE, ROOT, RealBoard, wait_until
from tests.web.stages import CSRF_TOKEN

from toprung.boards.archive.reading import read_archive
from toprung.boards.archive.writing import Source
from toprung.errors import InputError
from toprung.web.core.config.environment import Environment
from toprung.web.ops.backup import snapshots
from toprung.web.ops.backup.backing_up import write_backup
from toprung.web.ops.backup.contents import BACKUP

pytestmark = pytest.mark.postgres

KIND = "postgresql" if SERVER else "sqlite"
A_WHOLE_QUEUE = 600.0
"""Seconds until one worker has scored some twenty runs and drawn their board, on a busy machine."""

BETWEEN_RUNS = 1.0
"""Seconds a client waits: some runs come while the backup is made, and each costs two boards their results."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A board, its backup, and what was said when that was made."""

    board: RealBoard
    file: Path
    said: str


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RealBoard]:
    board = RealBoard(tmp_path / "data")
    yield board
    board.stop()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[RealBoard]:
    """An empty folder and an empty database."""
    board = RealBoard(tmp_path / "elsewhere", is_empty=True)
    yield board
    board.stop()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """A board that drew its key in its data folder, and its backup."""
    folder = tmp_path_factory.mktemp("kept")
    board = RealBoard(folder / "data")
    del board.environment["TOPRUNG_SECRET_KEY"]
    board.call("two_files")
    said = succeed(board, "backup", folder / "backup.tar")
    yield Kept(board=board, file=folder / "backup.tar", said=said)
    board.stop()


def toprung(board: RealBoard, *arguments: object) -> subprocess.CompletedProcess[str]:
    return run_warm(TOPRUNG, *arguments, env=board.environment, cwd=ROOT, text=True, timeout=PATIENCE)


def succeed(board: RealBoard, *arguments: object) -> str:
    done = toprung(board, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def refusal(board: RealBoard, *arguments: object) -> str:
    done = toprung(board, *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    return done.stderr


class Load:
    """Four clients, one for each team: each submits a run, waits for the others, and goes on until told to stop."""

    def __init__(self, port: int, teams: list[dict[str, object]]) -> None:
        self.port, self.is_over, self.goes_on = port, threading.Event(), threading.Event()
        self.acknowledged: list[str] = []
        self.refused: list[tuple[int, str]] = []
        self.threads = [threading.Thread(target=self._submit_all, args=[team]) for team in teams]
        for thread in self.threads:
            thread.start()

    def end(self) -> None:
        self.is_over.set()
        self.goes_on.set()
        for thread in self.threads:
            thread.join(PATIENCE)

    def _submit_all(self, team: dict[str, object]) -> None:
        for upload in team["uploads"]:
            if self.is_over.is_set():
                return
            name = f"{team['name']} {upload}"
            status, page = self._submit(upload, name, team["cookies"])
            if status == 302:
                self.acknowledged.append(name)
            else:
                self.refused.append((status, page))
            if self.goes_on.is_set():
                time.sleep(BETWEEN_RUNS)
            self.goes_on.wait(PATIENCE)

    def _submit(self, upload: object, name: str, cookies: object) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        fields = {"upload": upload, "name": name, "description": "New.", "csrfmiddlewaretoken": CSRF_TOKEN}
        headers = {"Cookie": str(cookies), "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/b/web-docs/submit/", urlencode(fields), headers)
        response = connection.getresponse()
        page = response.read().decode()
        connection.close()
        return response.status, page


def test_a_running_campaign_comes_back_with_every_judgment_without_who_it_was_and_goes_on(
    board: RealBoard, elsewhere: RealBoard, tmp_path: Path
) -> None:
    before = board.call("a_running_campaign", of="tests.web.judging.world")
    assert len(before) == 2 * 13
    succeed(board, "backup", tmp_path / "backup.tar")
    succeed(elsewhere, "restore", tmp_path / "backup.tar")
    named = elsewhere.call("names_in_tables", of="tests.web.judging.world")
    assert named == sorted({assessor for _, assessor, *_ in before}), "by digests, and by no name of the platform"
    restored, after = elsewhere.call("judge_once_more", of="tests.web.judging.world")
    assert restored == before
    assert len(after) == 3 * 13
    assert [each for each in after if each in before] == before


def test_a_backup_under_load_comes_back_without_a_lost_or_doubled_submission(
    board: RealBoard, elsewhere: RealBoard, tmp_path: Path
) -> None:
    """Two server processes, two workers and four clients at once, while the backup is made."""
    load = Load(_serve(board, teams := board.call("busy_teams")), teams)
    wait_until(lambda: len(load.acknowledged) == len(teams), "the first submissions")
    before = list(load.acknowledged)
    file = tmp_path / "backup.tar"
    load.goes_on.set()
    succeed(board, "backup", file)
    load.end()
    assert load.refused == []
    assert len(load.acknowledged) > len(before), "there was no load while the backup was made"
    assert "Every byte is as it was written." in succeed(board, "backup", "--check", file)

    succeed(elsewhere, "restore", file)
    succeed(elsewhere, "migrate")
    runs = elsewhere.ask("SELECT number, run_id, name FROM web_submission ORDER BY number")
    names = [name for _, _, name in runs]
    n = len(runs)
    assert [(number, label) for number, label, _ in runs] == [(each, f"R{each}") for each in range(1, n + 1)]
    assert len(set(names)) == n
    assert set(before) <= set(names) <= set(load.acknowledged)
    assert elsewhere.ask("SELECT count(*), count(DISTINCT submission_id) FROM web_charge") == [(n, n)]
    tasks = "SELECT count(*), count(DISTINCT CAST(args AS TEXT)) FROM django_ox_oxtask WHERE task_path LIKE '%.score'"
    ((n_tasks, n_different),) = elsewhere.ask(tasks)
    assert n_tasks == n_different >= len(teams), "each person has one run in the queue at a time"
    assert elsewhere.ask("SELECT count(*) FROM web_auditentry WHERE what LIKE 'Submitted R%'") == [(n,)]

    elsewhere.start("-m", "tests.web.dying_worker")
    wait_until(lambda: _done(elsewhere) == n, "what was queued to be done", patience=A_WHOLE_QUEUE)
    assert elsewhere.ask("SELECT count(*), count(DISTINCT submission_id) FROM web_charge") == [(n, n)]
    assert elsewhere.ask("SELECT count(*) FROM web_scorecolumn") == [(2 * n,)], "one for each label set"
    assert elsewhere.call("is_chain_whole")
    wait_until(lambda: _done(board) >= n, "the same runs to be done where they came from", patience=A_WHOLE_QUEUE)
    assert elsewhere.call("scores") == board.call("scores")[:n]


def _serve(board: RealBoard, teams: object) -> int:
    assert teams
    for _ in range(2):
        board.start("-m", "tests.web.dying_worker")
    return board.serve()


def _done(board: RealBoard) -> int:
    ((number,),) = board.ask("SELECT count(*) FROM web_submission WHERE state = 'done'")
    return int(number)


def test_what_is_forgotten_meanwhile_is_forgotten_there_too(board: RealBoard, elsewhere: RealBoard) -> None:
    board.call("two_files")
    made = board.call("back_up_while_files_go")
    assert made["lost"] == []
    assert sorted(name.partition("/")[0] for name in made["forgotten"]) == ["runs", "uploads"]
    succeed(elsewhere, "restore", board.folder / "backup.tar")
    states = "SELECT state, original = '', parquet = '' FROM web_upload ORDER BY id"
    assert elsewhere.ask(states) == [("accepted", False, False), ("forgotten", True, True)]
    assert not {name for name in made["forgotten"] if (elsewhere.folder / "files" / name).exists()}


def test_files_and_keys_come_back_as_they_were(kept: Kept, elsewhere: RealBoard) -> None:
    del elsewhere.environment["TOPRUNG_SECRET_KEY"]
    assert kept.said.startswith(f"{kept.file}: the {KIND} database as of 20")
    assert " and 10 files, " in kept.said  # of six label sets, and two runs as sent and as Parquet
    assert kept.file.stat().st_mode & 0o777 == 0o600
    assert "Restored the database" in succeed(elsewhere, "restore", kept.file)
    assert _files(elsewhere) == _files(kept.board)
    assert (elsewhere.folder / "secret-key").read_text() == (kept.board.folder / "secret-key").read_text()
    assert [path for path in elsewhere.folder.rglob("*") if path.stat().st_mode & 0o077] == []
    assert [path.name for path in elsewhere.folder.iterdir() if "restoring" in path.name] == []
    assert elsewhere.ask("SELECT run_id, score FROM web_submission") == [("R1", 0.25)]


def _files(board: RealBoard) -> dict[str, bytes]:
    folder = board.folder / "files"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_file_that_is_lost_is_said_and_the_rest_is_kept(board: RealBoard, elsewhere: RealBoard) -> None:
    board.call("two_files")
    ((name,),) = board.ask("SELECT file FROM web_labelset WHERE board_id = 1 AND name = 'private'")
    (board.folder / "files" / name).unlink()
    done = toprung(board, "backup", board.folder / "backup.tar")
    assert done.returncode == 1
    assert done.stderr == f"{name}: found nothing; expected a file that the database names.\n"
    assert f"Lost before the backup was made: 1 file, {name}." in succeed(
        elsewhere, "restore", board.folder / "backup.tar"
    )


def test_a_backup_is_restored_into_an_empty_place_alone(kept: Kept, elsewhere: RealBoard) -> None:
    assert "found a database; expected none: a backup is restored into an empty place." in refusal(
        kept.board, "restore", kept.file
    )
    left = elsewhere.folder / "files" / "runs" / "left"
    left.parent.mkdir(parents=True)
    left.touch()
    assert "found files; expected none" in refusal(elsewhere, "restore", kept.file)
    assert "found a file; expected a new name" in refusal(kept.board, "backup", kept.file)


def test_a_flipped_byte_is_found_before_anything_is_changed(kept: Kept, elsewhere: RealBoard, tmp_path: Path) -> None:
    content = bytearray(kept.file.read_bytes())
    content[len(content) // 2] ^= 1
    file = tmp_path / "backup.tar"
    file.write_bytes(content)
    for command in (["backup", "--check"], ["restore"]):
        assert "found a byte that is not as it was written; expected a whole backup." in refusal(
            elsewhere, *command, file
        )
    assert not (elsewhere.folder / "toprung.sqlite3").exists()
    assert _files(elsewhere) == {}


def test_a_backup_of_a_later_version_or_another_database_is_refused(
    kept: Kept, elsewhere: RealBoard, tmp_path: Path
) -> None:
    later = tmp_path / "later.tar"
    backup = read_archive(kept.file, BACKUP)
    facts = replace(backup.facts, migrations=(*backup.facts.migrations, "web.9999_to_come"))
    sources = [
        Source(name=each.name, size=each.size, open=lambda name=each.name: backup.open(name))  # type: ignore[misc]
        for each in backup.manifest.members
    ]
    write_backup(later, replace(backup.manifest, toprung="99.0", facts=facts), sources)
    refused = refusal(elsewhere, "restore", later)
    assert "found tables of Toprung 99.0, with web.9999_to_come; expected those of a version" in refused
    assert "Install the version of Toprung that made them, or a later one." in refused
    elsewhere.environment["TOPRUNG_DATABASE_URL"] = "" if SERVER else "postgresql:///nowhere"
    assert f"found a backup of a {KIND} database; expected to be asked with" in refusal(elsewhere, "restore", kept.file)


def test_files_in_a_bucket_are_kept_and_come_back(board: RealBoard, elsewhere: RealBoard, tmp_path: Path) -> None:
    with a_bucket() as bucket, a_bucket() as other:
        for each, its in ((board, bucket), (elsewhere, other)):
            each.environment |= its.variables | {"NO_PROXY": "127.0.0.1"}
        board.call("two_files")
        file = tmp_path / "backup.tar"
        assert " and 10 files, " in succeed(board, "backup", file)
        assert other.names() == []
        succeed(elsewhere, "restore", file)
        there, here = ([name.removeprefix(each.prefix) for name in each.names()] for each in (bucket, other))
        assert here == there
        assert len(here) == 10
        assert elsewhere.call("is_chain_whole")


def test_a_missing_program_of_postgresql_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = Environment.read({"TOPRUNG_SECRET_KEY": "k" * 40, "TOPRUNG_DATABASE_URL": "postgresql:///boards"})
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(
        InputError, match="Found no pg_dump, PostgreSQL's own program; expected it: install postgresql-"
    ):
        snapshots.check_programs(environment, "pg_dump")

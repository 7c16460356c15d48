"""The parts of a board run on their own: tables are made once, the web server answers, workers work, all end."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import psutil
import pytest
from tests.web.own_database import SERVER, OwnDatabase
from tests.web.working.test_serving import TOPRUNG, clean_environment, left_of, toprung, wait_for

LISTENS = re.compile(r"The web server of (\S+) listens on 127\.0\.0\.1:(\d+); Ctrl-C ends it\.")
TOKEN = "only-for-tests-0123456789"
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


class Part:
    """A command that runs until it is told to stop, and what it printed."""

    def __init__(self, folder: Path, name: str, *options: str, **environment: str) -> None:
        self.output = folder.with_name(f"{name}.out")
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [TOPRUNG, name, "--data", folder, *options],
                stdout=output,
                stderr=subprocess.STDOUT,
                env=clean_environment(**environment),
            )

    @property
    def printed(self) -> str:
        return self.output.read_text()

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(300)


class Web(Part):
    """The web server, at a port of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        super().__init__(folder, "web", "--port", "0", **environment)
        self.port = int(wait_for(lambda: LISTENS.search(self.printed))[2])
        wait_for(lambda: self.get("/healthz").status == 200)

    def get(self, path: str, **headers: str) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        response.text = response.read().decode()
        connection.close()
        return response


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("apart") / "board"
    made = toprung("migrate", "--data", folder)
    assert made.returncode == 0, made.stderr
    lines = made.stdout.splitlines()
    assert lines[:2] == ["Made the tables.", "Made the table of the cache."]
    assert re.fullmatch(r"Wrote \d+ static files\.", lines[2])
    return folder


@pytest.fixture(scope="module")
def web(folder: Path) -> Iterator[Web]:
    web = Web(folder, TOPRUNG_METRICS_TOKEN=TOKEN, TOPRUNG_LOG_FORMAT="json")
    yield web
    if web.process.poll() is None:
        web.stop()


def test_a_second_time_there_is_nothing_to_do(folder: Path) -> None:
    assert toprung("migrate", "--data", folder).stdout == "Everything was up to date.\n"
    checked = toprung("migrate", "--check", "--data", folder)
    assert (checked.returncode, checked.stdout) == (0, "Everything is up to date.\n")


@pytest.mark.parametrize("command", ["web --port 0", "worker"])
def test_where_tables_are_missing_nothing_starts(command: str, tmp_path: Path) -> None:
    refused = toprung(*command.split(), "--data", tmp_path / "board")
    assert refused.returncode == 2
    assert refused.stderr.startswith("toprung: Found a board that is not up to date (the tables are not there")
    assert refused.stderr.endswith("expected one that is. Run: toprung migrate\n")
    checked = toprung("migrate", "--check", "--data", tmp_path / "board")
    assert checked.returncode == 1
    assert checked.stdout.startswith("The tables are not there.\n")
    assert not (tmp_path / "board" / "toprung.sqlite3").exists()


def test_where_one_step_is_missing_it_is_named(folder: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    shutil.copytree(folder, older)
    with closing(sqlite3.connect(older / "toprung.sqlite3")) as connection:
        connection.execute("DELETE FROM django_migrations WHERE app = 'mfa' AND name = '0003_authenticator_type_uniq'")
        connection.commit()
    commands = (
        "web --port 0",
        "worker",
        "export web-docs",
        f"host create {EXAMPLES / 'board.toml'}",
        "login-link a@example.org",
    )
    for command in commands:  # none of them changes tables, for others may be using them
        refused = toprung(*command.split(), "--data", older)
        assert refused.returncode == 2
        assert "the tables lack mfa.0003_authenticator_type_uniq" in refused.stderr
        assert "Traceback" not in refused.stderr
    assert toprung("migrate", "--check", "--data", older).returncode == 1


@pytest.mark.postgres
def test_two_that_migrate_at_once_do_it_once(tmp_path: Path) -> None:
    """On PostgreSQL from two machines, which share no folder: there it is the server that has one of them wait."""
    folders = [tmp_path / "one", tmp_path / ("other" if SERVER else "one")]
    database = OwnDatabase(folders[0])
    both = [
        subprocess.Popen(
            [TOPRUNG, "migrate", "--data", folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=clean_environment(**database.environment),
        )
        for folder in folders
    ]
    said = sorted(each.communicate(timeout=300)[0] for each in both)
    database.drop()
    assert [each.returncode for each in both] == [0, 0], said
    assert [each.count("Made the table") for each in said] == ([2, 0] if SERVER else [0, 2])
    assert SERVER or said[0] == "Everything was up to date.\n"


def test_a_web_server_without_a_worker_is_alive_and_not_ready(web: Web) -> None:
    assert web.get("/").status == 200
    answer = web.get("/readyz")
    assert answer.status == 503
    assert answer.text == "database: ok\ntables: ok\nfiles: ok\nworker: not seen lately\n"


def test_the_watchers_may_call_the_server_by_any_name(web: Web) -> None:
    assert web.get("/healthz", Host="10.20.30.40:8000").status == 200
    assert web.get("/readyz", Host="10.20.30.40:8000").status == 503
    assert web.get("/", Host="10.20.30.40:8000").status == 400


def test_requests_are_counted_over_all_processes(web: Web) -> None:
    for _ in range(40):
        web.get("/methods/")
    text = web.get("/metrics", Authorization=f"Bearer {TOKEN}").text
    assert 'toprung_requests_total{method="GET",status="200",view="methods"} 40.0' in text
    assert len([each for each in web.descendants() if "toprung.web.ops.web_server" in each.cmdline()]) == 2


def test_a_web_server_deletes_no_upload_that_another_receives(folder: Path, web: Web) -> None:
    arriving, left = folder / "incoming" / "arriving", folder / "incoming" / "left"
    arriving.touch()
    left.touch()
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(left, (two_days_ago, two_days_ago))
    second = Web(folder)
    assert arriving.exists()
    assert not left.exists()
    arriving.unlink()
    started = second.descendants()
    assert second.stop() == 0
    assert left_of(started) == []


def test_several_workers_make_it_ready_and_end_when_told(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "board"
    shutil.copytree(folder, own)
    web, worker = Web(own), Part(own, "worker", "--processes", "2")
    wait_for(lambda: web.get("/readyz").status == 200)
    assert web.stop() == 0
    wait_for(lambda: len([each for each in worker.descendants() if "ox_worker" in each.cmdline()]) == 2)
    assert worker.printed == "2 workers of the board; Ctrl-C ends them.\n"
    started = worker.descendants()
    assert worker.stop() == 0
    assert left_of(started) == []
    assert worker.printed == "2 workers of the board; Ctrl-C ends them.\n"


def test_it_ends_when_told_and_leaves_nothing_behind(folder: Path, tmp_path: Path) -> None:
    web = Web(folder, TMPDIR=str(tmp_path))
    started = web.descendants()
    assert len(list(tmp_path.glob("toprung-metrics-*/*.db"))) > 0
    assert web.stop() == 0
    assert left_of(started) == []
    assert "Traceback" not in web.printed
    assert list(tmp_path.iterdir()) == []

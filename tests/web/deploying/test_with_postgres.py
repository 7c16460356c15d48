"""Tests run on a PostgreSQL of their own: made for one command, gone with it, and missed loudly where it cannot be."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from scripts import with_postgres

SCRIPT = Path(with_postgres.__file__)
needs_programs = pytest.mark.skipif(
    with_postgres.find_programs() is None, reason="POSTGRESQL NOT TESTED: no server programs on this machine"
)
LOOK = """
import os, psycopg, sys
url = os.environ["TOPRUNG_DATABASE_URL"]
with psycopg.connect(url) as connection:
    print(url.partition("host=")[2], connection.execute("SELECT 6 * 7").fetchone()[0], flush=True)
"""


def start(code: str, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, SCRIPT, *options, sys.executable, "-c", code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def servers_of(folder: str) -> list[psutil.Process]:
    return [each for each in psutil.process_iter(["cmdline"]) if f"{folder}/data" in (each.info["cmdline"] or [])]


@needs_programs
def test_a_command_finds_a_server_that_is_gone_with_it() -> None:
    running = start(LOOK + "sys.exit(7)")
    output, errors = running.communicate(timeout=300)
    assert running.returncode == 7, errors
    folder, answer = output.split()
    assert answer == "42"
    assert not Path(folder).exists()
    assert servers_of(folder) == []


@needs_programs
def test_a_lasting_server_has_on_the_disk_what_it_acknowledges() -> None:
    show = "connection.execute('SHOW fsync').fetchone()[0], connection.execute('SHOW synchronous_commit').fetchone()[0]"
    look = LOOK.replace('connection.execute("SELECT 6 * 7").fetchone()[0]', show)
    assert start(look, "--lasting").communicate(timeout=300)[0].split()[1:] == ["on", "on"]


@needs_programs
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_interrupts_it_ends_the_server_too(number: signal.Signals) -> None:
    running = start(LOOK + "import time\ntry:\n    time.sleep(100)\nexcept KeyboardInterrupt:\n    pass")
    assert running.stdout is not None
    folder = running.stdout.readline().split()[0]
    assert len(servers_of(folder)) == 1
    if number == signal.SIGINT:  # as a terminal sends it, to the command too
        for child in psutil.Process(running.pid).children():
            if child.pid not in {each.pid for each in servers_of(folder)}:
                child.send_signal(number)
    running.send_signal(number)
    running.communicate(timeout=300)
    latest = time.monotonic() + 300
    while servers_of(folder) and time.monotonic() < latest:
        time.sleep(0.1)
    assert servers_of(folder) == []
    assert not Path(folder).exists()


def test_without_programs_nothing_is_run_and_that_is_said_loudly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(with_postgres, "USUAL_PLACES", ())
    assert with_postgres.main(["touch", str(tmp_path / "was-run")]) == 0
    assert capsys.readouterr().err == (
        "POSTGRESQL NOT TESTED: found no server programs of version 15 or later. Install them, for example: sudo "
        "apt-get install postgresql\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_too_old_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, says in (("postgres", "postgres (PostgreSQL) 14.9"), ("initdb", "")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho '{says}'\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    monkeypatch.setattr(with_postgres, "USUAL_PLACES", ())
    monkeypatch.setattr(with_postgres, "_told_by_pg_config", lambda: tmp_path)
    assert with_postgres.version_of(tmp_path) == 14
    assert with_postgres.find_programs() is None

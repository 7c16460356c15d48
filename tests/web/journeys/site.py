"""Where do journeys lead? To a real ``toprung serve`` with its web server and worker, on a folder of its own."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS_TO_FILL, SECONDS_TO_END = 600, 300
ROOT = Path(__file__).parents[3]
TOPRUNG = [sys.executable, "-c", "from toprung.cli.main import main; main()"]
SAYS_WHERE, SAYS_WHO = "Toprung is at ", "First organiser "


@dataclass(frozen=True, kw_only=True)
class Site:
    """A server that runs, and what is on it."""

    url: str
    folder: Path
    told: Mapping[str, Any]
    """What ``fill.py`` said: sessions of people who are signed in, numbers of files."""

    def session_of(self, role: str) -> str:
        session: str = self.told["sessions"][role]
        return session

    def change(self, statement: str, *values: object) -> None:
        """Change what is stored, as time or another person would, while the server runs."""
        with sqlite3.connect(self.folder / "toprung.sqlite3", timeout=300) as database:
            assert database.execute(statement, values).rowcount == 1
        database.close()


@contextmanager
def serve_site(folder: Path, kept: Path) -> Iterator[Site]:
    """Fill the folder with the kept world, start the server on a port that is free, and end it with its children."""
    told = fill(folder, "tests.web.journeys.fill", str(kept))
    with serve_folder(folder, plain_environment()) as url:
        yield Site(url=url, folder=folder, told=told)


def fill(folder: Path, script: str, *arguments: str) -> dict[str, Any]:
    """What the script says that fills the folder, in a process of its own."""
    filled = subprocess.run(
        [sys.executable, "-m", script, str(folder), *arguments],
        cwd=ROOT,
        env=plain_environment(),
        capture_output=True,
        text=True,
        timeout=SECONDS_TO_FILL,
        check=False,
    )
    assert filled.returncode == 0, filled.stderr[-2000:]
    told: dict[str, Any] = json.loads(filled.stdout)
    return told


def plain_environment() -> dict[str, str]:
    """Without what this machine says of Toprung, and so that what is said comes at once."""
    there = {name: value for name, value in os.environ.items() if not name.startswith(("TOPRUNG_", "DJANGO_"))}
    return there | {"PYTHONUNBUFFERED": "1"}


@contextmanager
def serve_folder(folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """Start the server on a port that is free, and end it with its children; its address."""
    with _started(folder, environment) as hear:
        yield hear(SAYS_WHERE).partition(",")[0]


@contextmanager
def serve_anew(folder: Path, environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The same on a folder that is not there yet: its address, and the link that lets the first organiser in."""
    with _started(folder, environment) as hear:
        yield hear(SAYS_WHERE).partition(",")[0], hear(SAYS_WHO).rpartition(" ")[2]


@contextmanager
def _started(folder: Path, environment: Mapping[str, str]) -> Iterator[Callable[[str], str]]:
    """What says the rest of the next line that begins so, once the server listens; requests that come before its first
    process is up wait for it.
    """
    log = folder.with_suffix(".log")
    with log.open("w") as sink:
        command = [*TOPRUNG, "serve", "--data", str(folder), "--port", "0", "--processes", "1"]
        server = subprocess.Popen(
            command, env=dict(environment), stdout=subprocess.PIPE, stderr=sink, text=True, start_new_session=True
        )

        def hear(beginning: str) -> str:
            assert server.stdout is not None
            for line in server.stdout:
                if line.startswith(beginning):
                    return line.removeprefix(beginning).strip()
            raise AssertionError(f"the server did not start: {log.read_text()[-2000:]}")

        try:
            yield hear
        finally:
            server.terminate()
            server.communicate(timeout=SECONDS_TO_END)

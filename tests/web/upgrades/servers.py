"""Servers with the settings of a server, in processes of their own, and the data of earlier versions put into them."""

from __future__ import annotations

import json
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.warm.python import TOPRUNG, run_warm
from tests.web.own_database import SERVER
from tests.web.real_board import PATIENCE, RealBoard

KEPT = Path(__file__).parent / "kept"
DATA, BACKUP, EFFORT, BOARD_TOML, DUMP, TOLD = (
    "data",
    "backup.tar",
    "effort",
    "board.toml",
    "postgresql.sql",
    "told.json",
)
"""What lies in the file of a version."""
BOARDS = ["web-docs", "questions", "last-year"]
"""A board with a past, one with a campaign, and one that is final."""


class Server(RealBoard):
    """Empty at first, unless it is to have tables; it draws its keys itself, and is asked as `toprung` asks it."""

    def __init__(self, folder: Path, server: str = SERVER, *, is_empty: bool = True) -> None:
        super().__init__(folder, server, is_empty=is_empty)
        del self.environment["TOPRUNG_SECRET_KEY"]
        self.environment |= {"DJANGO_SETTINGS_MODULE": "toprung.web.ops.settings", "TOPRUNG_URL": "http://localhost"}

    def run(self, *arguments: object, exit_code: int = 0) -> str:
        """A command of toprung; returns what it printed."""
        done = run_warm(TOPRUNG, *arguments, env=self.environment, cwd=self.folder.parent, text=True, timeout=PATIENCE)
        assert done.returncode == exit_code, f"{done.returncode}: {done.stdout}{done.stderr}"
        return f"{done.stdout}{done.stderr}"


@dataclass(frozen=True)
class Kept:
    """What was kept of a version, unpacked."""

    version: str
    folder: Path
    told: dict[str, Any]

    def put_into(self, server: Server) -> None:
        """The data folder and the database, as that version left them."""
        shutil.copytree(self.folder / DATA, server.folder, dirs_exist_ok=True)
        if server.database.server:
            (server.folder / "toprung.sqlite3").unlink()
            import psycopg

            with psycopg.connect(server.database.url) as connection:
                connection.execute((self.folder / DUMP).read_bytes())


def unpack(version: str, folder: Path) -> Kept:
    with tarfile.open(KEPT / f"{version}.tar.xz") as file:
        file.extractall(folder, filter="data")
    return Kept(version, folder, json.loads((folder / TOLD).read_text()))

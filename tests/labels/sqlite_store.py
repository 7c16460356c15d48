"""A store of records in a database, as a server would keep them: each piece of work is one transaction."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toprung.labels.effort.store import RecordStore

TABLES = """
    CREATE TABLE IF NOT EXISTS record (
        kind TEXT, number INTEGER, content TEXT NOT NULL, PRIMARY KEY (kind, number)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS noted (name TEXT PRIMARY KEY, content TEXT NOT NULL);
"""


class SqliteStore(RecordStore):
    """Records in one table; what was written before an exception is taken back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._depth = 0
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=60)
        self._database.executescript(TABLES)
        self._database.execute("PRAGMA synchronous = OFF")  # a killed process loses nothing; a test has no power cut

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._lock:
            self._depth += 1
            try:
                if self._depth > 1:
                    yield
                    return
                self._database.execute("BEGIN IMMEDIATE")
                try:
                    yield
                except BaseException:
                    self._database.execute("ROLLBACK")
                    raise
                self._database.execute("COMMIT")
            finally:
                self._depth -= 1

    @property
    def manifest(self) -> dict[str, Any]:
        return {name: json.loads(content) for name, content in self._database.execute("SELECT * FROM noted")}

    def note(self, entries: Mapping[str, Any]) -> None:
        with self.alone():
            rows = [(name, json.dumps(content)) for name, content in entries.items()]
            self._database.executemany("INSERT OR REPLACE INTO noted VALUES (?, ?)", rows)

    def read(self, kind: str, *, after: int = 0) -> list[dict[str, Any]]:
        query = "SELECT content FROM record WHERE kind = ? AND number > ? ORDER BY number"
        return [json.loads(content) for (content,) in self._database.execute(query, (kind, after))]

    def append(self, kind: str, records: Iterable[Mapping[str, Any]]) -> None:
        with self.alone():
            query = "SELECT coalesce(max(number), 0) FROM record WHERE kind = ?"
            [n_before] = self._database.execute(query, (kind,)).fetchone()
            rows = [(kind, number, json.dumps(each)) for number, each in enumerate(records, start=n_before + 1)]
            self._database.executemany("INSERT INTO record VALUES (?, ?, ?)", rows)

    def name_of(self, kind: str) -> str:
        return f"{self.path.name}, {kind}"

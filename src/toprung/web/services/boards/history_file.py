"""What is in a leaderboard file that was sent? Told by a child process: no database, no Django."""

from __future__ import annotations

from pathlib import Path

from toprung.data.formats.content import Limits
from toprung.data.formats.tables.leaderboard_files import read_leaderboard
from toprung.data.submissions import PublishedBoard

LARGEST_FILE = 8 << 20


def read_history_file(path: Path, score_column: str | None) -> PublishedBoard:
    return read_leaderboard(path, score_column=score_column, limits=Limits(max_bytes=LARGEST_FILE))

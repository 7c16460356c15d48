"""Which folders does a server need? Made where they are missing, for their owner alone: hidden labels lie there."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from toprung.web.core.config.environment import Environment

LEFT_OVER_AFTER = 24 * 3600.0
"""Seconds: no upload takes that long, so that whoever receives one still has its file."""


def make_folders(environment: Environment) -> None:
    folders = [environment.data_folder, environment.incoming]
    if environment.file_store is None:
        folders.append(environment.files)
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    clear_incoming(environment.incoming)


def clear_incoming(folder: Path) -> None:
    """Delete what uploads left that were cut short; other processes may be receiving some now."""
    latest = time.time() - LEFT_OVER_AFTER
    for left_over in folder.iterdir():
        with suppress(FileNotFoundError):  # it was in use, and is gone
            if left_over.is_file() and left_over.stat().st_mtime < latest:
                left_over.unlink()

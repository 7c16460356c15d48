"""Where is an archive put together? In a folder beside it, which goes when its process ends, however that ends."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = ".toprung-working-"
LOCK = "lock"


@contextmanager
def working_folder(beside: Path) -> Iterator[Path]:
    """For its owner alone, on the disk of the file it is made for; those that killed processes left are deleted first.

    Its lock is held as long as the process lives, and by nobody after.
    """
    clear_left_over(beside.parent)
    with tempfile.TemporaryDirectory(dir=beside.parent, prefix=PREFIX) as name:
        lock = os.open(Path(name) / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            take_lock(lock)
            yield Path(name)
        finally:
            os.close(lock)


def clear_left_over(folder: Path) -> None:
    """Delete working folders whose process is gone."""
    for left in folder.glob(f"{PREFIX}*"):
        if not left.is_symlink() and _is_abandoned(left):
            shutil.rmtree(left, ignore_errors=True)


def _is_abandoned(left: Path) -> bool:
    with suppress(OSError):  # another's, or made a moment ago and not locked yet
        lock = os.open(left / LOCK, os.O_RDWR)
        try:
            return take_lock(lock)
        finally:
            os.close(lock)
    return False


def take_lock(file: int) -> bool:
    """Whether nobody else holds it; from now on this process does, while the file is open."""
    try:
        import fcntl  # not on every system; where it is not, nothing that was left is deleted
    except ImportError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

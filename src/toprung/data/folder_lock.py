"""Who may write into a folder now? One at a time: other processes and threads wait, whoever has it may ask again."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

LOCK = ".lock"


@dataclass
class _Held:
    """What this process holds of a folder."""

    thread: threading.RLock = field(default_factory=threading.RLock)
    depth: int = 0


_HELD: dict[Path, _Held] = {}
_HELD_LOCK = threading.Lock()


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Nobody else holds the folder meanwhile. The lock ends with the process, however that ends."""
    with _HELD_LOCK:
        held = _HELD.setdefault(folder.resolve(), _Held())
    with held.thread:
        held.depth += 1
        try:
            if held.depth > 1:
                yield
            else:
                with _locked(folder / LOCK):
                    yield
        finally:
            held.depth -= 1


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)

"""Who runs on this folder? Each parent process holds a file there while it lives, and says in it what is wrong.

The file is locked: the lock goes with the process, however it ends, so that a file without a lock tells nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from toprung.errors import InputError

FOLDER = "running"
SERVE = "serve"
"""Of these there is one at a time on a folder."""


@dataclass(frozen=True, kw_only=True)
class RunningPart:
    """A parent process of ours, to the others."""

    file: TextIO
    what: str
    since: str

    def tell(self, trouble: Sequence[str]) -> None:
        """Write down what is wrong, for whoever asks."""
        said = {"what": self.what, "pid": os.getpid(), "since": self.since, "trouble": list(trouble)}
        self.file.seek(0)
        self.file.truncate()
        self.file.write(json.dumps(said))
        self.file.flush()


@contextmanager
def running_on(folder: Path, what: str) -> Iterator[RunningPart]:
    """Be known to run here; an InputError names the other where there may be one only, and there is."""
    place = folder / FOLDER
    place.mkdir(exist_ok=True)
    path = place / (f"{SERVE}.json" if what == SERVE else f"{what}-{os.getpid()}.json")
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _taken(folder, _read(path)) from None
        part = RunningPart(file=file, what=what, since=datetime.now(UTC).isoformat(timespec="seconds"))
        part.tell([])
        try:
            yield part
        finally:
            if what != SERVE:  # whoever waits for that one's lock would have it on a file that is gone
                path.unlink(missing_ok=True)


def find_trouble(folder: Path) -> list[str]:
    """What the parent processes that live now say is wrong with their children."""
    found: list[str] = []
    for path in sorted((folder / FOLDER).glob("*.json")):
        if _is_held(path):
            found += [str(each) for each in _read(path).get("trouble", [])]
    return found


def _is_held(path: Path) -> bool:
    with suppress(OSError), path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _read(path: Path) -> dict[str, Any]:
    """What it says; nothing where it is just being written."""
    try:
        said = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _taken(folder: Path, said: dict[str, Any]) -> InputError:
    who = f"process {said['pid']} since {said['since']}" if {"pid", "since"} <= set(said) else "another process"
    return InputError(
        f"{folder}: found it served already, by {who}; expected a folder that nobody serves. End that one first, or "
        "name another folder with --data. (toprung web and toprung worker may run beside it.)"
    )

"""Does someone judge under this name already? One process at a time may: two would ask all twice."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager

from toprung.errors import InputError
from toprung.labels.effort.effort import Effort


@contextmanager
def one_at_a_time(effort: Effort, assessor: str) -> Iterator[None]:
    """Whoever comes second is told so. A process that died holds nothing."""
    name = hashlib.sha256(assessor.encode()).hexdigest()[:16]
    file = os.open(effort.folder / f".judging-{name}.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _lock(file, f"{effort.folder}: found another process that judges as '{assessor}'; expected one at a time.")
        yield
    finally:
        os.close(file)


def _lock(file: int, refusal: str) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(refusal) from None

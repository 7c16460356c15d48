"""How long does handing in take? As long where a gold was missed, and its pairs are dealt again, as where none was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep


@contextmanager
def evenly(seconds: float) -> Iterator[None]:
    """What is done within takes at least so long: which of two ways it went does not show."""
    began = monotonic()
    try:
        yield
    finally:
        sleep(max(0.0, seconds - (monotonic() - began)))

"""What does the server log while something happens?"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class Listener(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def listening() -> Iterator[list[str]]:
    listener, root = Listener(), logging.getLogger()
    level, _ = root.level, root.addHandler(listener)
    root.setLevel(logging.INFO)
    try:
        yield listener.lines
    finally:
        root.removeHandler(listener)
        root.setLevel(level)

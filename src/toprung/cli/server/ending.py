"""What if a command is asked to end before it is done? It ends by an exception, so that what it began is undone."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def undone_if_ended() -> Iterator[None]:
    """Have SIGTERM and SIGHUP end the work as Ctrl-C does: what was begun is deleted on the way out."""
    before = {number: signal.signal(number, _leave) for number in SIGNALS if signal.getsignal(number) == signal.SIG_DFL}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - signal calls it so
    sys.exit(128 + number)

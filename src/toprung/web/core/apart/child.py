"""What does the child do? It takes its limits, does one piece of work, sends back what came of it, and is gone."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

from toprung.web.core.apart.limits import ChildLimits
from toprung.web.core.apart.reply import SIZE_BYTES, write_error, write_value

MOST_FILES = 1024
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def answer(sender: Connection, work: Callable[..., Any], arguments: Sequence[Any], limits: ChildLimits) -> None:
    """The whole life of a child."""
    _be_quiet()
    _let_go(sender.fileno())
    _die_with_parent()
    limits.apply()
    reply = _do(work, arguments)
    with open(sender.fileno(), "wb", buffering=0, closefd=False) as line:
        line.write(len(reply).to_bytes(SIZE_BYTES))
        rest = memoryview(reply)
        while rest:
            rest = rest[line.write(rest) :]
    os._exit(0)  # threads of libraries have nothing to tidy up


def _do(work: Callable[..., Any], arguments: Sequence[Any]) -> bytes:
    try:
        return write_value(work(*arguments))
    except Exception as error:  # whatever it is, the parent raises it as if it had done the work itself
        return write_error(error)


def _be_quiet() -> None:
    """What libraries print when they die quotes files of strangers; that it died is told by the parent."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _let_go(kept: int) -> None:
    """Close what else it was given: while it holds the fork server's own line, that one would outlive the worker."""
    os.closerange(3, kept)
    os.closerange(kept + 1, MOST_FILES)


def _die_with_parent() -> None:
    """On Linux: with the process that forks the children, which ends with the worker, even by SIGKILL."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

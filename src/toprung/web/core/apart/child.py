"""What does the child do? It takes its limits, does one piece of work, sends back what came of it, and is gone."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from toprung.web.core.apart.limits import ChildLimits

MOST_FILES = 1024
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


@dataclass(frozen=True, kw_only=True)
class ChildAnswer:
    """What came of it: a value, or the error that there was instead."""

    value: Any = None
    error: Exception | None = None


def answer(sender: Connection, work: Callable[..., Any], arguments: Sequence[Any], limits: ChildLimits) -> None:
    """The whole life of a child."""
    _be_quiet()
    _let_go(sender.fileno())
    _die_with_parent()
    limits.apply()
    sender.send_bytes(_write(_do(work, arguments)))
    sender.close()
    os._exit(0)  # threads of libraries have nothing to tidy up


def _do(work: Callable[..., Any], arguments: Sequence[Any]) -> ChildAnswer:
    try:
        return ChildAnswer(value=work(*arguments))
    except Exception as error:  # whatever it is, the parent raises it as if it had done the work itself
        return ChildAnswer(error=error)


def _write(reply: ChildAnswer) -> bytes:
    try:
        written = pickle.dumps(reply)
        pickle.loads(written)  # noqa: S301 - our own: some errors can be written and not be read
    except MemoryError as error:
        return pickle.dumps(ChildAnswer(error=MemoryError(*error.args)))
    except Exception:  # an object may refuse to be pickled with any error; its kind is told instead
        fault = reply.error if reply.error is not None else reply.value
        return pickle.dumps(ChildAnswer(error=RuntimeError(f"{type(fault).__name__}: {fault}")))
    return written


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

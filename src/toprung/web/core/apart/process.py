"""How is work done apart? In a new child of a process that has everything loaded; its death is an error like others."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

from toprung.errors import ToprungError
from toprung.web.core.apart.child import ChildAnswer, answer
from toprung.web.core.apart.forking import FORK_SERVER, ApartProcess
from toprung.web.core.apart.limits import MEGABYTE, ChildLimits
from toprung.words.wording import say_count

LARGEST_REPLY = 1 << 30
NO_ANSWER = (EOFError, BrokenPipeError, ConnectionError)
"""What is raised here where the other side is gone."""


class ChildEndedError(ToprungError):
    """A child process came to no answer."""


class ChildCrashedError(ChildEndedError):
    """It crashed, was killed, or stood still: the next may come further."""


class OverLimitError(ChildEndedError):
    """It needed more than it may take, and the next would too."""


def run_apart[R](work: Callable[..., R], *arguments: Any, limits: ChildLimits) -> R:
    """What ``work(*arguments)`` returns or raises, in a child with these limits; a ChildEndedError where it died.

    ``work`` is a function of a module, and what it takes and gives can be pickled. It needs no Django.
    """
    receiver, sender = FORK_SERVER.Pipe(duplex=False)
    child = ApartProcess(target=answer, args=(sender, work, arguments, limits), daemon=True)
    with receiver:
        reply = _ask(child, sender, receiver, limits)
    if isinstance(reply.error, MemoryError):
        raise OverLimitError(f"more than {limits.memory_bytes // MEGABYTE:,} MB of memory")
    if reply.error is not None:
        raise reply.error
    value: R = reply.value
    return value


def _ask(child: ApartProcess, sender: Connection, receiver: Connection, limits: ChildLimits) -> ChildAnswer:
    """Start it and wait; whatever happens, none is left behind."""
    try:
        with sender:
            child.start()
    except NO_ANSWER:  # the process that forks is gone; the next time there is a new one
        raise ChildCrashedError("it could not be started") from None
    try:
        if not wait([receiver], timeout=limits.wall_seconds):
            raise ChildCrashedError(f"it stood still for {limits.wall_seconds:.0f} s")
        return _read(receiver, child, limits)
    finally:
        child.kill()
        child.join()
        child.close()


def _read(receiver: Connection, child: ApartProcess, limits: ChildLimits) -> ChildAnswer:
    try:
        reply = pickle.loads(receiver.recv_bytes(LARGEST_REPLY))  # noqa: S301 - from a child of ours
    except (*NO_ANSWER, OSError):
        child.join()
        raise _say_death(child.exitcode or 0, limits) from None
    return reply if isinstance(reply, ChildAnswer) else ChildAnswer(error=TypeError("no reply"))


def _say_death(code: int, limits: ChildLimits) -> ChildEndedError:
    if code == -signal.SIGXCPU:
        return OverLimitError(f"more than {say_count(limits.cpu_seconds, 'second')} of processor time")
    if code >= 0:
        return ChildCrashedError(f"it ended with status {code}")
    return ChildCrashedError(f"it was ended by {_name_signal(-code)}")


def _name_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

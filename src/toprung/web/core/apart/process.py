"""Runs work in a child process, forked from one that has everything loaded; its death is an error like others."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

from toprung.errors import ToprungError
from toprung.web.core.apart.child import answer
from toprung.web.core.apart.forking import FORK_SERVER, ApartProcess
from toprung.web.core.apart.limits import MEGABYTE, ChildLimits
from toprung.web.core.apart.reply import SIZE_BYTES, BadReplyError, read_reply, type_returned_by
from toprung.words.wording import say_count

PIECE = 1 << 20
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

    ``work`` is a function of a module that needs no Django. What it takes is sent to the child as a pickle. What it
    returns comes back as data alone, by the type that it declares to return (see `reply`).
    """
    type_returned_by(work)  # a type that cannot be sent is a mistake in the work: it is found before any child is
    receiver, sender = FORK_SERVER.Pipe(duplex=False)
    child = ApartProcess(target=answer, args=(sender, work, arguments, limits), daemon=True)
    with receiver:
        reply = _ask(child, sender, receiver, limits)
    try:
        value: R = read_reply(work, reply)
    except MemoryError:
        raise OverLimitError(f"more than {limits.memory_bytes // MEGABYTE:,} MB of memory") from None
    except BadReplyError:
        raise ChildCrashedError("it sent back something else than it was asked for") from None
    return value


def _ask(child: ApartProcess, sender: Connection, receiver: Connection, limits: ChildLimits) -> bytearray:
    """Start it and wait; whatever happens, none is left behind."""
    try:
        with sender:
            child.start()
    except NO_ANSWER:  # the process that forks is gone; the next time there is a new one
        raise ChildCrashedError("it could not be started") from None
    try:
        return _receive(receiver, child, limits)
    finally:
        child.kill()
        child.join()
        child.close()


def _receive(receiver: Connection, child: ApartProcess, limits: ChildLimits) -> bytearray:
    """The whole reply, in the time that the child has: one that was taken over may send half of it, or without end."""
    latest, received, size = time.monotonic() + limits.wall_seconds, bytearray(), SIZE_BYTES
    while len(received) < size:
        if not wait([receiver], timeout=max(0.0, latest - time.monotonic())):
            raise _say_death(None, limits)
        piece = os.read(receiver.fileno(), PIECE)
        if not piece:
            child.join(max(0.0, latest - time.monotonic()))
            raise _say_death(child.exitcode, limits)
        received += piece
        if size == SIZE_BYTES and len(received) >= SIZE_BYTES:
            size += int.from_bytes(received[:SIZE_BYTES])
        if size > limits.reply_bytes:
            raise OverLimitError(f"more than {limits.reply_bytes // MEGABYTE:,} MB to say what is in it")
    del received[:SIZE_BYTES]
    return received


def _say_death(code: int | None, limits: ChildLimits) -> ChildEndedError:
    if code is None:
        return ChildCrashedError(f"it stood still for {limits.wall_seconds:.0f} s")
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

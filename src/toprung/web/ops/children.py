"""How are the web server and the worker kept running? As children of one process, which starts again what dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType

PAUSE = 0.2
"""Seconds between two looks at the children."""
MOST_DEATHS, WITHIN = 5, 60.0
"""A child that dies so often within so many seconds is not started again: something else is wrong."""
GRACE = 30.0
"""Seconds the children have to end what they are at; asked a second time, they have none."""
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


@dataclass
class Child:
    """One process: what it is called, how it is started, and when it died."""

    name: str
    command: Sequence[str]
    inherits: Sequence[int] = ()
    """Open files that it takes over, by number."""
    process: subprocess.Popen[bytes] | None = None
    deaths: list[float] = field(default_factory=list)

    def start(self) -> None:
        # In a session of its own: Ctrl-C reaches the parent alone, which ends the children in order.
        self.process = subprocess.Popen(  # noqa: S603 - our own commands
            self.command,
            pass_fds=self.inherits,
            start_new_session=True,
            preexec_fn=die_with_parent(),  # noqa: PLW1509 - the parent has one thread
        )

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def is_hopeless(self) -> bool:
        return len([at for at in self.deaths if time.monotonic() - at < WITHIN]) >= MOST_DEATHS

    def end(self) -> None:
        if self.process is not None and self.is_running:
            self.process.terminate()

    def kill(self) -> None:
        """End it at once, with all that it started."""
        if self.process is not None and self.is_running:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@dataclass
class Requests:
    """How often the parent was asked to stop."""

    times: int = 0

    def count(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - signal calls it so
        self.times += 1


def keep_running(children: Sequence[Child], *, say: Callable[[str], None]) -> int:
    """Run until told to stop; the exit code is 0 then, and 1 where a child could not be kept alive."""
    with _listening() as requests:
        try:
            for child in children:
                child.start()
            while not requests.times:
                for child in children:
                    if not child.is_running and not _start_again(child, say):
                        return 1
                time.sleep(PAUSE)
            return 0
        finally:
            _end(children, requests)


@contextmanager
def _listening() -> Iterator[Requests]:
    requests = Requests()
    is_left_alone = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN  # as nohup has it
    numbers = [number for number in STOP_SIGNALS if number != signal.SIGHUP or not is_left_alone]
    before = {number: signal.signal(number, requests.count) for number in numbers}
    try:
        yield requests
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _start_again(child: Child, say: Callable[[str], None]) -> bool:
    child.deaths.append(time.monotonic())
    if child.is_hopeless:
        say(f"The {child.name} ended {MOST_DEATHS} times within {WITHIN:g} s; see its messages above.")
        return False
    say(f"The {child.name} ended; it is started again.")
    child.start()
    return True


def _end(children: Sequence[Child], requests: Requests) -> None:
    """All at once, and politely at first."""
    for child in children:
        child.end()
    latest = time.monotonic() + GRACE
    while any(child.is_running for child in children) and time.monotonic() < latest and requests.times < 2:
        time.sleep(PAUSE)
    for child in children:
        child.kill()


def die_with_parent() -> Callable[[], None] | None:
    """What a child does before it begins: ask Linux to end it when its parent is gone, even by SIGKILL."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    libc, parent = ctypes.CDLL(None), os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:  # it went before we could ask
            os._exit(1)

    return ask

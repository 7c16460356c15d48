"""How are the web server and the worker kept running? As children of one process, which starts again what dies.

A worker is started again however often it dies, each time later than before, up to a minute; the web server stands by
meanwhile, and says what is wrong. Where all processes of the web server die again and again, all ends: nobody could
be told.
"""

from __future__ import annotations

import ctypes
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
"""A web server that dies so often within so many seconds is not started again: something else is wrong."""
LONGEST_WAIT = 60.0
"""Seconds until a worker is started again that has died many times in a row."""
A_WHILE = 60.0
"""A child that lived for so many seconds dies for the first time again."""
GRACE = 30.0
"""Seconds the children have to end what they are at; asked a second time, they have none."""
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
GIVING_WAY = 5
"""By how much a child is nicer than others: it gets a third of what one of those gets."""


@dataclass
class Child:
    """One process: what it is called, how it is started, and when it died."""

    name: str
    command: Sequence[str]
    inherits: Sequence[int] = ()
    """Open files that it takes over, by number."""
    is_spared: bool = False
    """Whether the others go on without it for as long as it takes."""
    gives_way: bool = False
    """Whether the others come first where all processors are busy."""
    process: subprocess.Popen[bytes] | None = None
    deaths: list[float] = field(default_factory=list)
    """When it died, one time after the other without a while of life between them."""
    started_at: float = 0.0
    starts_at: float | None = None
    """When it is started again; None while it runs."""

    def start(self) -> None:
        self.started_at, self.starts_at = time.monotonic(), None
        # In a session of its own: Ctrl-C reaches the parent alone, which ends the children in order.
        self.process = subprocess.Popen(  # noqa: S603 - our own commands
            self.command,
            pass_fds=self.inherits,
            start_new_session=True,
            preexec_fn=before_begin(gives_way=self.gives_way),  # noqa: PLW1509 - the parent has one thread
        )

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def is_hopeless(self) -> bool:
        return len([at for at in self.deaths if time.monotonic() - at < WITHIN]) >= MOST_DEATHS

    @property
    def trouble(self) -> str:
        """What is wrong with it; a single death is none."""
        if len(self.deaths) < 2 or self.process is None:
            return ""
        ended = self.process.returncode
        how = "" if ended is None else f", the last time with status {ended}"
        return f"The {self.name} ended {len(self.deaths)} times in a row{how}; it is started again each time."

    def note_death(self) -> None:
        """Now; and when it is to be started again."""
        now = time.monotonic()
        if now - self.started_at >= A_WHILE:
            self.deaths.clear()
        self.deaths.append(now)
        self.starts_at = now + (wait_after(len(self.deaths)) if self.is_spared else 0.0)

    def note_life(self) -> bool:
        """Whether it has lived for a while just now, so that its deaths are forgotten."""
        has_recovered = bool(self.deaths) and self.is_running and time.monotonic() - self.started_at >= A_WHILE
        if has_recovered:
            self.deaths.clear()
        return has_recovered

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


def wait_after(deaths: int) -> float:
    """Seconds until the next start: none after the first death, then twice as many each time, up to a minute.

    >>> [wait_after(deaths) for deaths in (1, 2, 3, 7, 8, 1000)]
    [0.0, 1.0, 2.0, 32.0, 60.0, 60.0]
    """
    return 0.0 if deaths < 2 else min(LONGEST_WAIT, 2.0 ** min(deaths - 2, 30))


def keep_running(
    children: Sequence[Child], *, say: Callable[[str], None], tell: Callable[[list[str]], None] = lambda _: None
) -> int:
    """Run until told to stop; the exit code is 0 then, and 1 where the web server could not be kept alive.

    ``tell`` is called with all that is wrong, each time that changes.
    """
    with _listening() as requests:
        try:
            for child in children:
                child.start()
            servers = [child for child in children if not child.is_spared]
            while not requests.times:
                changed = [_look_after(child, say) for child in children]
                if servers and all(child.is_hopeless for child in servers):
                    return 1
                if any(changed):
                    tell([child.trouble for child in children if child.trouble])
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


def _look_after(child: Child, say: Callable[[str], None]) -> bool:
    """Note a death, start again what is due; whether there is something to tell."""
    if child.is_running:
        return child.note_life()
    if child.starts_at is None:
        child.note_death()
        _say_death(child, say)
        return True
    if time.monotonic() >= child.starts_at and not (child.is_hopeless and not child.is_spared):
        child.start()
    return False


def _say_death(child: Child, say: Callable[[str], None]) -> None:
    if child.is_hopeless and not child.is_spared:
        say(f"The {child.name} ended {MOST_DEATHS} times within {WITHIN:g} s; see its messages above.")
        return
    wait = (child.starts_at or 0.0) - child.deaths[-1]
    when = f" in {wait:.0f} s; it is the {len(child.deaths)}th time in a row" if wait > 2.0 else ""
    say(f"The {child.name} ended; it is started again{when}.")


def _end(children: Sequence[Child], requests: Requests) -> None:
    """All at once, and politely at first."""
    for child in children:
        child.end()
    latest = time.monotonic() + GRACE
    while any(child.is_running for child in children) and time.monotonic() < latest and requests.times < 2:
        time.sleep(PAUSE)
    for child in children:
        child.kill()


def before_begin(*, gives_way: bool) -> Callable[[], None]:
    """What a child does before it begins: give way, and have Linux end it when its parent is gone, even by SIGKILL."""
    libc, parent = ctypes.CDLL(None) if sys.platform.startswith("linux") else None, os.getpid()

    def prepare() -> None:
        if gives_way:
            os.nice(GIVING_WAY)
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
            if os.getppid() != parent:  # it went before we could ask
                os._exit(1)

    return prepare

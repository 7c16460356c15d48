"""What files of strangers do to the process that reads them: it dies, it runs on, it takes all there is."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, update_wrapper
from pathlib import Path
from typing import Any

from toprung.errors import FormatError
from toprung.web.core.apart.limits import ChildLimits
from toprung.web.services.runs.scoring import ScoringAsked


def abort(*_: Any) -> None:
    os.abort()


def loop(*_: Any) -> None:
    while True:
        pass


def stand_still(*_: Any) -> None:
    time.sleep(3600)


def eat(*_: Any) -> int:
    return len(bytearray(1 << 40))


def open_many(folder: Path) -> int:
    return len([(folder / str(number)).open("w") for number in range(1000)])


def be_killed(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_of(run_id: str, work: Callable[..., Any], asked: ScoringAsked | list[tuple[str, Path]], *options: Any) -> Any:
    """The work is done where that run is not among those asked for."""
    runs = asked.runs if isinstance(asked, ScoringAsked) else asked
    if run_id in dict(runs):
        os.abort()
    return work(asked, *options)


def dying_of[**P, R](run_id: str, work: Callable[P, R]) -> Callable[P, R]:
    """The same as a function that says what it returns."""
    return update_wrapper(partial(die_of, run_id, work), work)


def divide(one: int, other: int) -> tuple[int, int]:
    return divmod(one, other)


def own_pid() -> int:
    return os.getpid()


def send_raw(sent: bytes) -> dict[str, float]:
    """As code does that took the child over: it writes what it likes where the reply is expected, and ends."""
    _write(sent)
    os._exit(0)


def send_half(sent: bytes) -> dict[str, float]:
    _write(sent)
    time.sleep(3600)
    return {}


def send_and_close(sent: bytes) -> dict[str, float]:
    _write(sent)
    os.closerange(3, 64)
    time.sleep(3600)
    return {}


def _write(sent: bytes) -> None:
    """Where the reply is expected: nothing else is open."""
    for number in range(3, 64):
        with suppress(OSError):
            os.write(number, sent)


def raise_own() -> None:
    raise OwnError("a message")


class OwnError(Exception):
    """An error that the boards do not know."""


def look_around(port: int, private: Path) -> list[str]:
    """What code that took the child over could reach: the user's files, the network, other processes."""
    found = [f"user {os.getuid()}", private.read_text()]
    found += ["environment"] if "PATH" in os.environ else []
    found += ["new process"] if subprocess.run(["true"], check=False).returncode == 0 else []
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        found.append("network")
    with suppress(OSError):
        os.kill(os.getppid(), 0)
        found.append("parent")
    return found


def note_and_sleep(marker: Path) -> None:
    marker.write_text(str(os.getpid()))
    time.sleep(3600)


def refuse(source: str) -> None:
    raise FormatError(source=source, line=3, found="nothing", expected="something")


def measure_limits() -> list[int]:
    kinds = (resource.RLIMIT_DATA, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE)
    return [resource.getrlimit(kind)[0] for kind in kinds]


@dataclass(frozen=True, kw_only=True)
class Impatient(ChildLimits):
    """Waits for a second."""

    @property
    def wall_seconds(self) -> float:
        return 1.0

"""What files of strangers do to the process that reads them: it dies, it runs on, it takes all there is."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
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

"""What does one child process cost: CPU time, wall time, memory?"""

import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# ru_maxrss counts kilobytes on Linux and bytes on macOS.
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, kw_only=True)
class Cost:
    cpu_seconds: float
    wall_seconds: float
    peak_bytes: int


@dataclass(frozen=True, kw_only=True)
class FinishedChild:
    exit_code: int
    cost: Cost


def run_child(command: Sequence[str], *, environment: Mapping[str, str], stdout: Path, stderr: Path) -> FinishedChild:
    """Run the command to its end, its output going to files.

    Linux counts the memory of the parent at the moment of the start as the child's own peak: whoever calls
    this must stay small, and so import neither NumPy nor Polars.
    """
    started = time.perf_counter()
    process_id = os.posix_spawn(
        command[0],
        list(command),
        {**os.environ, **environment},
        file_actions=[write_to(stdout, descriptor=1), write_to(stderr, descriptor=2)],
    )
    _, status, usage = os.wait4(process_id, 0)
    cost = Cost(
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        wall_seconds=time.perf_counter() - started,
        peak_bytes=usage.ru_maxrss * MAXRSS_UNIT,
    )
    return FinishedChild(exit_code=os.waitstatus_to_exitcode(status), cost=cost)


def write_to(path: Path, *, descriptor: int) -> tuple[int, int, str, int, int]:
    return (os.POSIX_SPAWN_OPEN, descriptor, str(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)


def best_of(costs: Iterable[Cost]) -> Cost:
    """The least time of each kind (noise only ever adds), and the highest peak."""
    rounds = list(costs)
    return Cost(
        cpu_seconds=min(cost.cpu_seconds for cost in rounds),
        wall_seconds=min(cost.wall_seconds for cost in rounds),
        peak_bytes=max(cost.peak_bytes for cost in rounds),
    )

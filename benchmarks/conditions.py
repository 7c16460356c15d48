"""On which machine, with which versions, beside how much other work was something measured?"""

import datetime
import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from benchmarks.contenders import installed_version
from benchmarks.spent import cpu_with_children

DISTRIBUTIONS = ("toprung", "numpy", "scipy", "polars", "pytrec-eval-terrier", "ir-measures", "ranx", "numba")
STATES_AT_WORK = (0, 1, 2, 5, 6)
"""Of a line of /proc/stat: user, nice, system and both kinds of interrupts."""


@dataclass(frozen=True, kw_only=True)
class Moment:
    """What the cores had done by then: all of them for anybody, and for processes that this one started."""

    seconds: float
    cpu_of_all: float | None
    """None where the system does not tell."""
    own_cpu: float

    @classmethod
    def now(cls) -> Self:
        return cls(seconds=time.monotonic(), cpu_of_all=_cpu_of_all(), own_cpu=cpu_with_children())

    def cores_of_others(self, before: Self) -> float | None:
        """How many cores somebody else used since then, in the mean."""
        if self.cpu_of_all is None or before.cpu_of_all is None:
            return None
        others = (self.cpu_of_all - before.cpu_of_all) - (self.own_cpu - before.own_cpu)
        return max(0.0, others) / max(self.seconds - before.seconds, 1e-9)


def _cpu_of_all() -> float | None:
    counts = Path("/proc/stat")
    if not counts.exists():
        return None
    _, *ticks = counts.read_text().partition("\n")[0].split()
    return sum(int(ticks[state]) for state in STATES_AT_WORK) / os.sysconf("SC_CLK_TCK")


def machine() -> list[str]:
    """Lines that say where and with what."""
    versions = {name: installed_version(name) for name in DISTRIBUTIONS}
    packages = [f"{name} {version}" for name, version in versions.items() if version]
    return [
        f"Date: {datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC",
        f"Machine: {cpu_model()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}; {', '.join(packages)}",
    ]


def load_of_machine() -> str:
    """How many processes wanted a core, on average over the last 1, 5 and 15 minutes."""
    return ", ".join(f"{load:.2f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def cpu_model() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown CPU"

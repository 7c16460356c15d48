"""What does the command cost before it does anything, and where does the suite spend its time?"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

from scripts.shape.figure import Figure

TRIES = 5
FILES_SHOWN = 10


def measure_help() -> Figure:
    """Least of five: the others had a cold cache or a busy machine."""
    command = [str(Path(sys.executable).with_name("toprung")), "--help"]
    seconds = min(_cpu_seconds(command) for _ in range(TRIES))
    return Figure("`toprung --help`, CPU s", round(seconds, 2))


def measure_test_times(junit: Path) -> Figure:
    """From the file that `pytest --junit-xml` writes; what a test sets up counts as its own."""
    seconds = seconds_by_file(junit)
    slowest = sorted(seconds, key=lambda name: -seconds[name])[:FILES_SHOWN]
    which = (f"{name} {seconds[name]:.1f}" for name in slowest)
    return Figure("seconds of all tests, slowest files", round(sum(seconds.values()), 1), tuple(which))


def seconds_by_file(junit: Path) -> dict[str, float]:
    seconds: defaultdict[str, float] = defaultdict(float)
    for case in ElementTree.parse(junit).iter("testcase"):
        seconds[_file_of(case.get("classname", ""))] += float(case.get("time", 0))
    return seconds


def _cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _file_of(name: str) -> str:
    """`tests/web/test_x.py` of `tests.web.test_x` and of `tests.web.test_x.TestClass`."""
    parts = [part for part in name.split(".") if not part[:1].isupper()]
    return "/".join(parts) + ".py"

"""What does some work cost that is done in this process?"""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Spent:
    cpu_seconds: float
    wall_seconds: float


def timed[T](work: Callable[[], T], *, clock: Callable[[], float] = time.process_time) -> tuple[T, Spent]:
    """What the work gives, and its cost; ``clock`` counts CPU seconds."""
    cpu, wall = clock(), time.perf_counter()
    result = work()
    return result, Spent(cpu_seconds=clock() - cpu, wall_seconds=time.perf_counter() - wall)


def cpu_with_children() -> float:
    """CPU seconds of this process and of the children that have ended."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usage)

"""How much may a child process take? So much memory, processor time and open files; then the kernel ends it."""

from __future__ import annotations

import contextlib
import resource
import sys
from dataclasses import dataclass, replace
from pathlib import Path

MEGABYTE = 1 << 20
GRACE_SECONDS = 5
"""Of processor time, between the signal that tells a child its time is over and the one that it cannot catch."""
FIRST_TO_GO = "1000"
"""Where the machine itself runs out of memory, Linux ends the process with the highest such number first."""


@dataclass(frozen=True, kw_only=True)
class ChildLimits:
    """What one child may take."""

    memory_bytes: int
    cpu_seconds: int
    open_files: int = 64
    reply_bytes: int = 1 << 28
    """What it may send back: the parent takes several times as much memory to read it."""

    @property
    def wall_seconds(self) -> float:
        """After so long it is taken to be stuck, for on a busy machine it gets a part of a core."""
        return 60.0 + 4.0 * self.cpu_seconds

    def with_pieces(self, n: int) -> ChildLimits:
        """For a child that does so many pieces of work, one after the other."""
        pieces = max(1, n)
        return replace(self, cpu_seconds=self.cpu_seconds * pieces, reply_bytes=self.reply_bytes * pieces)

    def apply(self) -> None:
        """To this process, for good."""
        # Linux counts what can be written: files that are only looked at, and room that is only reserved, are free.
        memory = resource.RLIMIT_DATA if sys.platform.startswith("linux") else resource.RLIMIT_AS
        _lower(memory, self.memory_bytes, self.memory_bytes)
        _lower(resource.RLIMIT_CPU, self.cpu_seconds, self.cpu_seconds + GRACE_SECONDS)
        _lower(resource.RLIMIT_NOFILE, self.open_files, self.open_files)
        _lower(resource.RLIMIT_CORE, 0, 0)  # labels would stand in the picture of a dead process
        with contextlib.suppress(OSError):  # only Linux has it
            Path("/proc/self/oom_score_adj").write_text(FIRST_TO_GO)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Never above what holds already, which only root may exceed."""
    _, most = resource.getrlimit(kind)
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    with contextlib.suppress(ValueError, OSError):  # macOS knows some kinds and sets none of them
        resource.setrlimit(kind, (soft, hard))

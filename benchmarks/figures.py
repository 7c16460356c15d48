"""Where a part of ``make bench`` leaves what it found, so that one table can show the figures of all parts.

Nothing heavy is imported here, for the harness reads this module (see ``cost.py``).
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

KEPT_IN = "BENCH_FIGURES"
"""Names the file; a part that is run by itself keeps nothing."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """CPU seconds of Toprung, and of those who do the same."""

    cpu_seconds: float
    peers: dict[str, float] = field(default_factory=dict)
    peak_bytes: int | None = None


def keep(name: str, cpu_seconds: float, peers: dict[str, float] | None = None, peak_bytes: int | None = None) -> None:
    if path := os.environ.get(KEPT_IN):
        with Path(path).open("a") as file:
            file.write(json.dumps([name, {"cpu_seconds": cpu_seconds, "peers": peers or {}, "peak_bytes": peak_bytes}]))
            file.write("\n")


def read_figures(path: Path) -> dict[str, Figure]:
    """By name."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return {name: Figure(**found) for name, found in rows}

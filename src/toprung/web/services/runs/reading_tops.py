"""What do stored runs put first? Told by a child process, from their files: no database, no Django."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toprung.data.formats.runs.files import read_run
from toprung.data.run import Run
from toprung.labels.pools.pool import keep_top


def read_top_runs(runs: Sequence[tuple[str, Path]], depth: int) -> dict[str, Run]:
    """The first documents of each run, by its id."""
    return {run_id: keep_top(read_run(path, depth=depth), depth=depth) for run_id, path in runs}

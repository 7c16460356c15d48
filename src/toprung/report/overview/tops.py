"""What does every run put first? Its top lists, read while other work goes on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial

from toprung.analyses.given import TopLists
from toprung.data.formats.runs.files import read_run
from toprung.data.run import Run
from toprung.scoring.inputs import NamedRun
from toprung.workers import Workers


@contextmanager
def read_ahead(
    runs: Sequence[NamedRun], *, depth: int, workers: Workers, on_progress: Callable[[str], None] = lambda _: None
) -> Iterator[TopLists]:
    """Gives a function that gives the first ``depth`` ranks of every run, by name.

    Reading starts at once on all cores but one, which is left for whoever goes on meanwhile; with one worker it starts
    when it is asked for. Progress is told as runs are handed over.
    """
    n_workers = workers.count or os.cpu_count() or 1
    read = partial(_read_top, depth=depth)
    if n_workers == 1:
        yield cache(partial(_collect, runs, read, on_progress))
        return
    with ThreadPoolExecutor(max_workers=n_workers - 1) as pool:
        started: dict[str, Future[Run]] = {run.name: pool.submit(read, run) for run in runs}
        try:
            yield cache(partial(_collect, runs, lambda run: started[run.name].result(), on_progress))
        finally:
            pool.shutdown(cancel_futures=True)


def _collect(
    runs: Sequence[NamedRun], get: Callable[[NamedRun], Run], on_progress: Callable[[str], None]
) -> dict[str, Run]:
    found = {}
    for run in runs:
        found[run.name] = get(run)
        on_progress(f"top of {run.name}")
    return found


def _read_top(run: NamedRun, *, depth: int) -> Run:
    if run.path is not None:
        return read_run(run.path, name=run.name, depth=depth)
    return run.load().top(depth)

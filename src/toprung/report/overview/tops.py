"""What does every run put first? Its top lists, taken as its file is read for its scores, or read beside other work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from types import MappingProxyType

from toprung.analyses.given import TopLists
from toprung.data.formats.runs.files import read_run
from toprung.data.formats.runs.text import RunText
from toprung.data.formats.runs.top import read_top
from toprung.data.run import Run
from toprung.scoring.inputs import NamedRun, Place
from toprung.workers import Workers


def keep_top(run: NamedRun, tops: dict[str, Run], *, depth: int) -> Place:
    """How the run is placed; the first ``depth`` ranks of its file, read for that, are put under its name."""

    def keep(loaded: RunText | Run) -> None:
        tops[run.name] = read_top(loaded, depth)

    return run.place if run.watch is None else run.watch(keep)


@contextmanager
def read_ahead(
    runs: Sequence[NamedRun],
    kept: Mapping[str, Run] = MappingProxyType({}),
    *,
    depth: int,
    workers: Workers,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Iterator[TopLists]:
    """Gives a function that gives the first ``depth`` ranks of every run, by name.

    Those of ``kept`` are there. Reading the others starts at once on all cores but one, which is left for whoever goes
    on meanwhile; with one worker it starts when it is asked for. Progress is told as runs are handed over.
    """
    n_workers = workers.count or os.cpu_count() or 1
    read = partial(_find_top, kept, depth=depth)
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


def _find_top(kept: Mapping[str, Run], run: NamedRun, *, depth: int) -> Run:
    if run.name in kept:
        return kept[run.name]
    if run.path is not None:
        return read_run(run.path, name=run.name, depth=depth)
    return run.load().top(depth)

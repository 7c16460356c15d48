"""What does every run put first? Kept while it is scored, or else read while other work goes on.

A judging effort asks for the ids of the documents; without one runs are only compared, for which hashes do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial

from toprung.analyses.given import TopLists
from toprung.boards.similarity import DEPTH
from toprung.data.formats.runs.files import hash_and_place, read_and_place, read_run
from toprung.data.formats.runs.top_of_run import TopOfRun
from toprung.data.placement import Placement
from toprung.data.qrels import Qrels
from toprung.data.run import Run
from toprung.scoring.inputs import NamedRun
from toprung.workers import Workers

type Top = Run | TopOfRun


def keep_top(run: NamedRun, tops: dict[str, Top], *, with_ids: bool, depth: int = DEPTH) -> NamedRun:
    """The same run, whose first ranks are put among ``tops`` when labelled documents are placed in it; of a file alone.

    Where other processes place them, this one gets to know nothing of it.
    """
    if run.path is None:
        return run
    path, name = run.path, run.name

    def place(qrels: Qrels) -> Placement:
        tops[name], placed = (read_and_place if with_ids else hash_and_place)(path, qrels, name=name, depth=depth)
        return placed

    return replace(run, place=place)


@contextmanager
def read_ahead(
    given: Sequence[NamedRun],
    *,
    tops: Mapping[str, Top],
    with_ids: bool,
    workers: Workers,
    depth: int = DEPTH,
    on_progress: Callable[[str], None] = lambda _: None,
) -> Iterator[TopLists]:
    """Gives a function that gives the first ``depth`` ranks of every run, by name; ``tops`` are there already.

    Reading starts at once on all cores but one, which is left for whoever goes on meanwhile; with one worker it starts
    when it is asked for. Progress is told as runs are handed over.
    """
    n_workers = workers.count or os.cpu_count() or 1
    read = partial(_read_top, with_ids=with_ids, depth=depth)
    if n_workers == 1 or all(run.name in tops for run in given):
        yield cache(
            partial(_collect, given, lambda run: tops[run.name] if run.name in tops else read(run), on_progress)
        )
        return
    with ThreadPoolExecutor(max_workers=n_workers - 1) as pool:
        started: dict[str, Future[Top]] = {run.name: pool.submit(read, run) for run in given if run.name not in tops}
        try:
            yield cache(
                partial(
                    _collect,
                    given,
                    lambda run: tops[run.name] if run.name in tops else started[run.name].result(),
                    on_progress,
                )
            )
        finally:
            pool.shutdown(cancel_futures=True)


def _collect(
    runs: Sequence[NamedRun], get: Callable[[NamedRun], Top], on_progress: Callable[[str], None]
) -> dict[str, Top]:
    found = {}
    for run in runs:
        found[run.name] = get(run)
        on_progress(f"top of {run.name}")
    return found


def _read_top(run: NamedRun, *, with_ids: bool, depth: int) -> Top:
    top = run.load().top(depth) if run.path is None else read_run(run.path, name=run.name, depth=depth)
    return top if with_ids else TopOfRun.of(top, depth)

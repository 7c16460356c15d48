"""A progress bar for work on many runs or many bytes, shown only to a person."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(total: int, doing: str) -> Iterator[Callable[[str], None]]:
    """Gives a function to call with the name of each thing done."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda name: bar.update(task, advance=1, description=f"{doing}: {name}")


@contextmanager
def growing_progress(doing: str) -> Iterator[Callable[[str, int], None]]:
    """Where work brings more work: the function is called with the name of each thing done, and how many are known."""
    if not sys.stderr.isatty():
        yield lambda _name, _known: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda name, known: bar.update(task, advance=1, total=known, description=f"{doing}: {name}")


@contextmanager
def byte_progress(total: int, doing: str) -> Iterator[Callable[[int], None]]:
    """Gives a function to call with how many bytes are done so far."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda done: bar.update(task, completed=done)

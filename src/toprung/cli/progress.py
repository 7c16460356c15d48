"""A progress bar for work on many runs, shown only to a person."""

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

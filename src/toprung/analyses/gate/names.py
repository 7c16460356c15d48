"""What are the two runs of a gate called? By their files, and apart where these are called the same."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from toprung.data.formats.runs.files import names_for
from toprung.data.run import Run

SAME = ("baseline", "new")
"""Where the file, or its name, is one and the same."""


def name_pair(files: Sequence[str]) -> tuple[str, ...]:
    """Names for the files of the baseline and of the new run.

    >>> name_pair(["main/bm25.run", "pr/bm25.run"]), name_pair(["bm25.run", "bm25.run"])
    (('main/bm25', 'pr/bm25'), ('baseline', 'new'))
    """
    names = tuple(names_for(list(files)))
    return names if len(set(names)) == len(names) else SAME


def tell_apart(runs: Any) -> Any:
    """The same runs; with names of their own where two files, or two runs, were given."""
    if not isinstance(runs, list | tuple) or len(runs) != len(SAME):
        return runs
    if all(isinstance(each, str | os.PathLike) for each in runs):
        return dict(zip(name_pair([os.fspath(each) for each in runs]), runs, strict=True))
    if all(isinstance(each, Run) for each in runs) and runs[0].name == runs[1].name:
        return dict(zip(SAME, runs, strict=True))
    return runs

"""Can the runs and labels of a bundle be read at all? Told by a child process: no database, no Django."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toprung.data.formats.qrels_files import read_qrels
from toprung.errors import FormatError
from toprung.scoring.stored_runs import StoredRun
from toprung.web.core.apart.reply import SentFormatError


def read_members(members: Sequence[tuple[str, Path]]) -> SentFormatError | None:
    """What is wrong with the first file that cannot be read; each comes with its name in the bundle."""
    for name, path in members:
        try:
            if name.startswith("labels/"):
                read_qrels(path)
            else:
                StoredRun.read(path, name=name)
        except FormatError as error:
            return FormatError(source=name, line=error.line, found=error.found, expected=error.expected)
    return None

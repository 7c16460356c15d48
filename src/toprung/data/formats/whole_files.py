"""How is a file replaced? Whole or not at all: whoever reads it sees the old one or the new one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from toprung.errors import InputError


def check_folder(path: str | os.PathLike[str]) -> None:
    """Refuse a file to write that has no folder to stand in."""
    missing = say_missing_folder(os.fspath(path))
    if missing:
        raise InputError(missing)


def say_missing_folder(path: str) -> str:
    """That the file has no folder to stand in, if so.

    >>> say_missing_folder("nowhere/at-all/x.csv")
    'nowhere/at-all/x.csv: found no folder nowhere/at-all; make it, or name another.'
    """
    folder = os.path.dirname(path)
    return (
        f"{path}: found no folder {folder}; make it, or name another." if folder and not os.path.isdir(folder) else ""
    )


def replace_file(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Write the text beside the file, then put it in its place; never readable by more people than ``mode`` says."""
    import tempfile  # only here: it loads random numbers and archives

    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # made with mode 600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(mode)
        os.replace(beside, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(beside)
        raise

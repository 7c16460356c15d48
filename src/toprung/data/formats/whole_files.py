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


def is_same_file(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two paths lead to one file, by whatever links and spellings; of files that are not there yet, the paths.

    >>> is_same_file("pyproject.toml", "./pyproject.toml"), is_same_file("no/such.csv", "no/../no/such.csv")
    (True, True)
    """
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # not there, or no path at all
        return os.path.realpath(one) == os.path.realpath(other)


_inputs: dict[str, None] = {}
"""The files that this process has read, the latest last, so that no result is saved over one of them."""
INPUTS_REMEMBERED = 10_000
"""A server reads files without end."""


def note_input(path: str | os.PathLike[str]) -> None:
    """Remember that this file was read as an input."""
    place = os.path.abspath(os.fspath(path))
    _inputs.pop(place, None)
    _inputs[place] = None
    if len(_inputs) > INPUTS_REMEMBERED:
        _inputs.pop(next(iter(_inputs)), None)


def refuse_input(output: str | os.PathLike[str]) -> None:
    """Refuse to write a result over a file that this process has read as an input."""
    if os.path.isfile(output):
        for place in list(_inputs):
            if is_same_file(output, place):
                raise InputError(
                    f"{os.fspath(output)}: found a file that was read as an input; expected another name. Delete the "
                    "file first if it may go."
                )
    else:
        _inputs.pop(os.path.abspath(output), None)  # what is written there now is an output


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

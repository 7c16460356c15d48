"""What if a restore is killed? A mark in the data folder says so, and the next restore undoes what the last one did."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.files.storage import default_storage

from toprung.boards.archive.working_folder import take_lock
from toprung.errors import InputError
from toprung.web.core.config.environment import Environment

MARK = "being-restored"
BEGUN = ".restoring"
"""How the names of files end that are not in their place yet."""


@contextmanager
def marked(environment: Environment) -> Iterator[None]:
    """The place is empty, and from now on says that it is being restored, until that is done; a fault undoes it."""
    mark = _mark(environment)
    with _locked(mark):
        try:
            yield
        except BaseException:
            _delete_all(environment)
            raise
        finally:
            mark.unlink()


def undo_restore(environment: Environment, *, is_empty: bool) -> None:
    """Delete what a killed restore left in a place that was empty before it; ``is_empty``: no database came of it."""
    mark = _mark(environment)
    if not mark.exists():
        return
    with _locked(mark):
        if is_empty:
            _delete_all(environment)
        mark.unlink()


def refuse_half_restored(environment: Environment) -> None:
    """No server starts where a restore was killed, or is still at work."""
    if _mark(environment).exists():
        raise InputError(
            f"{environment.data_folder}: found a restore that is not done; expected all of a server, or nothing. Run "
            "toprung restore again, which begins anew."
        )


def refuse_files_alone(environment: Environment) -> None:
    """Where no tables are: a new board among them would have its empty backups replace the good ones."""
    refuse_half_restored(environment)
    where, folder = environment.file_store or environment.files, environment.data_folder
    try:
        is_filled = has_files(environment)
    except OSError as error:
        raise InputError(f"{where}: found that it cannot be looked into ({error}); expected no files in it.") from None
    if is_filled:
        raise InputError(
            f"{where}: found files of a board and no database; expected both or neither. If the database is another, "
            f"say so in TOPRUNG_DATABASE_URL. If it is lost, move {folder if where == environment.files else 'them'} "
            f"away and bring back the last good backup: toprung restore BACKUP --data {folder}. For a new board, name "
            "an empty place."
        )


def has_files(environment: Environment) -> bool:
    """Of a folder this is asked before Django is set up, which would leave a key in a folder that was named wrongly."""
    if environment.file_store is None:
        return any(each.is_file() for each in environment.files.rglob("*"))
    return _is_filled("")


def _is_filled(folder: str) -> bool:
    folders, files = default_storage.listdir(folder)
    return any(files) or any(_is_filled(f"{folder}{each}/") for each in folders)


def _mark(environment: Environment) -> Path:
    return environment.data_folder / MARK


@contextmanager
def _locked(mark: Path) -> Iterator[None]:
    file = os.open(mark, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        if not take_lock(file):
            raise InputError(f"{mark}: found another restore at work here; expected none. Wait for it.")
        yield
    finally:
        os.close(file)


def _delete_all(environment: Environment) -> None:
    _delete_files("")
    for left in environment.data_folder.glob(f"*{BEGUN}"):
        left.unlink()


def _delete_files(folder: str) -> None:
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in files:
        default_storage.delete(f"{folder}{name}")
    for name in folders:
        _delete_files(f"{folder}{name}/")

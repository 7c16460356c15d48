"""How does a server come back from a backup? Into an empty place, after every byte was checked, all or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection

from toprung.boards.archive.container import CHUNK
from toprung.boards.archive.following import Tell, tell_nobody
from toprung.boards.archive.reading import read_archive
from toprung.errors import InputError
from toprung.web.core.config.databases import find_damage, unusable
from toprung.web.core.config.environment import Environment
from toprung.web.core.config.folders import make_folders
from toprung.web.core.models.runs import PartialUpload, Submission, Upload, UploadState
from toprung.web.ops.backup.contents import BACKUP, DATABASE, FILES, KEYS, Backup, BackupManifest
from toprung.web.ops.backup.cut_short import BEGUN, has_files, marked, undo_restore
from toprung.web.ops.backup.named_files import Ask, read_pieces
from toprung.web.ops.backup.snapshots import Change, check_programs, kind_of, put_back
from toprung.web.ops.schema import find_unknown

RESTORING = f"toprung.sqlite3{BEGUN}"
PRIVATE_FILE = 0o600
PIECES = "partial/"
NOT_EMPTY = "expected none: a backup is restored into an empty place."


def restore(environment: Environment, path: Path, tell: Tell = tell_nobody) -> BackupManifest:
    """Bring back what the file holds; an InputError changes nothing. Returns what was in it."""
    backup = read_archive(path, BACKUP, tell=tell)
    _check_kind(environment, backup.manifest, path)
    undo_restore(environment, is_empty=not _has_database(environment))
    _check_is_empty(environment)
    make_folders(environment)
    database = environment.data_folder / RESTORING
    with marked(environment):
        _extract(backup, DATABASE, database)
        _refuse_damaged(environment, database, path)
        _restore_files(backup)
        _restore_keys(environment, backup)
        missing = (*backup.facts.forgotten, *backup.facts.lost)
        put_back(environment, database, lambda ask, change: _mend(ask, change, missing))
        database.unlink(missing_ok=True)
    return backup.manifest


def _check_kind(environment: Environment, manifest: BackupManifest, path: Path) -> None:
    """Whether it can be restored here, before anything is changed."""
    kind = manifest.facts.database
    if kind != kind_of(environment):
        wanted = "without TOPRUNG_DATABASE_URL" if kind == "sqlite" else "with TOPRUNG_DATABASE_URL"
        raise InputError(f"{path}: found a backup of a {kind} database; expected to be asked {wanted}.")
    check_programs(environment, "pg_restore")
    later = find_unknown(manifest.facts.migrations)
    if later:
        raise InputError(
            f"{path}: found tables of Toprung {manifest.toprung}, with {later[0]}; expected those of a version that "
            "this one knows. Install the version of Toprung that made them, or a later one."
        )


def _check_is_empty(environment: Environment) -> None:
    if _has_database(environment):
        raise InputError(f"{environment.postgres or environment.database}: found a database; {NOT_EMPTY}")
    if has_files(environment):
        raise InputError(f"{environment.file_store or environment.files}: found files; {NOT_EMPTY}")


def _has_database(environment: Environment) -> bool:
    if environment.postgres is None:
        return environment.database.exists()
    try:
        return bool(connection.introspection.table_names())
    except DatabaseError as error:
        raise unusable(environment, error) from None


def _refuse_damaged(environment: Environment, database: Path, path: Path) -> None:
    """Earlier versions kept a database as it was. One of PostgreSQL is found damaged by what restores it."""
    found = find_damage(database) if environment.postgres is None else ""
    if found:
        raise InputError(
            f"{path}: found a damaged database in it ({found}); expected one that can be read whole. Nothing was "
            "restored: take an earlier backup."
        )


def _extract(backup: Backup, name: str, target: Path) -> None:
    with backup.open(name) as source, target.open("xb") as file:
        shutil.copyfileobj(source, file, CHUNK)
    target.chmod(PRIVATE_FILE)


def _restore_files(backup: Backup) -> None:
    """Each under the name that the database has for it."""
    for name in _names_under(FILES, backup):
        with backup.open(f"{FILES}{name}") as source:
            saved = default_storage.save(name, File(source))
        if saved != name:
            raise InputError(f"{name}: found that the storage calls it {saved}; expected its own name.")


def _restore_keys(environment: Environment, backup: Backup) -> None:
    """Those of this folder were made a moment ago, and nothing is signed by them: its database was empty."""
    for name in _names_under(KEYS, backup):
        _extract(backup, f"{KEYS}{name}", environment.data_folder / f"{name}{BEGUN}")
        (environment.data_folder / f"{name}{BEGUN}").replace(environment.data_folder / name)


def _names_under(folder: str, backup: Backup) -> list[str]:
    return [name.removeprefix(folder) for name in backup.manifest.by_name if name.startswith(folder)]


def _mend(ask: Ask, change: Change, missing: Sequence[str]) -> None:
    """Uploads whose files were forgotten while the backup was made are forgotten; what was submitted stays as it is."""
    uploads, submissions = Upload._meta.db_table, Submission._meta.db_table
    for name in missing:
        change(
            f"UPDATE {uploads} SET state = ?, original = '', parquet = '' WHERE (original = ? OR parquet = ?) "  # noqa: S608 - our own
            f"AND id NOT IN (SELECT upload_id FROM {submissions})",
            [UploadState.FORGOTTEN.value, name, name],
        )
    pieces = {name for name in missing if name.startswith(PIECES)}
    if pieces:
        _mend_partials(ask, change, pieces)


def _mend_partials(ask: Ask, change: Change, missing: set[str]) -> None:
    """A file that lost a piece cannot be gone on with: its sender starts anew."""
    table = PartialUpload._meta.db_table
    for pk, pieces in ask(f"SELECT id, pieces FROM {table} WHERE upload_id IS NULL"):  # noqa: S608 - our own
        if missing & set(read_pieces(pieces)):
            change(f"DELETE FROM {table} WHERE id = ?", [pk])  # noqa: S608 - our own

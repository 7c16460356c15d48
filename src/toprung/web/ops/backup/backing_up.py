"""How is a backup made while the board is used? The database first, at one moment; then every file it names.

Files never change, and are stored before the row that names them is: what the snapshot names is there, but for uploads
that were forgotten meanwhile, which nobody had submitted.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from django.core.files.storage import default_storage

from toprung.boards.archive.following import Tell, tell_nobody
from toprung.boards.archive.manifest import Manifest
from toprung.boards.archive.signing import SigningKey
from toprung.boards.archive.working_folder import working_folder
from toprung.boards.archive.writing import Source, write_new
from toprung.data.formats.whole_files import check_folder
from toprung.errors import InputError
from toprung.web.core.config import signing_key
from toprung.web.core.config.environment import Environment
from toprung.web.ops.backup.contents import BACKUP, DATABASE, FILES, KEYS, BackupFacts, BackupManifest
from toprung.web.ops.backup.named_files import Ask, NamedFiles, find_named_files
from toprung.web.ops.backup.snapshots import check_programs, kind_of, taken

FOR_ITS_OWNER = 0o600
KEY_FILES = ("secret-key", signing_key.FILE)
"""In the data folder, where the environment does not give them."""


@dataclass(frozen=True, kw_only=True)
class FoundFiles:
    """What of the named files is there to be copied, and what is not."""

    sources: list[Source] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def back_up(environment: Environment, path: Path, tell: Tell = tell_nobody) -> BackupManifest:
    """Write all of it to a new file, which is there only if all of it is; returns what is in it."""
    check_programs(environment, "pg_dump")
    _check_path(path)
    with working_folder(path) as folder:
        made_at = datetime.now(UTC)
        with taken(environment, folder) as snapshot:
            named = find_named_files(snapshot.ask, snapshot.tables)
            migrations = _migrations(snapshot.ask)
        files = find_files(named, folder)
        keys = [(name, environment.data_folder / name) for name in KEY_FILES]
        facts = BackupFacts(
            database=kind_of(environment),
            migrations=tuple(migrations),
            forgotten=tuple(files.forgotten),
            lost=tuple(files.lost),
        )
        about = Manifest(kind=BACKUP, made_at=made_at.isoformat(timespec="seconds"), facts=facts)
        sources = [Source.of_file(f"{KEYS}{name}", key) for name, key in keys if key.exists()]
        return write_backup(path, about, [Source.of_file(DATABASE, snapshot.file), *sources, *files.sources], tell)


def write_backup(
    path: Path, about: BackupManifest, sources: Iterable[Source], tell: Tell = tell_nobody
) -> BackupManifest:
    """For its owner alone, and sealed: its key is drawn for this one, for it is nobody's word that is in question."""
    _check_path(path)
    try:
        return write_new(path, about, sources, key=SigningKey.draw(), mode=FOR_ITS_OWNER, tell=tell)
    except FileExistsError:
        raise _taken(path) from None


def _check_path(path: Path) -> None:
    if path.exists():
        raise _taken(path)
    check_folder(path)


def _taken(path: Path) -> InputError:
    return InputError(f"{path}: found a file; expected a new name, so that no earlier backup is lost.")


def find_files(named: NamedFiles, folder: Path) -> FoundFiles:
    """Those that may go are copied to the folder at once; the others are read when their turn comes."""
    found = FoundFiles()
    for number, name in enumerate(sorted(named.passing)):
        copy = folder / f"passing-{number}"
        with suppress(FileNotFoundError), default_storage.open(name) as source, copy.open("xb") as target:
            shutil.copyfileobj(source, target)
        if copy.exists():
            found.sources.append(Source.of_file(f"{FILES}{name}", copy))
        else:
            found.forgotten.append(name)
    for name in sorted(named.kept):
        try:
            found.sources.append(_stored(name))
        except FileNotFoundError:
            found.lost.append(name)
    return found


def _stored(name: str) -> Source:
    return Source(name=f"{FILES}{name}", size=default_storage.size(name), open=lambda: default_storage.open(name))


def _migrations(ask: Ask) -> list[str]:
    return [f"{app}.{name}" for app, name in ask("SELECT app, name FROM django_migrations ORDER BY app, name")]

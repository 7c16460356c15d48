"""How is a backup made while the board is used? The database first, at one moment; then every file it names.

Files never change, and are stored before the row that names them is: what the snapshot names is there, but for uploads
that were forgotten meanwhile, which nobody had submitted.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.core.files.storage import default_storage

from toprung.version import __version__
from toprung.web.core.config import signing_key
from toprung.web.core.config.environment import Environment
from toprung.web.ops.backup.archive import Tell, Writer, writing
from toprung.web.ops.backup.manifest import DATABASE, FILES, KEYS, BackupManifest
from toprung.web.ops.backup.named_files import Ask, find_named_files
from toprung.web.ops.backup.snapshots import check_programs, kind_of, taken

KEY_FILES = ("secret-key", signing_key.FILE)
"""In the data folder, where the environment does not give them."""


def back_up(environment: Environment, path: Path, tell: Tell = lambda _: None) -> BackupManifest:
    """Write all of it to a new file, which is there only if all of it is; returns what is in it."""
    check_programs(environment, "pg_dump")
    with (
        writing(path, tell) as writer,
        tempfile.TemporaryDirectory(prefix=".toprung-backup-", dir=path.parent) as folder,
    ):
        made_at = datetime.now(UTC)
        with taken(environment, Path(folder)) as snapshot:
            named = find_named_files(snapshot.ask, snapshot.tables)
            migrations = _migrations(snapshot.ask)
        writer.add_path(DATABASE, snapshot.file)
        for name in KEY_FILES:
            if (environment.data_folder / name).exists():
                writer.add_path(f"{KEYS}{name}", environment.data_folder / name)
        lost = [name for name in sorted(named.kept) if not _add_file(writer, name)]
        forgotten = [name for name in sorted(named.passing) if not _add_file(writer, name)]
        return writer.seal(
            BackupManifest(
                made_at=made_at.isoformat(timespec="seconds"),
                version=__version__,
                kind=kind_of(environment),
                migrations=tuple(migrations),
                forgotten=tuple(forgotten),
                lost=tuple(lost),
                members=(),
            )
        )


def _add_file(writer: Writer, name: str) -> bool:
    """False where it is not there."""
    try:
        source = default_storage.open(name)
    except FileNotFoundError:
        return False
    with source:
        writer.add(f"{FILES}{name}", source, source.size)
    return True


def _migrations(ask: Ask) -> list[str]:
    return [f"{app}.{name}" for app, name in ask("SELECT app, name FROM django_migrations ORDER BY app, name")]

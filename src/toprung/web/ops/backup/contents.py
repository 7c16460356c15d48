"""What is in a backup? The database, the files it names and the keys; and of which server and moment they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from toprung.boards.archive.manifest import ArchiveKind, Manifest
from toprung.boards.archive.reading import Archive
from toprung.boards.archive.rows import Row

DATABASE, FILES, KEYS = "database", "files/", "keys/"
"""Names of members: one, and what the others begin with."""

type DatabaseKind = Literal["sqlite", "postgresql"]


@dataclass(frozen=True, kw_only=True)
class BackupFacts:
    """What the manifest of a backup says beside what every manifest does."""

    database: str
    """Its kind."""
    migrations: tuple[str, ...]
    """Those the tables had, such as "web.0001_initial"."""
    forgotten: tuple[str, ...]
    """Files the snapshot names that were deleted before they were copied: of uploads that nobody submitted."""
    lost: tuple[str, ...]
    """Files the snapshot names that were not there, though nothing deletes them: labels, or what was submitted."""

    @classmethod
    def read(cls, row: Row) -> BackupFacts:
        return cls(
            database=row.text("database"),
            migrations=row.texts("migrations"),
            forgotten=row.texts("forgotten"),
            lost=row.texts("lost"),
        )


type Backup = Archive[BackupFacts]
type BackupManifest = Manifest[BackupFacts]

BACKUP = ArchiveKind(
    format="toprung-backup",
    version=2,
    what="a backup of Toprung",
    read_facts=BackupFacts.read,
    names=re.compile(rf"{DATABASE}|({FILES}|{KEYS}).+", re.DOTALL),
    largest_manifest=1 << 28,
    no_head="no tar file",
    changed="a byte that is not as it was written",
    whole="a whole backup",
    advice="Take another.",
)


def count_files(manifest: BackupManifest) -> int:
    return sum(member.name.startswith(FILES) for member in manifest.members)

"""What is in a backup? Its members with their digests, and of which server, version and moment it is."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal

from toprung.errors import InputError

FORMAT = "toprung-backup-1"
DATABASE, FILES, KEYS = "database", "files/", "keys/"
"""Names of members: one, and what the others begin with."""
SHA256 = re.compile(r"[0-9a-f]{64}")

type Kind = Literal["sqlite", "postgresql"]


@dataclass(frozen=True, kw_only=True)
class BackupMember:
    """One part of a backup, as it was written."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class BackupManifest:
    """What a backup says of itself."""

    made_at: str
    """When the snapshot of the database was taken, in UTC."""
    version: str
    """Of Toprung."""
    kind: Kind
    """Of database."""
    migrations: tuple[str, ...]
    """Those the tables had, such as "web.0001_initial"."""
    forgotten: tuple[str, ...]
    """Files the snapshot names that were deleted before they were copied: of uploads that nobody submitted."""
    lost: tuple[str, ...]
    """Files the snapshot names that were not there, though nothing deletes them: labels, or what was submitted."""
    members: tuple[BackupMember, ...]

    @property
    def n_files(self) -> int:
        return sum(member.name.startswith(FILES) for member in self.members)

    def to_json(self) -> bytes:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1).encode()

    @classmethod
    def from_json(cls, text: bytes, *, path: object) -> BackupManifest:
        """An InputError where it is another file's, or a later version's."""
        try:
            said = json.loads(text)
            found = said.pop("format")
        except (ValueError, AttributeError, KeyError):
            raise InputError(f"{path}: found no list of what is in it; expected a backup of Toprung.") from None
        if found != FORMAT:
            raise InputError(
                f"{path}: found a backup of format '{found}'; expected {FORMAT}. Is it of a later version?"
            )
        try:
            said["members"] = tuple(_read_member(each) for each in said["members"])
            for name in ("migrations", "forgotten", "lost"):
                said[name] = tuple(map(str, said[name]))
            return cls(**said)
        except (TypeError, KeyError, ValueError) as error:
            raise InputError(f"{path}: found a list of what is in it that cannot be read ({error}).") from None


def _read_member(said: dict[str, Any]) -> BackupMember:
    """Names come from a file: none may lead out of the folder it is restored to."""
    member = BackupMember(**said)
    is_known = member.name == DATABASE or member.name.startswith((FILES, KEYS))
    parts = member.name.split("/")
    if not is_known or "" in parts or "." in parts or ".." in parts or "\\" in member.name or "\0" in member.name:
        raise ValueError(f"the name '{member.name}'")
    if not isinstance(member.size, int) or not SHA256.fullmatch(member.sha256):
        raise ValueError(f"what it says of '{member.name}'")
    return member

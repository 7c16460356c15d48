"""What is in this archive? Its manifest: of which kind, made when, by which version, every member with its digest.

What one kind says beside that, such as whose board it is, are its facts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toprung.boards.archive.container import END, length_of, make_header
from toprung.boards.archive.json_text import read_object, write_json
from toprung.boards.archive.rows import Row
from toprung.boards.archive.signing import EMPTY_SIGNATURE, SIGNATURE
from toprung.errors import FormatError
from toprung.version import __version__

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MANIFEST = "manifest.json"
LARGEST_MEMBER = 1 << 50
NO_DIGEST = "0" * 64
"""Holds the place of one."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_OUT_OF_THE_FOLDER = re.compile(r"[\\\0]|(^|/)\.{0,2}(/|$)")


@dataclass(frozen=True, kw_only=True)
class Member:
    """One file of an archive."""

    name: str
    size: int
    sha256: str = NO_DIGEST

    @classmethod
    def of_file(cls, name: str, path: Path) -> Member:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return cls(name=name, size=file.tell(), sha256=digest)


@dataclass(frozen=True, kw_only=True)
class ArchiveKind[F: DataclassInstance]:
    """One use of archives: how it is told apart, which members it may have, and what is said of one that is damaged."""

    format: str
    version: int
    what: str
    """Such as "a bundle of a board"."""
    read_facts: Callable[[Row], F]
    names: re.Pattern[str]
    """Of members; whatever it allows, none leads out of a folder."""
    largest_manifest: int = 64 << 20
    no_head: str = "no {name} where it should be"
    changed: str = "{found}"
    whole: str = "{expected}"
    advice: str = ""

    def allows(self, name: str) -> bool:
        return self.names.fullmatch(name) is not None and not _OUT_OF_THE_FOLDER.search(name)


@dataclass(frozen=True, kw_only=True)
class Manifest[F: DataclassInstance]:
    """With it, every byte of an archive is determined; so it alone is signed."""

    kind: ArchiveKind[F]
    toprung: str = __version__
    """The version of the program that made it."""
    made_at: str
    """ISO 8601, in UTC: what is in it is of this moment."""
    facts: F
    members: tuple[Member, ...] = ()
    """In the order of their names."""

    def to_bytes(self) -> bytes:
        said = {"format": self.kind.format, "format_version": self.kind.version, "toprung": self.toprung}
        said |= {"made_at": self.made_at, **asdict(self.facts)}
        members = [{"name": each.name, "size": each.size, "sha256": each.sha256} for each in self.members]
        return write_json(said | {"members": members}, indent=1)

    @classmethod
    def read(cls, data: bytes, *, kind: ArchiveKind[F], source: str) -> Manifest[F]:
        """A FormatError says what is no manifest of this kind about it."""
        row = Row(source=source, line=None, values=read_object(data, source=source))
        _check_format(row, kind)
        found = cls(
            kind=kind,
            toprung=row.text("toprung"),
            made_at=_read_moment(row),
            facts=kind.read_facts(row),
            members=_read_members(row, kind),
        )
        if found.to_bytes() != data:
            row.refuse("fields that are not known", "those of a manifest alone")
        return found

    @cached_property
    def by_name(self) -> dict[str, Member]:
        return {member.name: member for member in self.members}

    def with_digests(self, digests: dict[str, str]) -> Manifest[F]:
        return replace(self, members=tuple(replace(each, sha256=digests[each.name]) for each in self.members))

    @cached_property
    def body_at(self) -> int:
        """Where the first member begins, behind manifest and signature."""
        return length_of(MANIFEST, len(self.to_bytes())) + length_of(SIGNATURE, len(EMPTY_SIGNATURE.to_bytes()))

    @property
    def length(self) -> int:
        """Of the whole archive, in bytes."""
        return self.body_at + sum(length_of(each.name, each.size) for each in self.members) + len(END)

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Where the content of each member begins."""
        at, found = self.body_at, {}
        for each in self.members:
            found[each.name] = at + len(make_header(each.name, each.size))
            at += length_of(each.name, each.size)
        return found


def _check_format(row: Row, kind: ArchiveKind[Any]) -> None:
    found, version = row.values.get("format"), row.values.get("format_version")
    if found != kind.format or not isinstance(version, int):
        row.refuse("another kind of file", f"the manifest of {kind.what}")
    if version != kind.version:
        raise FormatError(
            source=row.source,
            found=f"version {version} of the format",
            expected=f"version {kind.version}",
            advice="Take the version of Toprung that made it, or a later one.",
        )


def _read_members(row: Row, kind: ArchiveKind[Any]) -> tuple[Member, ...]:
    said = row["members"]
    if not isinstance(said, list) or not all(isinstance(each, dict) for each in said):
        row.refuse("members that are no list", "one")
    members = tuple(_read_member(replace(row, values=each), kind) for each in said)
    names = [each.name for each in members]
    if names != sorted(set(names)):
        row.refuse("members twice or out of order", "each once, in the order of their names")
    return members


def _read_member(row: Row, kind: ArchiveKind[Any]) -> Member:
    member = Member(name=row.text("name"), size=row.whole("size"), sha256=row.text("sha256"))
    if not kind.allows(member.name):
        row.refuse(f"a member called {member.name[:80]!r}", f"a name that {kind.what} has")
    if not 0 <= member.size <= LARGEST_MEMBER:
        row.refuse(f"a member of {member.size:,} bytes", "no more than any disk has")
    if not _DIGEST.fullmatch(member.sha256):
        row.refuse("a digest of another form", "64 hexadecimal digits")
    return member


def _read_moment(row: Row) -> str:
    said = row.text("made_at")
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        row.refuse("no moment in made_at", "one in UTC")
    return said

"""What is in this bundle? Its manifest: whose board, made when and where, and every member with size and digest."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from toprung.boards.archive.container import BLOCK, END, LARGEST_MEMBER, check_name, length_of
from toprung.boards.archive.json_text import read_object, write_json
from toprung.boards.archive.signing import EMPTY_SIGNATURE
from toprung.errors import FormatError, InputError

MANIFEST = "manifest.json"
FORMAT = "toprung-bundle"
FORMAT_VERSION = 1
LARGEST_MANIFEST = 64 << 20
NO_DIGEST = "0" * 64
"""Holds the place of one."""
COUNTS = ("runs", "teams", "claims", "charges", "label_sets", "results", "audit_entries")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Member:
    """One file in the bundle."""

    name: str
    size: int
    sha256: str = NO_DIGEST


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What is signed; with it, every byte of the bundle is determined."""

    slug: str
    title: str
    made_at: str
    """ISO 8601, in UTC."""
    made_by: str
    """The address of the server."""
    toprung: str
    """The version of the program that made it."""
    has_hidden_labels: bool
    counts: dict[str, int]
    audit_head: str
    """The digest of the last entry of the audit log; empty where there is none."""
    members: tuple[Member, ...]
    """In the order of their names."""

    def to_bytes(self) -> bytes:
        return write_json(
            {
                "format": FORMAT,
                "format_version": FORMAT_VERSION,
                "toprung": self.toprung,
                "board": {"slug": self.slug, "title": self.title},
                "made_at": self.made_at,
                "made_by": self.made_by,
                "has_hidden_labels": self.has_hidden_labels,
                "counts": {name: self.counts[name] for name in COUNTS},
                "audit_head": self.audit_head,
                "members": [{"name": each.name, "size": each.size, "sha256": each.sha256} for each in self.members],
            },
            indent=1,
        )

    @classmethod
    def read(cls, data: bytes, *, source: str) -> Manifest:
        """A FormatError says what is no manifest about it."""
        said = read_object(data, source=source)
        if said.get("format") != FORMAT or not isinstance(said.get("format_version"), int):
            raise FormatError(source=source, found="another kind of file", expected="the manifest of a board's bundle")
        if said["format_version"] != FORMAT_VERSION:
            raise FormatError(
                source=source,
                found=f"version {said['format_version']} of the format",
                expected=f"version {FORMAT_VERSION}",
                advice="Take the version of Toprung that made it, or a later one.",
            )
        try:
            found = cls(
                slug=_slug(said["board"]["slug"]),
                title=_text(said["board"]["title"]),
                made_at=_moment(said["made_at"]),
                made_by=_text(said["made_by"]),
                toprung=_text(said["toprung"]),
                has_hidden_labels=_claim(said["has_hidden_labels"]),
                counts={name: _whole(said["counts"][name]) for name in COUNTS},
                audit_head=_text(said["audit_head"]),
                members=_members(said["members"]),
            )
        except (KeyError, TypeError, AttributeError):
            raise FormatError(
                source=source, found="a field that is missing or of another kind", expected="all fields of a manifest"
            ) from None
        except InputError as error:
            raise InputError(f"{source}: {error}") from None
        if found.to_bytes() != data:
            raise FormatError(source=source, found="fields that are not known", expected="those of a manifest alone")
        return found

    @cached_property
    def by_name(self) -> dict[str, Member]:
        return {member.name: member for member in self.members}

    def with_digests(self, digests: dict[str, str]) -> Manifest:
        return replace(self, members=tuple(replace(each, sha256=digests[each.name]) for each in self.members))

    @property
    def length(self) -> int:
        """Of the whole bundle, in bytes."""
        inner = sum(length_of(each.size) for each in self.members)
        return length_of(len(self.to_bytes())) + length_of(len(EMPTY_SIGNATURE.to_bytes())) + inner + len(END)

    @property
    def body_at(self) -> int:
        """Where the first member begins, behind manifest and signature."""
        return length_of(len(self.to_bytes())) + length_of(len(EMPTY_SIGNATURE.to_bytes()))

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Where the content of each member begins."""
        at, found = self.body_at, {}
        for each in self.members:
            found[each.name] = at + BLOCK
            at += length_of(each.size)
        return found


def _members(said: Any) -> tuple[Member, ...]:
    if not isinstance(said, list):
        raise TypeError(said)
    members = tuple(
        Member(name=check_name(_text(each["name"])), size=_whole(each["size"]), sha256=_digest(each["sha256"]))
        for each in said
    )
    names = [each.name for each in members]
    if names != sorted(set(names)):
        raise InputError("Found members twice or out of order; expected each once, in the order of their names.")
    if names and max(each.size for each in members) > LARGEST_MEMBER:
        raise InputError("Found a member of more bytes than any disk has; expected its size.")
    return members


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(value)
    return value


def _claim(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _digest(value: Any) -> str:
    if not _DIGEST.fullmatch(_text(value)):
        raise InputError("Found a digest of another form; expected 64 hexadecimal digits.")
    return str(value)


def _slug(value: Any) -> str:
    if not _SLUG.fullmatch(_text(value)):
        raise InputError(f"Found '{value[:80]}' as the board; expected its short name.")
    return str(value)


def _moment(value: Any) -> str:
    try:
        moment = datetime.fromisoformat(_text(value))
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise InputError("Found no moment in made_at; expected one in UTC.")
    return str(value)

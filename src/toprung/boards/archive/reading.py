"""Is every byte of this bundle as it was made? Read once from front to back; nothing in it is believed before."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from toprung.boards.archive.container import BLOCK, END, make_header, pad, read_size
from toprung.boards.archive.following import OnProgress, tell_nobody
from toprung.boards.archive.json_text import read_lines, read_object
from toprung.boards.archive.manifest import LARGEST_MANIFEST, MANIFEST, Manifest, Member
from toprung.boards.archive.signing import SIGNATURE, Signature, need_cryptography
from toprung.errors import FormatError, InputError

CHUNK = 1 << 20
LARGEST_SIGNATURE = 4096
LARGEST_OBJECT = 64 << 20
NOT_AS_MADE = "The bundle was changed or damaged since it was made; take another copy."


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """A bundle whose bytes are those that were signed."""

    path: Path
    manifest: Manifest
    signature: Signature

    @property
    def source(self) -> str:
        return self.path.name

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """A member, checked once more as it is read: the file may have changed since it was verified."""
        member = self.manifest.by_name.get(name)
        if member is None:
            raise FormatError(source=self.source, found=f"no member {name}", expected="one")
        with self.path.open("rb") as file:
            file.seek(self.manifest.offsets[name])
            yield io.BufferedReader(_MemberReader(file, member, self.source), CHUNK)

    def rows(self, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of a table, each with the number of its line."""
        with self.open(name) as file:
            yield from read_lines(file, source=f"{self.source}, {name}")

    def read_object(self, name: str) -> dict[str, Any]:
        with self.open(name) as file:
            data = file.read(LARGEST_OBJECT)
        return read_object(data, source=f"{self.source}, {name}")


class _MemberReader(io.RawIOBase):
    """The bytes of one member; at its end their digest is compared."""

    def __init__(self, file: BinaryIO, member: Member, source: str) -> None:
        self._file, self._member, self._source = file, member, source
        self._left = member.size
        self._digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._file.read(min(len(buffer), self._left))
        if not chunk:
            if self._left or self._digest.hexdigest() != self._member.sha256:
                raise FormatError(
                    source=f"{self._source}, {self._member.name}",
                    found="other bytes than before",
                    expected="a file that stays as it is while it is read",
                )
            return 0
        self._digest.update(chunk)
        self._left -= len(chunk)
        buffer[: len(chunk)] = chunk
        return len(chunk)


def read_bundle(path: Path, *, key: str | None = None, on_progress: OnProgress = tell_nobody) -> Bundle:
    """The bundle, once all its bytes are found as signed; ``key`` is the fingerprint that must have signed it.

    A FormatError says what differs where. What the tables in it say is for `check_contents`.
    """
    need_cryptography()
    with path.open("rb") as file:
        head = _read_head(file, path.name)
        bundle = Bundle(path=path, manifest=head[0], signature=head[1])
        _check_key(bundle, key)
        _check_length(bundle, file)
        for member in bundle.manifest.members:
            _check_member(file, member, bundle.source)
            on_progress(member.name, len(bundle.manifest.members))
        if file.read(len(END) + 1) != END:
            _fail(bundle.source, "other bytes after the last member")
    return bundle


def _read_head(file: BinaryIO, source: str) -> tuple[Manifest, Signature]:
    head = _read_named(file, MANIFEST, LARGEST_MANIFEST, source)
    signature = Signature.read(_read_named(file, SIGNATURE, LARGEST_SIGNATURE, source), source=f"{source}, {SIGNATURE}")
    if not signature.holds_for(head):
        _fail(f"{source}, {MANIFEST}", "a signature that is not of this manifest")
    return Manifest.read(head, source=f"{source}, {MANIFEST}"), signature


def _read_named(file: BinaryIO, name: str, largest: int, source: str) -> bytes:
    header = file.read(BLOCK)
    size = read_size(header)
    if size is None or size > largest or header != make_header(name, size):
        raise FormatError(
            source=source,
            found=f"no {name} where it should be",
            expected="a bundle of a board, as `toprung export` writes it",
        )
    content, padding = file.read(size), pad(size)
    if len(content) != size or file.read(len(padding)) != padding:
        _fail(f"{source}, {name}", "other bytes at its end")
    return content


def _check_key(bundle: Bundle, key: str | None) -> None:
    found = bundle.signature.fingerprint
    if key is not None and found != key:
        raise InputError(
            f"{bundle.source}: found the signature of key {found}; expected that of {key}. Somebody else made this "
            "bundle, or the server has a new key."
        )


def _check_length(bundle: Bundle, file: BinaryIO) -> None:
    """Before members are read: sizes that are made up would keep a reader busy."""
    at = file.tell()
    length, expected = file.seek(0, io.SEEK_END), bundle.manifest.length
    file.seek(at)
    if length != expected:
        _fail(bundle.source, f"{length:,} bytes", f"{expected:,}, as the manifest says")


def _check_member(file: BinaryIO, member: Member, source: str) -> None:
    place = f"{source}, {member.name}"
    if file.read(BLOCK) != make_header(member.name, member.size):
        _fail(place, "another header")
    digest, left = hashlib.sha256(), member.size
    while left and (chunk := file.read(min(CHUNK, left))):
        digest.update(chunk)
        left -= len(chunk)
    if left or digest.hexdigest() != member.sha256:
        _fail(place, "other content")
    padding = pad(member.size)
    if file.read(len(padding)) != padding:
        _fail(place, "other bytes at its end")


def _fail(source: str, found: str, expected: str = "what was signed") -> NoReturn:
    raise FormatError(source=source, found=found, expected=expected, advice=NOT_AS_MADE)

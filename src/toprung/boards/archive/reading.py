"""Is every byte of this archive as it was made? Read once from front to back; nothing in it is believed before."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from toprung.boards.archive.container import BLOCK, CHUNK, END, make_header, pad, read_size
from toprung.boards.archive.following import Tell, tell_nobody
from toprung.boards.archive.json_text import read_lines, read_object
from toprung.boards.archive.manifest import MANIFEST, ArchiveKind, Manifest, Member
from toprung.boards.archive.rows import Row
from toprung.boards.archive.signing import SIGNATURE, Signature, need_cryptography
from toprung.data.formats.content import refuse_stream
from toprung.errors import FormatError, InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LARGEST_SIGNATURE = 4096
LARGEST_OBJECT = 64 << 20


@dataclass(frozen=True, kw_only=True)
class Archive[F: DataclassInstance]:
    """An archive whose bytes are those that were signed."""

    path: Path
    manifest: Manifest[F]
    signature: Signature

    @property
    def facts(self) -> F:
        return self.manifest.facts

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

    def rows(self, table: str) -> Iterator[Row]:
        source = f"{self.source}, {table}"
        with self.open(table) as file:
            for line, values in read_lines(file, source=source):
                yield Row(source=source, line=line, values=values)

    def row(self, name: str) -> Row:
        """A member that is one object."""
        source = f"{self.source}, {name}"
        with self.open(name) as file:
            return Row(source=source, line=None, values=read_object(file.read(LARGEST_OBJECT), source=source))


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


def read_archive[F: DataclassInstance](
    path: Path, kind: ArchiveKind[F], *, key: str | None = None, tell: Tell = tell_nobody
) -> Archive[F]:
    """The archive, once all its bytes are found as signed; ``key`` is the fingerprint that must have signed it.

    A FormatError says what differs where. What the members say is for who asked for this kind.
    """
    need_cryptography()
    refuse_stream(path)
    with path.open("rb") as file:
        return _Reading(file, kind, path).read(key, tell)


class _Reading[F: DataclassInstance]:
    """One pass over the file, from front to back."""

    def __init__(self, file: BinaryIO, kind: ArchiveKind[F], path: Path) -> None:
        self._file, self._kind, self._path, self._source = file, kind, path, path.name

    def read(self, key: str | None, tell: Tell) -> Archive[F]:
        archive = self._read_head()
        _check_key(archive, key)
        self._check_length(archive.manifest.length)
        for member in archive.manifest.members:
            self._check_member(member, tell)
        if self._file.read(len(END) + 1) != END:
            self._fail("", "other bytes after the last member")
        return archive

    def _read_head(self) -> Archive[F]:
        head = self._read_named(MANIFEST, self._kind.largest_manifest)
        signer = self._read_named(SIGNATURE, LARGEST_SIGNATURE)
        signature = Signature.read(signer, source=f"{self._source}, {SIGNATURE}")
        if not signature.holds_for(head):
            self._fail(MANIFEST, "a signature that is not of this manifest")
        manifest = Manifest.read(head, kind=self._kind, source=f"{self._source}, {MANIFEST}")
        return Archive(path=self._path, manifest=manifest, signature=signature)

    def _read_named(self, name: str, largest: int) -> bytes:
        header = self._file.read(BLOCK)
        size = read_size(header)
        if size is None or size > largest or header != make_header(name, size):
            found = self._kind.no_head.format(name=name)
            raise FormatError(source=self._source, found=found, expected=self._kind.what)
        content = self._file.read(size)
        if len(content) != size:
            self._fail(name, "other bytes at its end")
        self._check_padding(name, size)
        return content

    def _check_length(self, expected: int) -> None:
        """Before members are read: sizes that are made up would keep a reader busy."""
        at = self._file.tell()
        length = self._file.seek(0, io.SEEK_END)
        self._file.seek(at)
        if length != expected:
            self._fail("", f"{length:,} bytes", f"{expected:,}, as the manifest says")

    def _check_member(self, member: Member, tell: Tell) -> None:
        header = make_header(member.name, member.size)
        if self._file.read(len(header)) != header:
            self._fail(member.name, "another header")
        digest, left = hashlib.sha256(), member.size
        while left and (chunk := self._file.read(min(CHUNK, left))):
            digest.update(chunk)
            left -= len(chunk)
            tell(self._file.tell())
        if left or digest.hexdigest() != member.sha256:
            self._fail(member.name, "other content")
        self._check_padding(member.name, member.size)

    def _check_padding(self, name: str, size: int) -> None:
        padding = pad(size)
        if self._file.read(len(padding)) != padding:
            self._fail(name, "other bytes at its end")

    def _fail(self, name: str, found: str, expected: str = "what was signed") -> NoReturn:
        raise FormatError(
            source=f"{self._source}, {name}" if name else self._source,
            found=self._kind.changed.format(found=found),
            expected=self._kind.whole.format(expected=expected),
            advice=self._kind.advice,
        )


def _check_key(archive: Archive[Any], key: str | None) -> None:
    found = archive.signature.fingerprint
    if key is not None and found != key:
        raise InputError(
            f"{archive.source}: found the signature of key {found}; expected that of {key}. Somebody else made this "
            "bundle, or the server has a new key."
        )

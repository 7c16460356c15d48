"""How is a backup written and read? A tar whose last member seals it: the digest of every byte before.

It is written under another name, and gets its own when all of it is there: one that was cut short is none.
"""

from __future__ import annotations

import hashlib
import io
import os
import secrets
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Protocol

from toprung.errors import InputError
from toprung.web.ops.backup.manifest import BackupManifest, BackupMember

MANIFEST, SEAL = "manifest.json", "seal.sha256"
FOR_ITS_OWNER = 0o600
CHUNK = 1 << 20
LARGEST_MANIFEST = 1 << 28

type Tell = Callable[[int], None]
"""Called with how many bytes are done so far."""


class MemberSource(Protocol):
    """What a member is copied from."""

    def read(self, size: int = -1, /) -> bytes: ...


class Writer:
    """Takes members one after another; `seal` ends it."""

    def __init__(self, file: IO[bytes], tell: Tell) -> None:
        self._sink = _Hashed(file, tell)
        self._tar = tarfile.TarFile(fileobj=self._sink, mode="w", format=tarfile.PAX_FORMAT)  # type: ignore[arg-type]  # it writes and tells, which is enough
        self.members: list[BackupMember] = []

    def add(self, name: str, source: MemberSource, size: int) -> None:
        """An OSError where the source ends before the size it has."""
        hashed = _HashedSource(source)
        self._add(name, hashed, size)
        self.members.append(BackupMember(name=name, size=size, sha256=hashed.digest.hexdigest()))

    def add_path(self, name: str, path: Path) -> None:
        with path.open("rb") as file:
            self.add(name, file, os.fstat(file.fileno()).st_size)

    def seal(self, manifest: BackupManifest) -> BackupManifest:
        """Add the list of what was added, and the digest of all of it; returns the list."""
        complete = replace(manifest, members=tuple(self.members))
        text = complete.to_json()
        self._add(MANIFEST, io.BytesIO(text), len(text))
        seal = f"{self._sink.digest.hexdigest()}\n".encode()
        self._add(SEAL, io.BytesIO(seal), len(seal))
        self._tar.close()
        return complete

    def _add(self, name: str, source: MemberSource, size: int) -> None:
        info = tarfile.TarInfo(name)
        info.size, info.mode = size, FOR_ITS_OWNER
        self._tar.addfile(info, source)


@contextmanager
def writing(path: Path, tell: Tell = lambda _: None) -> Iterator[Writer]:
    """A writer to a file that is there afterwards, whole and for its owner alone; where something fails it is not."""
    if path.exists():
        raise InputError(f"{path}: found a file; expected a new name, so that no earlier backup is lost.")
    if not path.parent.is_dir():
        raise InputError(f"{path}: found no folder {path.parent}; expected one to write to.")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FOR_ITS_OWNER), "wb") as file:
            yield Writer(file, tell)
            file.flush()
            os.fsync(file.fileno())
        os.rename(partial, path)
    finally:
        partial.unlink(missing_ok=True)


class Reader:
    """A backup that was checked."""

    def __init__(self, tar: tarfile.TarFile, manifest: BackupManifest, path: Path) -> None:
        self._tar, self.manifest, self._path = tar, manifest, path

    def copy(self, member: BackupMember, target: IO[bytes]) -> None:
        """Its content, held to its digest once more: the file may have changed since it was checked."""
        hashed = _HashedSource(self.open(member))
        shutil.copyfileobj(hashed, target, CHUNK)
        if hashed.digest.hexdigest() != member.sha256:
            raise InputError(f"{self._path}: found {member.name} changed since it was checked; nothing was restored.")

    def open(self, member: BackupMember) -> IO[bytes]:
        source = self._tar.extractfile(member.name)
        if source is None:
            raise InputError(f"{self._path}: found no file {member.name}; expected one.")
        return source


@contextmanager
def reading(path: Path, tell: Tell = lambda _: None) -> Iterator[Reader]:
    """A reader of a backup whose every byte is as it was written; else an InputError says what is not."""
    with path.open("rb") as file:
        manifest = _check(file, path, tell)
        file.seek(0)
        with tarfile.open(fileobj=file, mode="r:") as tar:
            yield Reader(tar, manifest, path)


def check(path: Path, tell: Tell = lambda _: None) -> BackupManifest:
    """What is in the backup, once every byte of it was held to its digest."""
    with reading(path, tell) as reader:
        return reader.manifest


def _check(file: IO[bytes], path: Path, tell: Tell) -> BackupManifest:
    parts = _list_parts(file, path)
    whole, digests, content, done = hashlib.sha256(), {}, {MANIFEST: b"", SEAL: b""}, 0
    file.seek(0)
    for part in parts:
        whole.update(file.read(part.offset - done))
        if part.name == SEAL:
            sealed = whole.hexdigest()
        whole.update(file.read(part.offset_data - part.offset))
        digest = hashlib.sha256()
        for chunk in _chunks(file, part.size):
            whole.update(chunk)
            digest.update(chunk)
            if part.name in content:
                content[part.name] += chunk
        digests[part.name] = (part.size, digest.hexdigest())
        done = file.tell()
        tell(done)
    rest = file.read(2 * tarfile.RECORDSIZE)  # more than an end can have
    if sealed != content[SEAL].decode(errors="replace").strip() or not _is_an_end(rest, done):
        raise InputError(f"{path}: found a byte that is not as it was written; expected a whole backup. Take another.")
    manifest = BackupManifest.from_json(content[MANIFEST], path=path)
    listed = {member.name: (member.size, member.sha256) for member in manifest.members}
    if listed != {name: found for name, found in digests.items() if name not in content}:
        raise InputError(f"{path}: found other members than it lists; expected those that were written.")
    return manifest


def _list_parts(file: IO[bytes], path: Path) -> list[tarfile.TarInfo]:
    parts: list[tarfile.TarInfo] = []
    with suppress(tarfile.TarError, OSError, ValueError, EOFError), tarfile.open(fileobj=file, mode="r:") as tar:
        for part in tar:
            parts.append(part)  # noqa: PERF402 - where it breaks off, those before are known
    if not parts:
        raise InputError(f"{path}: found no tar file; expected a backup of Toprung.")
    names = [part.name for part in parts]
    is_whole = names[-2:] == [MANIFEST, SEAL] and len(set(names)) == len(names) and all(map(_is_plain, parts))
    if not is_whole:
        raise InputError(f"{path}: found a backup that was cut short or damaged; expected its end. Take another.")
    return parts


def _is_plain(part: tarfile.TarInfo) -> bool:
    return part.isreg() and not part.issparse() and (part.name not in (MANIFEST, SEAL) or part.size <= LARGEST_MANIFEST)


def _is_an_end(rest: bytes, done: int) -> bool:
    """Zeros to the end of the member's block, two blocks of zeros, and as many as make a record full."""
    end = -(-done // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE + 2 * tarfile.BLOCKSIZE
    full = -(-end // tarfile.RECORDSIZE) * tarfile.RECORDSIZE
    return len(rest) == full - done and not rest.strip(b"\0")


def _chunks(file: IO[bytes], size: int) -> Iterator[bytes]:
    while size > 0:
        chunk = file.read(min(CHUNK, size))
        if not chunk:
            return
        size -= len(chunk)
        yield chunk


class _Hashed:
    """A file to write to, and the digest of what was written."""

    def __init__(self, file: IO[bytes], tell: Tell) -> None:
        self._file, self._tell, self.digest = file, tell, hashlib.sha256()
        self._done = 0

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        self._done += len(data)
        self._tell(self._done)
        return self._file.write(data)

    def tell(self) -> int:
        return self._done


class _HashedSource:
    """A file to read from, and the digest of what was read."""

    def __init__(self, file: MemberSource) -> None:
        self._file, self.digest = file, hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self.digest.update(data)
        return data

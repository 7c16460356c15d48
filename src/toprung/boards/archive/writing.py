"""How is an archive written? In one pass over its members: sizes are known, digests and signature come last."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from toprung.boards.archive.container import CHUNK, END, make_header, pad
from toprung.boards.archive.following import Tell, tell_nobody
from toprung.boards.archive.manifest import MANIFEST, Manifest, Member
from toprung.boards.archive.signing import SIGNATURE, Signature, SigningKey
from toprung.boards.archive.working_folder import working_folder
from toprung.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the bytes of a member come from."""

    name: str
    size: int
    open: Callable[[], AbstractContextManager[IO[bytes]]]

    @classmethod
    def of_file(cls, name: str, path: Path) -> Source:
        return cls(name=name, size=path.stat().st_size, open=lambda: path.open("rb"))


def write_archive[F: DataclassInstance](
    file: BinaryIO, about: Manifest[F], sources: Iterable[Source], *, key: SigningKey, tell: Tell = tell_nobody
) -> Manifest[F]:
    """Write all members, and the manifest with their digests before them; returns it as signed.

    Manifest and signature are as long with digests as without, so the members are written behind their place first.
    """
    ordered = sorted(sources, key=lambda each: each.name)
    manifest = replace(about, members=tuple(Member(name=each.name, size=each.size) for each in ordered))
    file.seek(manifest.body_at)
    digests = {each.name: _write_member(file, each, tell) for each in ordered}
    file.write(END)
    signed = manifest.with_digests(digests)
    file.seek(0)
    for part in _head_parts(signed.to_bytes(), key.sign(signed.to_bytes())):
        file.write(part)
    if file.tell() != manifest.body_at:
        raise AssertionError("the manifest does not fill its place")
    file.flush()
    os.fsync(file.fileno())
    return signed


def write_new[F: DataclassInstance](
    path: Path,
    about: Manifest[F],
    sources: Iterable[Source],
    *,
    key: SigningKey,
    mode: int = 0o666,
    tell: Tell = tell_nobody,
) -> Manifest[F]:
    """To a new file, which is there only when all of it is; a FileExistsError where one is there by then."""
    with working_folder(path) as folder:
        whole = folder / "whole"
        whole.touch(mode)
        with whole.open("wb") as file:
            signed = write_archive(file, about, sources, key=key, tell=tell)
        _put_in_place(whole, path)
    return signed


def _put_in_place(whole: Path, path: Path) -> None:
    """In one step, and never over another file."""
    try:
        os.link(whole, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        whole.rename(path)


def _head_parts(head: bytes, signature: Signature) -> Iterator[bytes]:
    for name, content in ((MANIFEST, head), (SIGNATURE, signature.to_bytes())):
        yield make_header(name, len(content))
        yield content
        yield pad(len(content))


def _write_member(file: BinaryIO, source: Source, tell: Tell) -> str:
    file.write(make_header(source.name, source.size))
    digest, written = hashlib.sha256(), 0
    with source.open() as content:
        while chunk := content.read(CHUNK):
            digest.update(chunk)
            written += len(chunk)
            file.write(chunk)
            tell(file.tell())
    if written != source.size:
        raise InputError(
            f"{source.name}: found {written:,} bytes; expected {source.size:,}. Did the file change meanwhile?"
        )
    file.write(pad(source.size))
    return digest.hexdigest()

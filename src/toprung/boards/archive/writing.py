"""How is a bundle written? In one pass over its members: sizes are known, digests and signature are filled in last."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

from toprung.boards.archive.container import END, make_header, pad
from toprung.boards.archive.following import OnProgress, tell_nobody
from toprung.boards.archive.manifest import MANIFEST, Manifest
from toprung.boards.archive.signing import SIGNATURE, Signature, SigningKey
from toprung.errors import InputError

CHUNK = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the bytes of a member come from."""

    name: str
    size: int
    open: Callable[[], AbstractContextManager[IO[bytes]]]

    @classmethod
    def of_file(cls, name: str, path: Path) -> Source:
        return cls(name=name, size=path.stat().st_size, open=lambda: path.open("rb"))


def write_bundle(
    file: BinaryIO,
    manifest: Manifest,
    sources: dict[str, Source],
    *,
    key: SigningKey,
    on_progress: OnProgress = tell_nobody,
) -> Manifest:
    """Write all members, and the manifest with their digests before them; returns it as signed.

    The manifest comes with names and sizes. It and the signature are as long with digests as without, so the members
    are written behind their place first.
    """
    file.seek(manifest.body_at)
    digests = {}
    for member in manifest.members:
        digests[member.name] = _write_member(file, sources[member.name], member.size)
        on_progress(member.name, len(manifest.members))
    file.write(END)
    signed = manifest.with_digests(digests)
    head, signature = signed.to_bytes(), key.sign(signed.to_bytes())
    file.seek(0)
    for part in _head_parts(head, signature):
        file.write(part)
    if file.tell() != manifest.body_at:
        raise AssertionError("the manifest does not fill its place")
    file.flush()
    os.fsync(file.fileno())
    return signed


def _head_parts(head: bytes, signature: Signature) -> Iterator[bytes]:
    for name, content in ((MANIFEST, head), (SIGNATURE, signature.to_bytes())):
        yield make_header(name, len(content))
        yield content
        yield pad(len(content))


def _write_member(file: BinaryIO, source: Source, size: int) -> str:
    file.write(make_header(source.name, size))
    digest, written = hashlib.sha256(), 0
    with source.open() as content:
        while chunk := content.read(CHUNK):
            digest.update(chunk)
            written += len(chunk)
            file.write(chunk)
    if written != size:
        raise InputError(f"{source.name}: found {written:,} bytes; expected {size:,}. Did the file change meanwhile?")
    file.write(pad(size))
    return digest.hexdigest()

"""How does a large file arrive over a line that breaks? In chunks, each sent from where the server says it is.

The server knows an unfinished file by its digest: whoever sends the same file again, in this process or in another,
goes on where it stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from toprung.client.connection import BrokenError, Connection, ServerRefusedError
from toprung.client.record import Record
from toprung.data.formats.content import refuse_stream
from toprung.errors import InputError

LARGEST_CHUNK, SMALLEST_CHUNK = 4 << 20, 1 << 16
"""Bytes: large ones cost fewer requests, small ones lose less when a line breaks."""
MOST_CHUNKS = 500
"""That a file is cut into, however often the line breaks."""
RECEIVING = "receiving"
SENT_ANEW = frozenset({400, 409})
"""A piece that was cut short on its way; one that arrived before, or that another process sent."""

type Progress = Callable[[int], None]
"""Told how many bytes the server has."""


@dataclass(frozen=True, kw_only=True)
class FileToSend:
    """An open file with its size and digest."""

    name: str
    size: int
    digest: str
    content: BinaryIO


@contextmanager
def open_file(path: Path) -> Iterator[FileToSend]:
    """Open a file and read it once, for its digest."""
    refuse_stream(path)
    with path.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256")
        size = content.tell()
        if not size:
            raise InputError(f"{path}: found an empty file; expected a run.")
        name = path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        yield FileToSend(name=name, size=size, digest=f"sha256:{digest.hexdigest()}", content=content)


@dataclass(kw_only=True)
class Sending:
    """One file on its way to a board."""

    connection: Connection
    board: str
    team: str
    file: FileToSend
    on_progress: Progress

    def send(self) -> str:
        """Send all that the server has not got; returns what it calls the file."""
        told = {"team": self.team, "file_name": self.file.name, "size": self.file.size, "digest": self.file.digest}
        begun = self.connection.ask(f"boards/{self.board}/files", method="POST", payload=told)
        identifier = begun.identifier("id")
        largest = max(1, min(LARGEST_CHUNK, begun.whole("chunk_bytes")))
        smallest = min(largest, max(SMALLEST_CHUNK, self.file.size // MOST_CHUNKS))
        received, chunk, failed = self._received(begun), largest, 0
        while begun.text("state") == RECEIVING and received < self.file.size:
            try:
                answer, broken = self._send_chunk(identifier, received, chunk), None
            except BrokenError as error:
                broken = error
            if broken is not None:
                failed += 1
                if failed >= self.connection.backoff.tries:
                    raise InputError(f"{broken} {self._say_where(received)}")
                self.connection.wait(failed, broken)
                chunk = max(smallest, chunk // 2)
                answer = self.connection.ask(f"boards/{self.board}/files/{identifier}")
            reached = self._received(answer)
            if reached > received:
                failed = 0
                chunk = min(largest, 2 * chunk) if broken is None else chunk
            received, begun = reached, answer
        return identifier

    def _send_chunk(self, identifier: str, offset: int, size: int) -> Record:
        self.file.content.seek(offset)
        try:
            return self.connection.ask_once(
                f"boards/{self.board}/files/{identifier}",
                method="PATCH",
                body=self.file.content.read(min(size, self.file.size - offset)),
                headers={"Upload-Offset": str(offset)},
            )
        except ServerRefusedError as error:
            if error.status in SENT_ANEW:
                raise BrokenError(str(error)) from None
            raise

    def _received(self, answer: Record) -> int:
        received = answer.whole("received")
        if not 0 <= received <= self.file.size:
            raise InputError(
                f"{self.connection.server}: found {received:,} bytes received; expected at most {self.file.size:,}."
            )
        self.on_progress(received)
        return received

    def _say_where(self, received: int) -> str:
        return f"{received:,} of {self.file.size:,} bytes arrived; the same command goes on from there."

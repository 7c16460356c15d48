"""Which files does a board offer, and are they here? Fetched into a folder, each checked against its digest."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from toprung.client.connection import API, Connection
from toprung.client.record import Record
from toprung.data.formats.content import digest_of
from toprung.errors import InputError
from toprung.net.download import download
from toprung.net.request import NoReplyError
from toprung.version import __version__

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,118}[A-Za-z0-9_]", re.ASCII)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
PART = ".part"
"""What a file is called until all of it is there and right."""
TRIES = 4


@dataclass(frozen=True, kw_only=True)
class NamedFile:
    """A file that a board names: it is checked, for a server may be another than one thinks."""

    name: str
    digest: str
    link: str
    size: int

    @classmethod
    def of(cls, record: Record) -> NamedFile:
        name, digest, link = record.text("name"), record.text("digest"), record.text("link")
        if not NAME.fullmatch(name) or not DIGEST.fullmatch(digest) or (link and not link.startswith("https://")):
            raise InputError(f"{record.source}: found a file '{name}' that cannot be; expected a name and a digest.")
        return cls(name=name, digest=digest, link=link, size=int(record.number("size") or 0))


def check_terms(connection: Connection, slug: str, offered: Record, *, accepts: bool) -> Record:
    """What is offered once nothing stands before it; an InputError where the terms were not accepted."""
    terms = offered.fields.get("terms")
    if not isinstance(terms, dict) or terms.get("is_accepted"):
        return offered
    if not accepts:
        raise InputError(
            "Found terms that you have not accepted; expected --accept-terms, once you have read them: "
            f"{connection.server}/b/{slug}/data/#terms"
        )
    if connection.token is None:
        raise InputError(
            f"Found no token for {connection.server}; expected one, for a person accepts terms. Run this first: "
            f"toprung login {connection.server}"
        )
    return connection.ask(f"boards/{slug}/data/terms", method="POST", payload={"digest": str(terms.get("digest"))})


@dataclass(frozen=True, kw_only=True)
class Fetching:
    """Fetches files of one board into a folder."""

    connection: Connection
    slug: str
    folder: Path
    replaces: bool = False
    """Whether a file of ours that differs may be overwritten."""

    def is_there(self, file: NamedFile) -> bool:
        """Whether it is here and right; an InputError where something else is."""
        path = self.folder / file.name
        if not path.exists():
            return False
        if path.is_file() and digest_of(path) == file.digest:
            return True
        if self.replaces and path.is_file():
            return False
        raise InputError(
            f"{path}: found a file with another digest; expected {file.digest}. Move it away, or give --replace."
        )

    def fetch(self, file: NamedFile, on_progress: Callable[[int], None]) -> Path:
        """The file, whole and right; what came of a line that broke is kept for the next time."""
        part, path = self.folder / f"{file.name}{PART}", self.folder / file.name
        failed = 0
        while True:
            try:
                self._download(file, part, on_progress)
                break
            except NoReplyError as error:
                failed += 1
                if failed >= TRIES:
                    raise InputError(
                        f"{file.name}: found no whole file ({error}); expected one. The same command goes on with it."
                    ) from None
                self.connection.sleep(self.connection.backoff.wait_after(failed, self.connection.rng))
        self._check(file, part)
        os.replace(part, path)
        return path

    def _download(self, file: NamedFile, part: Path, on_progress: Callable[[int], None]) -> None:
        """A token goes to its server alone, never to where a link leads."""
        headers = {"User-Agent": f"toprung/{__version__}", "Accept-Encoding": "identity"}
        url = file.link
        if not url:
            url = f"{self.connection.server}{API}/boards/{self.slug}/data/files/{quote(file.name)}"
            headers["If-Range"] = f'"{file.digest.removeprefix("sha256:")}"'
            if self.connection.token:
                headers["Authorization"] = f"Bearer {self.connection.token}"
        download(
            url,
            part,
            headers=headers,
            timeout=self.connection.timeout,
            follows=bool(file.link),
            on_progress=on_progress,
        )

    def _check(self, file: NamedFile, part: Path) -> None:
        found = digest_of(part)
        if found != file.digest:
            part.unlink()
            raise InputError(
                f"{file.name}: found {found}; expected {file.digest}. It was not kept. Is it another version?"
            )

"""How are files kept in a bucket? As in a folder; where its server is away, that is said as what it is."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3File, S3Storage

from toprung.web.core.store.files import FilesAwayError

logger = logging.getLogger(__name__)
NOT_THERE = "404"
"""What the server answers to a question about a file that it does not have."""


class S3Files(S3Storage):  # type: ignore[misc]  # the package has no types
    """A bucket. What cannot be reached raises a FilesAwayError: the task is tried again, the page says to come back."""

    def _open(self, name: str, mode: str = "rb") -> S3File:
        with _said_plainly():
            file = super()._open(name, mode)
            if "r" in mode:
                _ = file.file  # read now: what fails later would be a fault of whoever reads
            return file

    def _save(self, name: str, content: IO[bytes]) -> str:
        with _said_plainly():
            return str(super()._save(name, content))

    def exists(self, name: str) -> bool:
        with _said_plainly():
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        """What could not be deleted is found later, by who looks for files that nothing names."""
        try:
            super().delete(name)
        except (BotoCoreError, ClientError) as error:
            logger.warning("A file could not be deleted now: %s", type(error).__name__)

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with _said_plainly():
            folders, files = super().listdir(path)
            return list(folders), list(files)

    def get_modified_time(self, name: str) -> Any:
        with _said_plainly(name):
            return super().get_modified_time(name)

    def size(self, name: str) -> int:
        with _said_plainly(name):
            return int(super().size(name))

    def look(self) -> None:
        """Ask whether the bucket is there and this server may use it; a FilesAwayError where not."""
        with _said_plainly():
            self.connection.meta.client.head_bucket(Bucket=self.bucket_name)


@contextmanager
def _said_plainly(file: str = "") -> Iterator[None]:
    """A ``file`` that was asked for and is not there is no fault of the store."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        if file and _name_of(error) == NOT_THERE:
            raise FileNotFoundError(file) from error
        raise FilesAwayError(_name_of(error)) from error


def _name_of(error: Exception) -> str:
    """The code that the server answered with, or the kind of failure: neither tells of a key."""
    if isinstance(error, ClientError):
        return str(error.response.get("Error", {}).get("Code", "refused"))
    return type(error).__name__

"""A bucket of a server on this machine, for tests that keep files in one."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from moto.server import ThreadedMotoServer

from toprung.web.core.config.file_store import FileStore, read_files_url

KEY, SECRET = "AKIAONLYFORTESTS", "a-secret-only-for-tests"
NAME = "boards"


class Bucket:
    """What is in it, past the board; `stop` takes its server away, `start` brings it back."""

    def __init__(self) -> None:
        logging.getLogger("werkzeug").setLevel(logging.WARNING)  # not every request
        self.prefix = f"board/{uuid.uuid4().hex}"  # what moto holds outlives its server
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        self.port = self.server.get_host_and_port()[1]
        self._client().create_bucket(Bucket=NAME)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def variables(self) -> dict[str, str]:
        return {
            "TOPRUNG_FILES_URL": f"s3://{NAME}/{self.prefix}?endpoint={self.endpoint}&region=us-east-1",
            "TOPRUNG_S3_KEY": KEY,
            "TOPRUNG_S3_SECRET": SECRET,
        }

    @property
    def store(self) -> FileStore:
        store = read_files_url(self.variables)
        assert store is not None
        return store

    def names(self) -> list[str]:
        listed = self._client().list_objects_v2(Bucket=NAME, Prefix=self.prefix).get("Contents", [])
        return sorted(each["Key"] for each in listed)

    def put(self, name: str, content: bytes) -> None:
        self._client().put_object(Bucket=NAME, Key=f"{self.prefix}/{name}", Body=content)

    def grants(self, name: str) -> list[dict[str, Any]]:
        grants: list[dict[str, Any]] = self._client().get_object_acl(Bucket=NAME, Key=name)["Grants"]
        return grants

    def stop(self) -> None:
        self.server.stop()

    def start(self) -> None:
        """At the same address; what it holds is kept by this process."""
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=self.port, verbose=False)
        self.server.start()

    def _client(self) -> Any:
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name="us-east-1",
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
        )


@contextmanager
def a_bucket() -> Iterator[Bucket]:
    bucket = Bucket()
    try:
        yield bucket
    finally:
        bucket.stop()

"""Which store holds the files? A folder, unless one address names a bucket; it is checked, and no key is ever shown."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from toprung.errors import InputError

VARIABLE, KEY_VARIABLE, SECRET_VARIABLE = "TOPRUNG_FILES_URL", "TOPRUNG_S3_KEY", "TOPRUNG_S3_SECRET"
EXPECTED = "s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION"
OPTIONS = ("endpoint", "region")
BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", re.IGNORECASE)
PREFIX = re.compile(r"[\w.-]+(/[\w.-]+)*", re.ASCII)
SECONDS_TO_CONNECT, SECONDS_TO_ANSWER, ATTEMPTS = 5, 60, 3
IN_MEMORY = 8 << 20
"""Bytes of a file that is read; more than that lies on the disk meanwhile."""


@dataclass(frozen=True, kw_only=True, repr=False)
class FileStore:
    """A bucket of an S3-compatible server, and how it is reached."""

    bucket: str
    prefix: str
    """What the names of our files begin with, so that a bucket may hold more than them."""
    endpoint: str
    """Empty for Amazon's own."""
    region: str
    key: str
    """Empty, like the secret, where the machine has its rights in another way that boto3 finds."""
    secret: str

    def __str__(self) -> str:
        return f"bucket '{self.bucket}' at {self.endpoint or 'Amazon S3'}"

    def __repr__(self) -> str:
        return f"FileStore({self})"  # never the secret

    def django_settings(self) -> dict[str, Any]:
        """No ACL is sent: what has none is private, and buckets that take no ACLs refuse files that come with one."""
        from botocore.config import Config

        style = {"addressing_style": "path"} if self.endpoint else {}  # a server of one's own has one host name
        said = {"region_name": self.region, "endpoint_url": self.endpoint}
        said |= {"access_key": self.key, "secret_key": self.secret}
        return {
            "BACKEND": "toprung.web.ops.s3.S3Files",
            "OPTIONS": {
                "bucket_name": self.bucket,
                "location": self.prefix,
                "default_acl": None,
                "querystring_auth": True,  # an address of a file would be signed; none is ever given out
                "file_overwrite": False,
                "max_memory_size": IN_MEMORY,
                "client_config": Config(
                    connect_timeout=SECONDS_TO_CONNECT,
                    read_timeout=SECONDS_TO_ANSWER,
                    retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
                    s3=style,
                ),
                **{name: value for name, value in said.items() if value},
            },
        }


def read_files_url(said: Mapping[str, str]) -> FileStore | None:
    """The bucket that the environment names; None where files lie in the data folder."""
    text, key, secret = (said.get(name, "") for name in (VARIABLE, KEY_VARIABLE, SECRET_VARIABLE))
    if bool(key) != bool(secret):
        there, missing = (KEY_VARIABLE, SECRET_VARIABLE) if key else (SECRET_VARIABLE, KEY_VARIABLE)
        raise InputError(f"{missing}: found nothing, though {there} is set; expected both or neither.")
    if not text:
        if key:
            raise InputError(f"{VARIABLE}: found nothing, though {KEY_VARIABLE} is set; expected {EXPECTED}.")
        return None
    bucket, prefix, options = _take_apart(text)
    _check_packages()
    return FileStore(
        bucket=bucket,
        prefix=prefix,
        endpoint=_read_endpoint(options.get("endpoint", "")),
        region=options.get("region", ""),
        key=key,
        secret=secret,
    )


def _take_apart(text: str) -> tuple[str, str, dict[str, str]]:
    try:
        url = urlsplit(text)
        options = dict(parse_qsl(url.query, keep_blank_values=True, strict_parsing=bool(url.query)))
        has_more = url.port is not None or url.fragment
    except ValueError:
        raise InputError(f"{VARIABLE}: found an address that cannot be read; expected {EXPECTED}.") from None
    if url.username is not None:  # it may be a key, so nothing is quoted
        raise InputError(
            f"{VARIABLE}: found something before an @; expected {EXPECTED}, and keys in {KEY_VARIABLE} and "
            f"{SECRET_VARIABLE}."
        )
    bucket, prefix = url.netloc, url.path.strip("/")
    if url.scheme != "s3" or has_more or not BUCKET.fullmatch(bucket):
        raise InputError(f"{VARIABLE}: found another kind of address; expected {EXPECTED}.")
    if prefix and (not PREFIX.fullmatch(prefix) or {".", ".."} & set(prefix.split("/"))):
        raise InputError(f"{VARIABLE}: found another kind of prefix; expected letters, digits, '.', '-', '_' and '/'.")
    unknown = sorted(options.keys() - set(OPTIONS))
    if unknown:
        raise InputError(f"{VARIABLE}: found options that are not known; expected some of {', '.join(OPTIONS)}.")
    return bucket, prefix, options


def _read_endpoint(text: str) -> str:
    """A name and a port; a user in it would be a secret."""
    try:
        url = urlsplit(text)
        is_server = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
        has_more = bool(url.username or url.path.strip("/") or url.query or url.fragment)
    except ValueError:
        is_server, has_more = False, True
    if text and (not is_server or has_more):
        raise InputError(
            f"{VARIABLE}: found another kind of endpoint; expected an address such as https://s3.example.org."
        )
    return text.rstrip("/")


def _check_packages() -> None:
    if importlib.util.find_spec("storages") is None or importlib.util.find_spec("boto3") is None:
        raise InputError(
            f"{VARIABLE}: found no django-storages, which speaks to buckets; expected it: pip install 'toprung[s3]'."
        )

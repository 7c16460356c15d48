"""How is this server set up? Read from the environment, checked at start, with a message for every fault.

Everything has a default that is safe on one's own machine, so that ``toprung serve`` needs none of it.
"""

from __future__ import annotations

import base64
import difflib
import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from toprung.errors import InputError
from toprung.net.outward import Network
from toprung.web.core.apart.limits import ChildLimits
from toprung.web.core.config.file_store import FileStore, read_files_url
from toprung.web.core.config.other_services import (
    LOGIN_PROVIDERS,
    LoginProvider,
    MailServer,
    read_login_providers,
    read_mail,
    read_mail_from,
    read_networks,
)
from toprung.web.core.config.postgres import PostgresServer, read_database_url

PREFIX = "TOPRUNG_"
SHORTEST_KEY = 32
SIGNING_KEY_BYTES = 32
SHORTEST_TOKEN = 16
MEGABYTE = 1 << 20
LARGEST_CAP = 1 << 20
"""Megabytes: a terabyte is no upload."""
LEAST_MEMORY = 512
"""Megabytes for a process that reads one file."""
LONGEST_READING = 86_400
LOG_FORMATS = ("line", "json")
USUAL_PROXIES = {
    "http": "",
    "https": "127.0.0.0/8, ::1/128, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7",
}
"""Where TLS is spoken there is a proxy, on this machine or in a private network."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
HOST_NAME = re.compile(r"\.?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\]", re.IGNORECASE)
VARIABLES = (
    "TOPRUNG_DATA",
    "TOPRUNG_DATABASE_URL",
    "TOPRUNG_FILES_URL",
    "TOPRUNG_S3_KEY",
    "TOPRUNG_S3_SECRET",
    "TOPRUNG_URL",
    "TOPRUNG_HOSTS",
    "TOPRUNG_SECRET_KEY",
    "TOPRUNG_SIGNING_KEY",
    "TOPRUNG_MAIL_URL",
    "TOPRUNG_MAIL_FROM",
    "TOPRUNG_HOOK_NETWORKS",
    "TOPRUNG_PROXIES",
    "TOPRUNG_MAX_UPLOAD_MB",
    "TOPRUNG_MAX_UNPACKED_MB",
    "TOPRUNG_FILE_MEMORY_MB",
    "TOPRUNG_FILE_SECONDS",
    "TOPRUNG_LOG_FORMAT",
    "TOPRUNG_METRICS_TOKEN",
    *(f"TOPRUNG_{name.upper()}_{part}" for name in LOGIN_PROVIDERS for part in ("ID", "SECRET")),
)
OTHER_VARIABLES = (
    "TOPRUNG_SCANNER",
    "TOPRUNG_SCORER",
    "TOPRUNG_KERNEL",
    "TOPRUNG_JUDGE_KEY",
    "TOPRUNG_SERVER",
    "TOPRUNG_TOKEN",
)
"""Read elsewhere in Toprung; a board leaves them alone."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Environment:
    """What was set, checked."""

    data_folder: Path
    postgres: PostgresServer | None
    """The server that holds the database; None where it is a file in the data folder."""
    file_store: FileStore | None
    """The bucket that holds the files; None where they lie in the data folder."""
    secret_key: str
    signing_key: str
    """What bundles are signed with, in base64; empty where it lies in the data folder."""
    public_url: str
    """Where people reach the board, without a slash at the end."""
    hosts: tuple[str, ...]
    mail: MailServer | None
    mail_from: str
    hook_networks: tuple[Network, ...]
    """Where webhooks may lead beside the public internet."""
    proxies: tuple[Network, ...]
    """The networks a proxy connects from."""
    login_providers: tuple[LoginProvider, ...]
    max_upload_bytes: int
    max_unpacked_bytes: int
    child_limits: ChildLimits
    """What a process may take that reads a file from outside."""
    log_format: str
    metrics_token: str
    """Who shows it may read the metrics; nobody where it is empty."""

    @classmethod
    def read(cls, variables: Mapping[str, str], *, draws_key: bool = True) -> Environment:
        """Check all of it; an InputError names the variable, and never quotes one that holds a secret.

        Unless it ``draws_key``, nothing is made, and the key may be empty.
        """
        said = {name: value.strip() for name, value in variables.items() if name.startswith(PREFIX)}
        _check_names(said)
        said = {name: value for name, value in said.items() if value}
        public_url = _read_public_url(said.get("TOPRUNG_URL", "http://localhost:8000"))
        checked = cls(
            data_folder=_read_folder(said.get("TOPRUNG_DATA", "toprung-data")),
            postgres=read_database_url(said.get("TOPRUNG_DATABASE_URL", "")),
            file_store=read_files_url(said),
            secret_key=_read_secret_key(said),
            signing_key=_read_signing_key(said.get("TOPRUNG_SIGNING_KEY", "")),
            public_url=public_url.geturl().rstrip("/"),
            hosts=_read_hosts(said.get("TOPRUNG_HOSTS", ""), public_url),
            mail=read_mail(said.get("TOPRUNG_MAIL_URL", "")),
            mail_from=read_mail_from(said.get("TOPRUNG_MAIL_FROM", f"toprung@{public_url.hostname}")),
            hook_networks=read_networks("TOPRUNG_HOOK_NETWORKS", said),
            proxies=read_networks("TOPRUNG_PROXIES", {"TOPRUNG_PROXIES": USUAL_PROXIES[public_url.scheme]} | said),
            login_providers=read_login_providers(said),
            max_upload_bytes=_read_megabytes(said, "TOPRUNG_MAX_UPLOAD_MB", 512) * MEGABYTE,
            max_unpacked_bytes=_read_megabytes(said, "TOPRUNG_MAX_UNPACKED_MB", 1024) * MEGABYTE,
            child_limits=_read_child_limits(said),
            log_format=_read_log_format(said.get("TOPRUNG_LOG_FORMAT", LOG_FORMATS[0])),
            metrics_token=_read_metrics_token(said.get("TOPRUNG_METRICS_TOKEN", "")),
        )
        # Last, for it makes a file: nothing is made where something is wrong.
        if checked.secret_key or not draws_key:
            return checked
        return replace(checked, secret_key=_keep_secret_key(checked.data_folder))

    @property
    def is_behind_tls(self) -> bool:
        """Whether people come by https: then a proxy in front speaks TLS, and nothing may go without it."""
        return self.public_url.startswith("https://")

    @property
    def database(self) -> Path:
        """The file that holds it, where no server does."""
        return self.data_folder / "toprung.sqlite3"

    @property
    def files(self) -> Path:
        return self.data_folder / "files"

    @property
    def incoming(self) -> Path:
        """Where uploads lie while they arrive: on the disk of the data, for elsewhere may be memory."""
        return self.data_folder / "incoming"

    @property
    def kept_pairs(self) -> Path:
        """What large boards are compared by; made anew where it is missing."""
        return self.data_folder / "kept-pairs"

    def __repr__(self) -> str:
        return f"Environment({self.data_folder}, {self.public_url})"  # never the key


def _check_names(said: Mapping[str, str]) -> None:
    """A misspelt name would leave a default in its place, unseen."""
    for name in sorted(said):
        if name not in VARIABLES and name not in OTHER_VARIABLES:
            close = difflib.get_close_matches(name, VARIABLES, n=1)
            meant = f" Did you mean {close[0]}?" if close else ""
            raise InputError(f"{name}: found a name that is not known; expected some of {', '.join(VARIABLES)}.{meant}")


def _read_folder(text: str) -> Path:
    folder = Path(text).expanduser().resolve()
    if folder.exists() and not folder.is_dir():
        raise InputError(f"TOPRUNG_DATA: found a file at {folder}; expected a folder, or nothing yet.")
    return folder


def _read_secret_key(said: Mapping[str, str]) -> str:
    """From the environment; empty where it is to lie in the data folder."""
    key = said.get("TOPRUNG_SECRET_KEY", "")
    if key and len(key) < SHORTEST_KEY:
        raise InputError(
            f"TOPRUNG_SECRET_KEY: found {len(key)} characters; expected at least {SHORTEST_KEY}, drawn at random."
        )
    return key


def _read_signing_key(text: str) -> str:
    try:
        n = len(base64.b64decode(text, validate=True))
    except ValueError:
        n = -1
    if text and n != SIGNING_KEY_BYTES:
        raise InputError(
            f"TOPRUNG_SIGNING_KEY: found something else; expected {SIGNING_KEY_BYTES} random bytes in base64, such as "
            f"`openssl rand -base64 {SIGNING_KEY_BYTES}` gives."
        )
    return text


def _keep_secret_key(folder: Path) -> str:
    """From a file in the data folder, which is made at the first start, whole and for its owner alone."""
    path = folder / "secret-key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=folder) as drawn:
            drawn.write(secrets.token_urlsafe(48))
            drawn.flush()
            with suppress(FileExistsError):  # another start was faster, and its key holds
                os.link(drawn.name, path)
    key = path.read_text().strip()
    if len(key) < SHORTEST_KEY:
        raise InputError(
            f"{path}: found {len(key)} characters; expected a key of at least {SHORTEST_KEY}. Delete the file to have "
            "one drawn; everybody has to sign in again then."
        )
    return key


def _read_public_url(text: str) -> SplitResult:
    try:
        url = urlsplit(text)
        is_origin = url.port != 0 and not (url.path.strip("/") or url.query or url.fragment or url.username)
        has_host = HOST_NAME.fullmatch(_host_of(url)) and not _host_of(url).startswith(".")
    except ValueError:  # what urlsplit says of brackets and ports
        is_origin = has_host = False
    if not is_origin or not has_host or url.scheme not in ("http", "https"):
        raise InputError(f"TOPRUNG_URL: found '{text}'; expected an address such as https://board.example.org.")
    return url


def _read_hosts(text: str, public_url: SplitResult) -> tuple[str, ...]:
    hosts = [host.strip() for host in text.split(",") if host.strip()]
    for host in hosts:
        if not HOST_NAME.fullmatch(host):
            raise InputError(
                f"TOPRUNG_HOSTS: found '{host}'; expected names parted by commas, such as board.example.org."
            )
    return tuple(dict.fromkeys([*hosts, _host_of(public_url), *LOCAL_HOSTS]))


def _host_of(url: SplitResult) -> str:
    host = url.hostname or ""
    return f"[{host}]" if ":" in host else host


def _read_megabytes(said: Mapping[str, str], name: str, default: int) -> int:
    text = said.get(name, str(default))
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:9]) <= LARGEST_CAP:
        raise InputError(f"{name}: found '{text}'; expected a whole number of megabytes, from 1 to {LARGEST_CAP:,}.")
    return int(text)


def _read_child_limits(said: Mapping[str, str]) -> ChildLimits:
    memory = _read_megabytes(said, "TOPRUNG_FILE_MEMORY_MB", 4096)
    if memory < LEAST_MEMORY:
        raise InputError(
            f"TOPRUNG_FILE_MEMORY_MB: found {memory}; expected at least {LEAST_MEMORY}: the program itself needs some."
        )
    seconds = said.get("TOPRUNG_FILE_SECONDS", "300")
    if not seconds.isascii() or not seconds.isdecimal() or not 1 <= int(seconds[:9]) <= LONGEST_READING:
        raise InputError(
            f"TOPRUNG_FILE_SECONDS: found '{seconds}'; expected a whole number of seconds, from 1 to "
            f"{LONGEST_READING:,}."
        )
    return ChildLimits(memory_bytes=memory * MEGABYTE, cpu_seconds=int(seconds))


def _read_log_format(text: str) -> str:
    if text not in LOG_FORMATS:
        raise InputError(f"TOPRUNG_LOG_FORMAT: found '{text}'; expected {' or '.join(LOG_FORMATS)}.")
    return text


def _read_metrics_token(text: str) -> str:
    if text and (len(text) < SHORTEST_TOKEN or not text.isascii() or not text.isprintable()):
        raise InputError(
            f"TOPRUNG_METRICS_TOKEN: found {len(text)} characters; expected at least {SHORTEST_TOKEN} of ASCII, drawn "
            "at random."
        )
    return text

"""How is this server set up? Read from the environment, checked at start, with a message for every fault.

Everything has a default that is safe on one's own machine, so that ``toprung serve`` needs none of it.
"""

from __future__ import annotations

import difflib
import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from toprung.errors import InputError

PREFIX = "TOPRUNG_"
SHORTEST_KEY = 32
MEGABYTE = 1 << 20
LARGEST_CAP = 1 << 20
"""Megabytes: a terabyte is no upload."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
HOST_NAME = re.compile(r"\.?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\]", re.IGNORECASE)
MAIL_ADDRESS = re.compile(r"[^@\s<>,]+@[^@\s<>,]+")
MAIL_SCHEMES = ("smtp", "smtps")
LOGIN_PROVIDERS = {"orcid": "https://orcid.org", "github": "https://github.com"}
"""Each with the origin that a person is sent to."""
VARIABLES = (
    "TOPRUNG_DATA",
    "TOPRUNG_URL",
    "TOPRUNG_HOSTS",
    "TOPRUNG_SECRET_KEY",
    "TOPRUNG_MAIL_URL",
    "TOPRUNG_MAIL_FROM",
    "TOPRUNG_MAX_UPLOAD_MB",
    "TOPRUNG_MAX_UNPACKED_MB",
    *(f"TOPRUNG_{name.upper()}_{part}" for name in LOGIN_PROVIDERS for part in ("ID", "SECRET")),
)
OTHER_VARIABLES = ("TOPRUNG_SCANNER", "TOPRUNG_JUDGE_KEY")
"""Read elsewhere in Toprung; a board leaves them alone."""


@dataclass(frozen=True, kw_only=True)
class MailServer:
    """Where mail is handed over; ``smtps`` speaks TLS from the start, ``smtp`` starts it when there is a user."""

    host: str
    port: int
    user: str
    password: str
    speaks_tls: bool

    def __repr__(self) -> str:
        return f"MailServer({self.host}:{self.port})"  # never the password


@dataclass(frozen=True, kw_only=True)
class LoginProvider:
    """Another service that says who a person is, and how it knows this board."""

    id: str
    origin: str
    client_id: str
    secret: str

    def __repr__(self) -> str:
        return f"LoginProvider({self.id})"  # never the secret


@dataclass(frozen=True, kw_only=True, repr=False)
class Environment:
    """What was set, checked."""

    data_folder: Path
    secret_key: str
    public_url: str
    """Where people reach the board, without a slash at the end."""
    hosts: tuple[str, ...]
    mail: MailServer | None
    mail_from: str
    login_providers: tuple[LoginProvider, ...]
    max_upload_bytes: int
    max_unpacked_bytes: int

    @classmethod
    def read(cls, variables: Mapping[str, str]) -> Environment:
        """Check all of it; an InputError names the variable, and never quotes one that holds a secret."""
        said = {name: value.strip() for name, value in variables.items() if name.startswith(PREFIX)}
        _check_names(said)
        said = {name: value for name, value in said.items() if value}
        public_url = _read_public_url(said.get("TOPRUNG_URL", "http://localhost:8000"))
        checked = cls(
            data_folder=_read_folder(said.get("TOPRUNG_DATA", "toprung-data")),
            secret_key=_read_secret_key(said),
            public_url=public_url.geturl().rstrip("/"),
            hosts=_read_hosts(said.get("TOPRUNG_HOSTS", ""), public_url),
            mail=_read_mail(said.get("TOPRUNG_MAIL_URL", "")),
            mail_from=_read_mail_from(said.get("TOPRUNG_MAIL_FROM", f"toprung@{public_url.hostname}")),
            login_providers=_read_login_providers(said),
            max_upload_bytes=_read_megabytes(said, "TOPRUNG_MAX_UPLOAD_MB", 512) * MEGABYTE,
            max_unpacked_bytes=_read_megabytes(said, "TOPRUNG_MAX_UNPACKED_MB", 1024) * MEGABYTE,
        )
        # Last, for it makes a file: nothing is made where something is wrong.
        return checked if checked.secret_key else replace(checked, secret_key=_keep_secret_key(checked.data_folder))

    @property
    def is_behind_tls(self) -> bool:
        """Whether people come by https: then a proxy in front speaks TLS, and nothing may go without it."""
        return self.public_url.startswith("https://")

    @property
    def database(self) -> Path:
        return self.data_folder / "toprung.sqlite3"

    @property
    def files(self) -> Path:
        return self.data_folder / "files"

    @property
    def incoming(self) -> Path:
        """Where uploads lie while they arrive: on the disk of the data, for elsewhere may be memory."""
        return self.data_folder / "incoming"

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


def _read_mail(text: str) -> MailServer | None:
    if not text:
        return None
    try:
        url = urlsplit(text)
        port = url.port or (465 if url.scheme == "smtps" else 587)
    except ValueError:
        url, port = urlsplit(""), 0
    if url.scheme not in MAIL_SCHEMES or not url.hostname or bool(url.username) != bool(url.password):
        # The address holds a password, so it is not quoted.
        raise InputError("TOPRUNG_MAIL_URL: found another kind of address; expected smtp://USER:PASSWORD@HOST:PORT.")
    return MailServer(
        host=url.hostname,
        port=port,
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        speaks_tls=url.scheme == "smtps",
    )


def _read_mail_from(text: str) -> str:
    if not MAIL_ADDRESS.fullmatch(text):
        raise InputError(f"TOPRUNG_MAIL_FROM: found '{text}'; expected an address such as board@example.org.")
    return text


def _read_login_providers(said: Mapping[str, str]) -> tuple[LoginProvider, ...]:
    providers = []
    for name, origin in LOGIN_PROVIDERS.items():
        id_variable, secret_variable = f"TOPRUNG_{name.upper()}_ID", f"TOPRUNG_{name.upper()}_SECRET"
        client_id, secret = said.get(id_variable, ""), said.get(secret_variable, "")
        if bool(client_id) != bool(secret):
            there, missing = (id_variable, secret_variable) if client_id else (secret_variable, id_variable)
            raise InputError(f"{missing}: found nothing, though {there} is set; expected both or neither.")
        if client_id:
            providers.append(LoginProvider(id=name, origin=origin, client_id=client_id, secret=secret))
    return tuple(providers)

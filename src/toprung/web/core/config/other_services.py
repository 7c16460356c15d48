"""Which other services does the board speak to? A mail server, those that say who a person is, and webhooks."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from toprung.errors import InputError
from toprung.net.outward import Network

MAIL_ADDRESS = re.compile(r"[^@\s<>,]+@[^@\s<>,]+")
MAIL_SCHEMES = ("smtp", "smtps")
LOGIN_PROVIDERS = {"orcid": "https://orcid.org", "github": "https://github.com"}
"""Each with the origin that a person is sent to."""


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


def read_mail(text: str) -> MailServer | None:
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


def read_mail_from(text: str) -> str:
    if not MAIL_ADDRESS.fullmatch(text):
        raise InputError(f"TOPRUNG_MAIL_FROM: found '{text}'; expected an address such as board@example.org.")
    return text


def read_networks(name: str, said: Mapping[str, str]) -> tuple[Network, ...]:
    """The networks that a variable lists, separated by commas."""
    found: list[Network] = []
    for each in filter(None, (part.strip() for part in said.get(name, "").split(","))):
        try:
            found.append(ipaddress.ip_network(each))
        except ValueError:
            raise InputError(
                f"{name}: found '{each}'; expected networks parted by commas, such as 10.1.0.0/16."
            ) from None
    return tuple(found)


def read_login_providers(said: Mapping[str, str]) -> tuple[LoginProvider, ...]:
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

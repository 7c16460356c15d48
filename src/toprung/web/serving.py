"""How does a board start with one command? Folder, database, static files, first organiser, then server and worker."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toprung.errors import InputError
from toprung.web.children import keep_running
from toprung.web.databases import has_tables
from toprung.web.environment import Environment
from toprung.web.running import Say, check_system, listen, name_address, web_server, workers

if TYPE_CHECKING:
    from toprung.web.accounts.models import User

SETTINGS = "toprung.web.settings"
PRIVATE = 0o077
"""What is made in the data folder is for its owner alone: hidden labels lie there."""


@dataclass(frozen=True, kw_only=True)
class Serving:
    """What ``toprung serve`` was asked for."""

    data_folder: Path | None
    host: str
    port: int
    """0 for any that is free."""
    organiser: str
    """The address of the first organiser."""
    processes: int
    workers: int = 1


def serve(serving: Serving, *, say: Say, prepare: Callable[[Environment], None] | None = None) -> int:
    """Set up what is not there, then run until told to stop; returns the exit code.

    ``prepare`` is called once tables are there and before anybody can come; when left out, the first organiser is made.
    """
    check_system()
    _check_address(serving.organiser)
    with listen(serving.host, serving.port) as listener:
        port = listener.getsockname()[1]
        is_named = name_address(serving.host, listener)
        environment = set_up(serving.data_folder)
        _address_file(environment).write_text(environment.public_url)
        listening = f" (listening on {serving.host}:{port})" if is_named else ""
        folder = environment.data_folder
        say(f"Toprung is at {environment.public_url}{listening}, its data in {folder}; Ctrl-C ends it.")
        if not is_named and not _is_local(serving.host):
            say("Others are let in by the name that TOPRUNG_URL has: set it to the address they come by.")
        if prepare is None:
            welcome(environment, serving.organiser, say)
        else:
            prepare(environment)
        children = [web_server(listener, serving.processes), *workers(serving.workers)]
        return keep_running(children, say=say)


def set_up(data_folder: Path | None) -> Environment:
    """Make the folder and the tables, and put the static files where the server finds them; harmless when repeated."""
    environment, _ = migrate(data_folder)
    return environment


def migrate(data_folder: Path | None) -> tuple[Environment, list[str]]:
    """The same, with what was done, in words."""
    from toprung.web.migrating import bring_up_to_date

    environment = start_django(data_folder)
    return environment, bring_up_to_date(environment)


def find_pending(data_folder: Path | None) -> list[str]:
    """What ``migrate`` would do, as far as it can be known beforehand; nothing is changed."""
    from toprung.web.migrating import find_pending_files, find_pending_tables

    environment = start_django(data_folder)
    return find_pending_tables(environment) + find_pending_files()


def open_folder(data_folder: Path | None, *, as_it_is: bool = False) -> Environment:
    """A folder that was served before, for commands beside the server; nothing is made or changed.

    Its tables must be those of this version, unless it is to be taken ``as_it_is``.
    """
    from toprung.web.migrating import find_pending_tables, refuse_behind

    environment = start_django(data_folder)
    if not has_tables(environment):
        where = environment.postgres or environment.data_folder
        raise InputError(f"{where}: found no database; expected the data of a board. Start one: toprung serve.")
    if not as_it_is:
        refuse_behind(find_pending_tables(environment))
    return environment


def open_or_make(data_folder: Path | None) -> Environment:
    """The same for commands that may come first: where no tables are, they are made."""
    environment = start_django(data_folder)
    return open_folder(data_folder) if has_tables(environment) else set_up(data_folder)


def start_django(data_folder: Path | None) -> Environment:
    """What everything that asks the database begins with."""
    import django

    environment = read_environment(data_folder)
    django.setup()
    return environment


def read_environment(data_folder: Path | None) -> Environment:
    """What the options and the environment say, for this process and its children; an InputError names the fault."""
    os.umask(PRIVATE)
    if data_folder is not None:
        os.environ["TOPRUNG_DATA"] = str(data_folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = SETTINGS
    return Environment.read(os.environ)


def welcome(environment: Environment, organiser: str, say: Say) -> None:
    """Where no organiser has come in yet, make one unless there is one, and say the link that lets them in."""
    from django.db import transaction

    from toprung.web.accounts.models import User

    organisers = User.objects.filter(may_create_boards=True, is_active=True).order_by("pk")
    if organisers.exclude(last_login=None, login_links=None).exists():
        return
    with transaction.atomic():  # an organiser without a link could not come in
        user = organisers.first() or find_organiser(organiser)
        link = login_link(environment, user)
    say(f"First organiser {user.email}: {link}")
    say("The link works once, for a day; set a password on your account page. Another: toprung login-link EMAIL")


def find_organiser(email: str) -> User:
    """The person of this address, with the right to make boards; who has no account gets one."""
    from toprung.web.accounts.models import User
    from toprung.web.accounts.trusting import make_sure_of

    _check_address(email)
    user = _find_user(email) or User.objects.create_user(email, None)
    make_sure_of(user)
    user.may_create_boards = True
    user.save(update_fields=["may_create_boards"])
    return user


def link_for(environment: Environment, email: str) -> str:
    """A login link for someone who has an account."""
    user = _find_user(email)
    if user is None:
        raise InputError(f"Found no account of '{email}'; expected one. For a new organiser add --organiser.")
    return login_link(environment, user)


def login_link(environment: Environment, user: User) -> str:
    from toprung.web.accounts.login_links import make_login_link

    return served_at(environment) + make_login_link(user)


def served_at(environment: Environment) -> str:
    """Where the board of this folder is: as TOPRUNG_URL says, else as it was served last."""
    address = _address_file(environment)
    if os.environ.get("TOPRUNG_URL") or not address.exists():
        return environment.public_url
    return address.read_text()


def _check_address(email: str) -> None:
    from django.core.exceptions import ValidationError
    from django.core.validators import validate_email

    try:
        validate_email(email)
    except ValidationError:
        raise InputError(f"Found '{email}'; expected an address such as you@example.org.") from None


def _find_user(email: str) -> User | None:
    from toprung.web.accounts.models import User

    user = User.objects.filter(email=User.objects.normalize_email(email).lower()).first()
    if user is not None and not user.is_active:
        raise InputError(f"Found the account of '{email}' closed; expected another address.")
    return user


def _address_file(environment: Environment) -> Path:
    return environment.data_folder / "address"


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")

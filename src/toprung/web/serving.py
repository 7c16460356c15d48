"""How does a board start with one command? Folder, database, static files, first organiser, then server and worker."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toprung.errors import InputError
from toprung.web.children import Child, keep_running
from toprung.web.environment import Environment

if TYPE_CHECKING:
    from toprung.web.accounts.models import User

type Say = Callable[[str], None]

SETTINGS = "toprung.web.settings"
PYTHON = (sys.executable, "-P", "-m")
"""Modules of the folder that the command is given in are not meant."""
BACKLOG = 1024
WORKER_PAUSE = "0.3"
"""Seconds between two looks of the worker for something to do."""
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


def serve(serving: Serving, *, say: Say, prepare: Callable[[Environment], None] | None = None) -> int:
    """Set up what is not there, then run until told to stop; returns the exit code.

    ``prepare`` is called once tables are there and before anybody can come; when left out, the first organiser is made.
    """
    if os.name != "posix":
        raise InputError("Found Windows; expected Linux or macOS: start it in WSL.")
    _check_address(serving.organiser)
    with _listen(serving.host, serving.port) as listener:
        port = listener.getsockname()[1]
        is_named = bool(os.environ.get("TOPRUNG_URL"))
        if not is_named:
            os.environ["TOPRUNG_URL"] = f"http://{_in_url(serving.host)}:{port}"
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
        return keep_running(_children(serving, listener), say=say)


def set_up(data_folder: Path | None) -> Environment:
    """Make the folder and the tables, and put the static files where the server finds them; harmless when repeated."""
    import django
    from django.core.management import call_command
    from django.db import DatabaseError

    environment = read_environment(data_folder)
    for folder in (environment.files, environment.incoming):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for left_over in environment.incoming.iterdir():  # of uploads that a stop cut short
        left_over.unlink()
    django.setup()
    try:
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
    except DatabaseError as error:
        raise InputError(
            f"{environment.database}: found a database that cannot be used ({error}); expected one of Toprung's, or "
            "none. Is the disk full, or the file another program's?"
        ) from None
    call_command("collectstatic", interactive=False, verbosity=0)
    return environment


def open_folder(data_folder: Path | None) -> Environment:
    """A folder that was served before, for commands beside the server; nothing is made."""
    import django

    environment = read_environment(data_folder)
    if not environment.database.exists():
        raise InputError(
            f"{environment.data_folder}: found no database; expected the data of a board. Start one: toprung serve."
        )
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


def _children(serving: Serving, listener: socket.socket) -> list[Child]:
    server = [
        *(*PYTHON, "gunicorn", "--config", "python:toprung.web.server_settings"),
        *("--bind", f"fd://{listener.fileno()}", "--workers", str(serving.processes)),
    ]
    worker = [*PYTHON, "django", "ox_worker", "--interval", WORKER_PAUSE, "--verbosity", "0"]
    return [
        Child(name="web server", command=server, inherits=(listener.fileno(),)),
        Child(name="worker", command=worker),
    ]


def _listen(host: str, port: int) -> socket.socket:
    """Here and not in the server, so that a port that is taken is said at once, and none is refused on a restart."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]  # what Python adds names the address once more
        raise InputError(
            f"Found {host}:{port} not to be had ({why}); expected a free port: give another with --port."
        ) from None


def _address_file(environment: Environment) -> Path:
    return environment.data_folder / "address"


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _in_url(host: str) -> str:
    return {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104 - only compared

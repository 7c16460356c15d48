"""What may stand in a log? Never a link that lets someone in, nor what was asked for behind a question mark."""

from __future__ import annotations

import logging
import re
from typing import Any

HIDDEN = "…"
# What follows these is a secret: login links, invitations, new passwords, confirmed addresses.
_SECRET_PATHS = ("link", "join", "accounts/password/reset/key", "accounts/confirm-email")
_SECRET = re.compile(rf"(/(?:{'|'.join(_SECRET_PATHS)})/)[^\s'\"/]+")
_QUERY = re.compile(r"(/[^\s'\"?]*\?)[^\s'\"]+")


def hide_secrets(text: str) -> str:
    """The text without the secret part of any address in it.

    >>> hide_secrets("Forbidden: /link/abc:def/ and /b/web-docs/?q=secret")
    'Forbidden: /link/…/ and /b/web-docs/?…'
    """
    return _QUERY.sub(rf"\1{HIDDEN}", _SECRET.sub(rf"\1{HIDDEN}", text))


class LineFormatter(logging.Formatter):
    """One line, and the traceback where there is one, without secrets."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        return hide_secrets(super().format(record))


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": LineFormatter}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django.request": {"level": "ERROR"},  # not every page that is not there
        "django.security.DisallowedHost": {"handlers": [], "propagate": False},  # anyone can send any host
        "django.tasks": {"level": "WARNING"},  # not every task
        "django_ox": {"level": "WARNING"},  # nor every start and end of the worker
        "gunicorn.error": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "gunicorn.http.wsgi": {"level": "ERROR"},  # warns of every HEAD, whose body it leaves out itself
    },
}
"""How server and worker write: to standard error, all in the same form."""

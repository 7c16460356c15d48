"""How do server and worker write their log? To standard error, in lines for people or in JSON for machines."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from toprung.web.core.config.redaction import hide_secrets, name_exception, trace_exception

LINE, JSON = "line", "json"
FACTS = "facts"
"""The attribute of a record that holds more to say than its message, by names of ours."""
REQUEST_ID: ContextVar[str] = ContextVar("toprung_request_id", default="")


class LineFormatter(logging.Formatter):
    """One line, and the traceback where there is one, without secrets."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        return hide_secrets(super().format(_without_exceptions(record)))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        return trace_exception(ei[1]) if ei[1] is not None else ""


class JsonFormatter(LineFormatter):
    """One JSON object, in one line."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_exceptions(record).getMessage(),
        }
        if request_id := REQUEST_ID.get():
            said["request_id"] = request_id
        facts: Mapping[str, Any] = getattr(record, FACTS, {})
        said |= facts
        if record.exc_info and record.exc_info[1] is not None:
            said["exception"] = name_exception(record.exc_info[1])
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps({key: _clean(value) for key, value in said.items()}, ensure_ascii=False, default=_kind_of)


def _without_exceptions(record: logging.LogRecord) -> logging.LogRecord:
    """The record with exceptions in its message said by their kind, and no traceback that another formatted."""
    copy = logging.makeLogRecord(record.__dict__)
    copy.exc_text, copy.msg = None, _plain(record.msg)
    if isinstance(record.args, tuple):
        copy.args = tuple(_plain(each) for each in record.args)
    return copy


def _plain(value: Any) -> Any:
    return name_exception(value) if isinstance(value, BaseException) else value


def _clean(value: Any) -> Any:
    return hide_secrets(value) if isinstance(value, str) else value


def _kind_of(value: Any) -> str:
    """Of what is no plain value only its kind is said."""
    return type(value).__name__


def is_no_probe(record: logging.LogRecord) -> bool:
    """What is not ready is asked for every few seconds; the answer says so to who asked."""
    return getattr(getattr(record, "request", None), "path", "") != "/readyz"


def logging_settings(form: str) -> dict[str, Any]:
    """For Django and for waitress; every request and every task is noted where machines read the log."""
    each = "INFO" if form == JSON else "WARNING"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {LINE: {"()": LineFormatter}, JSON: {"()": JsonFormatter}},
        "filters": {
            "no probe": {"()": lambda: is_no_probe},
            "once a minute": {"()": "toprung.web.ops.watch.database_away.SayOnceAMinute"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": JSON if form == JSON else LINE,
                "filters": ["once a minute"],
            },
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            "toprung.requests": {"level": each},
            "toprung.tasks": {"level": each},
            "django.request": {"level": "ERROR", "filters": ["no probe"]},  # not every page that is not there
            # Anyone can send any host. (Without any handler Python itself would write it, in a form of its own.)
            "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
            "django.tasks": {"level": "WARNING"},  # not every task
            "django_ox": {"level": "WARNING"},  # nor every start and end of the worker
            "botocore": {"level": "WARNING"},
            "waitress": {"level": "ERROR"},  # warns of every task that waits, and of who hung up
        },
    }

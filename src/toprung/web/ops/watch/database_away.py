"""What is answered where the database is away or damaged; the log says it once a minute, not each time.

A fault in the middle of a request may come from any part of it, sessions and signing in among them, so it is answered
where Django answers all faults of ours.
"""

from __future__ import annotations

import fcntl
import logging
import sys
import threading
import time
from http import HTTPStatus
from pathlib import Path

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from toprung.web.core.config.databases import is_damage, note_damage
from toprung.web.core.config.redaction import name_exception

SECONDS = "30"
SENTENCE = "Found the database away; expected it to answer. Nothing was stored half; try again in a while."
DAMAGED = (
    "Found the database damaged; expected to read what it holds. Nothing was stored half. Who runs this server has to "
    "bring back a backup."
)
SAID_EVERY = 60.0
"""Seconds."""
SAID_AT = "database-away"
"""The file in the data folder by which the processes of a server agree on who says it; it holds when it was said."""


def answer_fault(request: HttpRequest) -> HttpResponse:
    """What Django answers with where something broke: 503 where that is the database, else that it is our fault."""
    error = sys.exc_info()[1]
    if is_damage(error):
        note_damage(settings.ENVIRONMENT, str(error))
        title, sentence = "The database is damaged", DAMAGED
    elif is_away(error):
        title, sentence = "The database is away", SENTENCE
    else:
        return server_error(request)
    status = HTTPStatus.SERVICE_UNAVAILABLE
    if request.path.startswith("/api/"):
        answer: HttpResponse = JsonResponse({"detail": sentence}, status=status)
    else:  # without the request: who is signed in stands in the database
        page = render_to_string("503.html", {"title": title, "sentence": sentence})
        answer = HttpResponse(page, status=status)
    answer.headers["Retry-After"] = SECONDS
    return answer


def is_away(error: BaseException | None) -> bool:
    return isinstance(error, OperationalError | InterfaceError)


class SayOnceAMinute(logging.Filter):
    """Of records about a database that is away or damaged, one a minute goes through, whichever process says it."""

    def __init__(self) -> None:
        super().__init__()
        self._lock, self._said_at, self._left_out = threading.Lock(), -SAID_EVERY, 0

    def filter(self, record: logging.LogRecord) -> bool | logging.LogRecord:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is None or not (is_away(error) or is_damage(error)):
            return True
        with self._lock:
            if _was_said(self._said_at) or _others_said_it():
                self._left_out += 1
                return False
            left_out, self._left_out, self._said_at = self._left_out, 0, time.monotonic()
        return _in_a_line(record, error, left_out)


def _was_said(at: float) -> bool:
    """Less than a minute ago; another machine counts from another start, and may be ahead."""
    return 0 <= time.monotonic() - at < SAID_EVERY


def _others_said_it() -> bool:
    """Else it is noted that this process does. Where nothing can be noted, each says it."""
    try:
        with Path(settings.ENVIRONMENT.data_folder, SAID_AT).open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            if _was_said(_read_time(file.read())):
                return True
            file.seek(0)
            file.truncate()
            file.write(str(time.monotonic()))
    except OSError:
        pass
    return False


def _read_time(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -SAID_EVERY


def _in_a_line(record: logging.LogRecord, error: BaseException, left_out: int) -> logging.LogRecord:
    line = logging.makeLogRecord(record.__dict__)
    more = f" The same was to be said {left_out:,} times since it was said last." if left_out else ""
    says = f"damaged: {error}. Stop the server and restore the last good backup"
    line.msg = f"The database is {says if is_damage(error) else f'away: {name_exception(error)}'}.{more}"
    line.args = ()
    line.exc_info = line.exc_text = None
    return line

"""What does the API make of a body? Each goes through the server as a program of a participant sends it.

A file is the route in its first line, and the body. A fault of the server is harm; what is refused is told why.
"""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.fuzz.changes import change
from tests.fuzz.start_django import start_django

if TYPE_CHECKING:
    from tests.web.api.calling import Program

FILE = 1912
DIGEST = "sha256:" + "0" * 64
ASSIGNMENT = {"assignment": "a1", "answer_id": "5f3c"}
BOARD, DESK = "/boards/web-docs", "/boards/web-docs/judging/second-look"
BODIES: dict[str, dict[str, Any]] = {
    f"POST {BOARD}/files": {"team": "kestrel-lab", "file_name": "run.txt", "size": 10, "digest": DIGEST},
    f"POST {BOARD}/runs": {"file": str(FILE), "name": "BM25", "description": "words", "tags": ["a"], "cost": 1.5},
    f"PATCH {BOARD}/runs/R1": {"name": "BM25", "description": "words", "tags": ["a", "b"], "cost": None},
    f"POST {BOARD}/data/terms": {"digest": DIGEST},
    f"POST {DESK}/consent": {"version": 1, "agree": True},
    f"POST {DESK}/trial": {"choice": "left"},
    f"POST {DESK}/answers": {**ASSIGNMENT, "slot": 0, "choice": "tie", "ms": 1200},
    f"POST {DESK}/undo": ASSIGNMENT,
}
"""Every route that takes one."""


class RefusedError(Exception):
    """The body was refused."""


class ServerFaultError(Exception):
    """The server failed, or refused without a word."""


def seeds() -> list[bytes]:
    return [f"{route}\n{json.dumps(body)}".encode() for route, body in BODIES.items()]


def make(data: bytes, rng: random.Random) -> bytes:
    """Another body for the same route."""
    route, _, body = data.partition(b"\n")
    return route + b"\n" + change(body, rng)


def make_tables() -> None:
    """A database in memory, for a process that has none."""
    start_django()
    from django.db import connection
    from django.test.utils import setup_test_environment

    setup_test_environment()
    connection.creation.create_test_db(verbosity=0)


def send(path: Path) -> None:
    """Nothing that is asked leaves a trace, and nobody asks too often here."""
    from django.test import override_settings
    from tests.web.asking import undone

    route, _, body = path.read_bytes().partition(b"\n")
    method, _, where = route.decode().partition(" ")
    sent = {"content": body, "Content-Type": "application/json"}
    program = _make_program()
    with undone(), override_settings(ACCOUNT_RATE_LIMITS={}):
        answer = program.ask(method, where, **sent)
    if answer.status_code >= 500 or not (answer.status_code < 400 or json.loads(answer.content).get("detail")):
        raise ServerFaultError(f"{answer.status_code}: {answer.content[:500]!r}")
    if answer.status_code >= 400:
        raise RefusedError


@cache
def _make_program() -> Program:
    """Of a participant with a run, R1, and a checked file that is not submitted yet."""
    from tests.web.api.calling import program_of
    from tests.web.cast import even_ranks, make_cast, run_text
    from tests.web.runs import accepted, settled

    from toprung.web.core.models.runs import PartialUpload

    cast = make_cast()
    settled(cast, "first", 4)
    upload = accepted(cast, run_text(even_ranks(3)))
    said = {name: getattr(upload, name) for name in ("board", "team", "user", "file_name", "size", "digest")}
    PartialUpload.objects.create(pk=FILE, received=upload.size, upload=upload, **said)
    return program_of(cast.participant)

"""How is a process asked for? By a line to the server with its files and what it is to run; its number and end follow.

Only the standard library, and little of it: the command in ``bin`` is to start at once.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Sequence
from typing import NamedTuple

TOPRUNG = "toprung"
LENGTH, STARTED, ENDED = struct.Struct("!I"), struct.Struct("!I"), struct.Struct("!i")
MOST_FILES = 16
"""That a process is given."""


class Asked(NamedTuple):
    """A process that somebody wants: what Python is to run, and where."""

    arguments: Sequence[str]
    environment: dict[str, str]
    folder: str
    is_session: bool
    numbers: Sequence[int]
    """Of the files that it is given: by these it knows them."""


def ask(place: str, asked: Asked, files: Sequence[int]) -> tuple[socket.socket, int]:
    """The line by which its end will be told, and the number of the process."""
    line = socket.socket(socket.AF_UNIX)
    line.connect(place)
    text = json.dumps(asked).encode()
    socket.send_fds(line, [LENGTH.pack(len(text))], files)
    line.sendall(text)
    (number,) = STARTED.unpack(read(line, STARTED.size))
    return line, number


def receive(line: socket.socket) -> tuple[Asked, list[int]]:
    head, files, _, _ = socket.recv_fds(line, LENGTH.size, MOST_FILES)
    (length,) = LENGTH.unpack(head)
    return Asked(*json.loads(read(line, length))), files


def wait(line: socket.socket) -> int:
    """How it ended, as `subprocess` has it: its exit code, or the number of a signal below zero."""
    with line:
        (ended,) = ENDED.unpack(read(line, ENDED.size))
    return int(ended)


def read(line: socket.socket, length: int) -> bytes:
    received = b""
    while len(received) < length:
        more = line.recv(length - len(received))
        if not more:
            raise ConnectionError("the server that forks is gone")
        received += more
    return received


def asked_here(*arguments: str) -> Asked:
    """As this process is, with its three standard files."""
    return Asked(arguments, dict(os.environ), os.getcwd(), False, (0, 1, 2))

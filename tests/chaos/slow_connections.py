"""Attacks a web server of this machine with slow connections, and asks it meanwhile as visitors do.

``python -m tests.chaos.slow_connections PORT PAGE LARGE --each 300 --seconds 120`` prints the outcome as JSON. Some
connections send the head of a request byte by byte, as many send a body so, and as many ask for a large file and take
nothing of it. They come from 127.0.0.2 to 127.0.0.31, and connect again when they are closed. Visitors come from
127.0.0.1.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import json
import socket
import statistics
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any

ADDRESSES = [f"127.0.0.{number}" for number in range(2, 32)]
HEADS, BODIES, READERS = "heads", "bodies", "readers"
PAUSES = {HEADS: 2.0, BODIES: 3.0, READERS: 1.0}
"""Seconds between two bytes; a reader only looks whether its connection is still there."""
COMES_AGAIN = 1.0
"""Seconds after which who was closed out comes again."""
TINY_BUFFER = 4096
HEAD = b"Host: 127.0.0.1\r\n"


@dataclass(eq=False)
class Slow:
    """One slow sender or reader, which connects again when it is closed out."""

    kind: str
    port: int
    large: str
    address: str
    socket: socket.socket | None = None
    times: int = 0
    """How often it connected."""
    refused: int = 0

    def connect(self) -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, TINY_BUFFER)
        self.socket.bind((self.address, 0))
        self.socket.settimeout(1.0)
        try:
            self.socket.connect(("127.0.0.1", self.port))
            self.socket.sendall(self._beginning())
        except OSError:
            self.refused += 1
            self.close()
            return
        self.socket.setblocking(False)
        self.times += 1

    def _beginning(self) -> bytes:
        if self.kind == HEADS:
            return b"GET / HTTP/1.1\r\n" + HEAD + b"X-Slow: "
        if self.kind == BODIES:
            return b"POST /accounts/login/ HTTP/1.1\r\n" + HEAD + b"Content-Length: 240000000\r\n\r\n"
        return b"GET %s HTTP/1.1\r\n" % self.large.encode() + HEAD + b"\r\n"

    def go_on(self) -> None:
        """Send one byte, and see whether the server hung up; a reader takes nothing."""
        if self.socket is None:
            self.connect()
            return
        with suppress(BlockingIOError):
            try:
                if self.kind == READERS:
                    is_open = not self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                else:
                    self.socket.send(b"a")
                    is_open = bool(self.socket.recv(TINY_BUFFER))
            except ConnectionError:
                is_open = False
            if not is_open:
                self.close()

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
        self.socket = None


@dataclass
class Attack:
    """All slow connections, each tended when its next byte is due."""

    port: int
    large: str
    each: int
    is_over: threading.Event = field(default_factory=threading.Event)
    slow: list[Slow] = field(default_factory=list)

    def run(self) -> None:
        places = itertools.cycle(ADDRESSES)
        self.slow = [Slow(kind, self.port, self.large, next(places)) for _ in range(self.each) for kind in PAUSES]
        due = [(time.monotonic(), number) for number in range(len(self.slow))]
        heapq.heapify(due)
        while not self.is_over.is_set():
            at, number = heapq.heappop(due)
            self.is_over.wait(max(0.0, at - time.monotonic()))
            each = self.slow[number]
            each.go_on()
            pause = COMES_AGAIN if each.socket is None else PAUSES[each.kind]
            heapq.heappush(due, (time.monotonic() + pause, number))
        for each in self.slow:
            each.close()

    def count_open(self) -> Counter[str]:
        return Counter(each.kind for each in self.slow if each.socket is not None)


def visit(port: int, page: str, *, timeout: float) -> tuple[str, float]:
    """One request from 127.0.0.1; the status or what went wrong, and the seconds it took."""
    began = time.monotonic()
    connection = HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", page)
        response = connection.getresponse()
        response.read()
        outcome = str(response.status)
    except (OSError, HTTPException) as error:
        outcome = type(error).__name__
    finally:
        connection.close()
    return outcome, time.monotonic() - began


def attack(
    port: int, page: str, large: str, *, each: int, seconds: float, requests: int, timeout: float
) -> dict[str, Any]:
    attackers = Attack(port, large, each)
    thread = threading.Thread(target=attackers.run)
    thread.start()
    outcomes, took, is_open = Counter[str](), list[float](), list[Counter[str]]()
    began = time.monotonic()
    for number in range(requests):
        time.sleep(max(0.0, began + number * seconds / requests - time.monotonic()))
        outcome, spent = visit(port, "/healthz" if number % 2 else page, timeout=timeout)
        outcomes[outcome] += 1
        took.append(spent)
        is_open.append(attackers.count_open())
    attackers.is_over.set()
    thread.join()
    return {
        "outcomes": dict(outcomes),
        "p50": round(statistics.median(took), 3),
        "p95": round(sorted(took)[int(0.95 * len(took))], 3),
        "max": round(max(took), 3),
        "open": {kind: round(statistics.mean(each[kind] for each in is_open)) for kind in PAUSES},
        "connections": {kind: sum(s.times for s in attackers.slow if s.kind == kind) for kind in PAUSES},
        "refused": sum(s.refused for s in attackers.slow),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("page")
    parser.add_argument("large")
    for name, kind, default in (("each", int, 300), ("seconds", float, 120.0), ("requests", int, 200)):
        parser.add_argument(f"--{name}", type=kind, default=default)
    parser.add_argument("--timeout", type=float, default=30.0)
    asked = vars(parser.parse_args())
    print(json.dumps(attack(asked.pop("port"), asked.pop("page"), asked.pop("large"), **asked)))


if __name__ == "__main__":
    main()

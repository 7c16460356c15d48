"""A real server on this machine that speaks chat completions, and does what a test tells it."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PASSAGES = re.compile(r"<passage_1 (\w+)>\n(.*)\n</passage_1 \1>\n\n<passage_2 \1>\n(.*)\n</passage_2 \1>", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Served:
    """What the server sends back; ``drip`` is the time between two bytes of the body."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    drip: float = 0.0


def says(text: str | None, **more: Any) -> Served:
    """A completion."""
    message: dict[str, Any] = {"role": "assistant", "content": text, **more.pop("message", {})}
    reply = {"choices": [{"message": message, "finish_reason": "stop"} | more.pop("choice", {})]}
    usage = {"usage": {"prompt_tokens": 100, "completion_tokens": 2}}
    return Served(body=json.dumps(reply | usage | more).encode())


def fails(status: int, **error: str) -> Served:
    return Served(status=status, body=json.dumps({"error": error}).encode())


def prefers_the_shorter(payload: dict[str, Any]) -> str:
    """A judge that does not care for sides; two of one length are alike."""
    found = PASSAGES.search(payload["messages"][-1]["content"])
    assert found is not None
    one, other = map(len, found.groups()[1:])
    return "0" if one == other else "1" if one < other else "2"


class ModelServer(ThreadingHTTPServer):
    """Keeps what it was asked; ``script`` is served first, then ``behaviour``."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.n_sent_whole = 0
        self.script: list[Served] = []
        self.behaviour: Callable[[dict[str, Any]], Served] = lambda payload: says(prefers_the_shorter(payload))
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.times.append(time.monotonic())
            self.server.asked.append(payload)
            self.server.headers.append({"path": self.path, **dict(self.headers)})
            served = self.server.script.pop(0) if self.server.script else None
        served = served or self.server.behaviour(payload)
        time.sleep(served.wait)
        self.send_response(served.status)
        for name, value in {"Content-Length": str(len(served.body)), **served.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if served.drip:
            for byte in served.body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(served.drip)
        else:
            self.wfile.write(served.body)
        with self.server.lock:
            self.server.n_sent_whole += 1

    def do_GET(self) -> None:
        with self.server.lock:
            self.server.headers.append({"path": self.path, **dict(self.headers)})
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Nothing on the screen."""


@contextmanager
def serving() -> Iterator[ModelServer]:
    """A server that runs until the block ends."""
    with ModelServer() as found:
        thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield found
        found.shutdown()
        thread.join()

"""Where do pages under test live? On a real server of this machine, on a port that is free."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What is answered under one address."""

    text: str
    headers: Mapping[str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class PageServer:
    """Serves what it is given, and nothing else."""

    port: int
    pages: dict[str, Answer] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=count)

    def add(self, text: str, headers: Mapping[str, str] | None = None) -> str:
        """The address of a new page; ``headers`` such as a Content-Security-Policy come with it."""
        path = f"/{next(self.numbers)}.html"
        self.pages[path] = Answer(text=text, headers=headers or {})
        return f"http://{LOOPBACK}:{self.port}{path}"


@contextmanager
def serve_pages() -> Iterator[PageServer]:
    pages: dict[str, Answer] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/favicon.ico":  # browsers ask for it by themselves
                self.send_response(HTTPStatus.NO_CONTENT)
                self.end_headers()
                return
            page = pages.get(self.path)
            if page is None:
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            body = page.text.encode()
            self.send_response(HTTPStatus.OK)
            for name, value in {"Content-Type": "text/html; charset=utf-8", **page.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that the base class has
            """Say nothing: a test tells what it saw."""

    with ThreadingHTTPServer((LOOPBACK, 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield PageServer(port=server.server_port, pages=pages)
        finally:
            server.shutdown()
            thread.join()

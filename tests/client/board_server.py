"""A board that misbehaves: a real HTTP server on loopback that keeps files and runs, and fails as it is told to."""

from __future__ import annotations

import hashlib
import json
import re
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "trt_" + "s" * 43
SLUG = "web-docs"
CHUNK = 1000
"""Bytes of a piece that the server takes."""

type Answer = tuple[int, Any]


@dataclass(kw_only=True)
class Fault:
    """What goes wrong, with the next request that it is for."""

    method: str = ""
    path: str = ""
    """What the path has in it."""
    status: int = 0
    """Answered in the place of anything else."""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"detail": "Found a fault; expected none."}'
    is_heard: bool = False
    """Whether the request is done nevertheless."""
    read: int | None = None
    """So many bytes of the body are read, and then the line is cut."""
    cuts: bool = False
    """No answer at all: the line is cut."""
    cuts_answer: bool = False
    """Half an answer."""
    wait: threading.Event | None = None
    """Nothing is said before."""

    def is_for(self, method: str, path: str) -> bool:
        return self.method in ("", method) and self.path in path


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request, as it came."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def payload(self) -> Any:
        return json.loads(self.body)


class BoardServer:
    """In memory: one board, one team, files in pieces, runs."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.asked: list[Asked] = []
        self.content: dict[str, bytearray] = {}
        self.files: dict[str, dict[str, Any]] = {}
        self.runs: list[dict[str, Any]] = []
        self.attempts: dict[str, dict[str, Any]] = {}
        """The run that was submitted under each key."""
        self.standings: list[dict[str, Any]] = []
        self.me: dict[str, Any] = {
            "name": "Participant",
            "email": "participant@example.org",
            "teams": [{"slug": "kestrel-lab", "name": "Kestrel Lab"}],
            "scopes": ["read", "submit"],
            "team": None,
            "expires_at": "2027-02-01T10:00:00Z",
        }
        self.board: dict[str, Any] = {
            "slug": SLUG,
            "measure": "RR@100",
            "depth": 10,
            "is_open": True,
            "is_behind": False,
            "sentence": "R1 does best, beyond chance.",
        }
        self.because = ""
        self.quota = {"limit": 2, "days": 30, "left": 2, "next_date": "2026-12-01"}
        self.report: dict[str, Any] = {"is_valid": True, "sentence": "Accepted, with nothing to remark", "findings": []}
        self.states = ["waiting", "checking", "accepted"]
        """Of a file, each time that it is looked at; the last one stays."""
        self.run_states = ["queued", "scoring", "done"]
        self.result: dict[str, Any] = {}
        """What is told of a run that is done."""
        self.lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"board": self})
        self.server = _Server(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True)
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def count(self, method: str, path: str = "") -> int:
        return sum(each.method == method and path in each.path for each in self.asked)

    def take_fault(self, method: str, path: str) -> Fault | None:
        with self.lock:
            found = next((each for each in self.faults if each.is_for(method, path)), None)
            if found is not None:
                self.faults.remove(found)
            return found

    def answer(self, asked: Asked) -> Answer:
        with self.lock:
            for method, pattern, do in ROUTES:
                found = re.fullmatch(f"/api/v1/{pattern}", asked.path)
                if found and method == asked.method:
                    return do(self, asked, *found.groups())
        return 404, {"detail": "Found nothing here that you may see."}

    def show_me(self, asked: Asked) -> Answer:
        if asked.headers.get("authorization") != f"Bearer {TOKEN}":
            return 401, {"detail": "Found a token that does not work. Make one at /account/tokens/."}
        return 200, self.me

    def show_board(self, _: Asked) -> Answer:
        return 200, self.board

    def show_quota(self, _: Asked) -> Answer:
        return 200, self.quota

    def list_standings(self, asked: Asked) -> Answer:
        first, most = int(asked.query["offset"]), int(asked.query["limit"])
        page = {"items": self.standings[first : first + most], "count": len(self.standings)}
        return 200, page | {"sentence": self.board["sentence"], "because": self.because, "labels_version": 1}

    def begin_file(self, asked: Asked) -> Answer:
        told = asked.payload
        for file in self.files.values():
            if file["digest"] == told["digest"] and file["state"] == "receiving":
                return 200, self._show_file(file)
        identifier = str(len(self.files) + 1)
        self.content[identifier] = bytearray()
        self.files[identifier] = {**told, "id": identifier, "state": "receiving", "looks": 0, "run": None}
        return 201, self._show_file(self.files[identifier])

    def receive(self, asked: Asked, identifier: str) -> Answer:
        file, content = self.files[identifier], self.content[identifier]
        if int(asked.headers["upload-offset"]) != len(content):
            return 409, {
                "detail": f"Found a piece for another place; expected {len(content)}.",
                "received": len(content),
            }
        assert len(asked.body) <= CHUNK
        content += asked.body
        if len(content) == file["size"]:
            if f"sha256:{hashlib.sha256(content).hexdigest()}" != file["digest"]:
                return 422, {"detail": "Found another digest; expected the one announced."}
            file["state"] = "waiting"
        return 200, self._show_file(file)

    def look_at_file(self, _: Asked, identifier: str) -> Answer:
        file = self.files[identifier]
        if file["state"] != "receiving":
            file["state"] = self.states[min(file["looks"], len(self.states) - 1)]
            file["looks"] += 1
        return 200, self._show_file(file)

    def list_runs(self, _: Asked) -> Answer:
        return 200, {"items": self.runs, "count": len(self.runs)}

    def submit(self, asked: Asked) -> Answer:
        told = asked.payload
        key = asked.headers["idempotency-key"]
        if key in self.attempts:
            return 201, self.attempts[key]
        file = self.files[told["file"]]
        if file["run"]:
            return 422, {"detail": "Found a file that was submitted already; send it again to submit it again."}
        label = f"R{len(self.runs) + 1}"
        run = {
            "label": label,
            "name": told["name"],
            "team": "Kestrel Lab",
            "state": "queued",
            "looks": 0,
            "failure": "",
        }
        self.runs.append(run | {"submitted_at": "2026-11-15T12:00:00Z", "url": f"{self.url}/b/{SLUG}/runs/{label}/"})
        file["run"] = label
        self.attempts[key] = self.runs[-1]
        return 201, self.runs[-1]

    def look_at_run(self, _: Asked, label: str) -> Answer:
        run = next((each for each in self.runs if each["label"] == label), None)
        if run is None:
            return 404, {"detail": "Found nothing here that you may see."}
        run["state"] = self.run_states[min(run["looks"], len(self.run_states) - 1)]
        run["looks"] += 1
        return 200, run | (self.result if run["state"] in ("done", "failed") else {})

    def _show_file(self, file: dict[str, Any]) -> dict[str, Any]:
        shown = {name: file[name] for name in ("id", "state", "size", "file_name", "run")}
        is_checked = file["state"] in ("accepted", "refused")
        checked = (
            {"report": self.report, "dev_scores": {"n_queries": 3, "scores": {"RR@100": 0.5}}} if is_checked else {}
        )
        return shown | {"received": len(self.content[file["id"]]), "chunk_bytes": CHUNK} | checked


ROUTES: list[tuple[str, str, Callable[..., Answer]]] = [
    ("GET", "me", BoardServer.show_me),
    ("GET", f"boards/{SLUG}", BoardServer.show_board),
    ("GET", f"boards/{SLUG}/quota", BoardServer.show_quota),
    ("GET", f"boards/{SLUG}/standings", BoardServer.list_standings),
    ("POST", f"boards/{SLUG}/files", BoardServer.begin_file),
    ("PATCH", rf"boards/{SLUG}/files/(\d+)", BoardServer.receive),
    ("GET", rf"boards/{SLUG}/files/(\d+)", BoardServer.look_at_file),
    ("GET", f"boards/{SLUG}/runs", BoardServer.list_runs),
    ("POST", f"boards/{SLUG}/runs", BoardServer.submit),
    ("GET", rf"boards/{SLUG}/runs/(\w+)", BoardServer.look_at_run),
]


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no fault of the server."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    board: BoardServer

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""

    def _handle(self) -> None:
        url, length = urlsplit(self.path), int(self.headers.get("Content-Length") or 0)
        fault = self.board.take_fault(self.command, url.path)
        if fault is not None and fault.read is not None:
            self.rfile.read(fault.read)
            self._cut()
            return
        asked = Asked(
            method=self.command,
            path=url.path,
            query={name: values[0] for name, values in parse_qs(url.query).items()},
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(length),
        )
        self.board.asked.append(asked)
        if fault is not None and fault.wait is not None:
            fault.wait.wait(30)
        if fault is None or fault.is_heard:
            status, content = self.board.answer(asked)
            body = json.dumps(content).encode()
        if fault is not None and fault.cuts:
            self._cut()
            return
        headers: dict[str, str] = {}
        if fault is not None and fault.status:
            status, body, headers = fault.status, fault.body, fault.headers
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if fault is not None and fault.cuts_answer:
            self.wfile.write(body[: len(body) // 2])
            self._cut()
            return
        self.wfile.write(body)

    def _cut(self) -> None:
        """As a line breaks: what was sent is lost, and nobody says why."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    do_GET = do_POST = do_PATCH = _handle  # noqa: N815 - as http.server calls them

"""People who submit one run after another, and ask again under the same key where no answer comes."""

from __future__ import annotations

import http.client
import itertools
import re
import threading
import time
import uuid
from typing import Any
from urllib.parse import urlencode

from tests.web.stages import CSRF_TOKEN

PATIENCE = 20.0
BETWEEN_TRIES = 0.1
TOO_MANY = ("waiting for a check", "in the last hour")
"""How a board says that someone sends more files than it takes."""
SEND, EDGE = "/b/web-docs/uploads/", "edge-of-a-part"


class Submitters:
    """One for each team; what was acknowledged to them, and what was refused."""

    def __init__(self, port: int, teams: list[dict[str, Any]]) -> None:
        self.port, self.is_over = port, threading.Event()
        self.acknowledged: list[str] = []
        self.refused: list[tuple[str, int, str]] = []
        self.faults: list[int] = []
        """Statuses of answers that said to come again; 0 where none came."""
        self.threads = [threading.Thread(target=self._submit_all, args=[team], daemon=True) for team in teams]
        for thread in self.threads:
            thread.start()

    def end(self) -> None:
        """No new attempts; those that were begun are gone on with until they are answered."""
        self.is_over.set()
        for thread in self.threads:
            thread.join(120)

    def _submit_all(self, team: dict[str, Any]) -> None:
        for upload in team["uploads"]:
            if self.is_over.is_set():
                return
            self._submit(f"{team['name']} {upload}", upload, team["cookies"])
            time.sleep(0.2)

    def _submit(self, name: str, upload: int, cookies: str) -> None:
        key, end = uuid.uuid4().hex, time.monotonic() + 120
        while time.monotonic() < end:
            status, said = self._post(upload, name, key, cookies)
            if status == http.HTTPStatus.FOUND and "/runs/" in said:
                self.acknowledged.append(name)
                return
            if 0 < status < 500 and status != http.HTTPStatus.TOO_MANY_REQUESTS:
                self.refused.append((name, status, said))
                return
            self.faults.append(status)
            time.sleep(BETWEEN_TRIES)

    def _post(self, upload: int, name: str, key: str, cookies: str) -> tuple[int, str]:
        fields = {"upload": upload, "name": name, "description": "New.", "attempt": key}
        body = urlencode(fields | {"csrfmiddlewaretoken": CSRF_TOKEN})
        return post(self.port, "/b/web-docs/submit/", body.encode(), "application/x-www-form-urlencoded", cookies)


class Senders:
    """Who send files to be checked, one for each team, until they are told to stop; what was taken, by its number."""

    def __init__(self, port: int, teams: list[dict[str, Any]]) -> None:
        self.port, self.is_over = port, threading.Event()
        self.taken: list[int] = []
        self.refused: list[tuple[int, str]] = []
        self.faults: list[int] = []
        self.threads = [threading.Thread(target=self._send_all, args=[team], daemon=True) for team in teams]
        for thread in self.threads:
            thread.start()

    def end(self) -> None:
        self.is_over.set()
        for thread in self.threads:
            thread.join(120)

    def _send_all(self, team: dict[str, Any]) -> None:
        for number in itertools.count():
            if self.is_over.is_set():
                return
            self._send(team, f"q01 Q0 d{number} 1 1.0 {team['name']}\n")
            time.sleep(0.5)

    def _send(self, team: dict[str, Any], content: str) -> None:
        parts = (("csrfmiddlewaretoken", CSRF_TOKEN), ("team", team["name"]), ('file"; filename="run.txt', content))
        body = "".join(
            f'--{EDGE}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{it}\r\n' for name, it in parts
        )
        kind = f"multipart/form-data; boundary={EDGE}"
        status, said = post(self.port, SEND, f"{body}--{EDGE}--\r\n".encode(), kind, team["cookies"])
        if status == http.HTTPStatus.FOUND and "upload=" in said:
            self.taken.append(int(said.rpartition("upload=")[2]))
        elif 0 < status < 500 and not any(words in said for words in TOO_MANY):
            self.refused.append((status, said))
        else:
            self.faults.append(status)


def post(port: int, path: str, body: bytes, kind: str, cookies: str) -> tuple[int, str]:
    """Status and where it leads; 0 where there was no whole answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("POST", path, body, {"Cookie": cookies, "Content-Type": kind})
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):
        return 0, ""
    finally:
        connection.close()
    return answer.status, answer.headers.get("Location", "") or _what_is_wrong(text)


def _what_is_wrong(page: str) -> str:
    """What a form says against itself, or how the page begins."""
    return " ".join(re.findall(r"Found [^<]*", page)) or page[:2000]

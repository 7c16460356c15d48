"""People who submit one run after another, and ask again under the same key where no answer comes."""

from __future__ import annotations

import http.client
import threading
import time
import uuid
from typing import Any
from urllib.parse import urlencode

from tests.web.stages import CSRF_TOKEN

PATIENCE = 20.0
BETWEEN_TRIES = 0.1


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
        """Status and where it leads; 0 where there was no whole answer."""
        fields = {"upload": upload, "name": name, "description": "New.", "attempt": key}
        body = urlencode(fields | {"csrfmiddlewaretoken": CSRF_TOKEN})
        headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("POST", "/b/web-docs/submit/", body, headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException):
            return 0, ""
        finally:
            connection.close()
        return answer.status, answer.headers.get("Location", "") or text[:2000]

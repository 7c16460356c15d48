"""A simulated assessor: speaks HTTP as a browser does.

Replies are lost, answers are sent twice, late and in another order, and the browser's cookies are lost in the middle.
"""

from __future__ import annotations

import http.client
import json
import random
import select
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import UUID

LOST, DOUBLED, LATE, FORGOTTEN = 0.05, 0.05, 0.05, 0.02
"""Shares of answers whose reply is lost, that are sent twice, after which an earlier one comes again, and after which
the browser has lost its cookies."""
CARELESS = 10
"""One of so many reads nothing: they miss golds, and their work is given to others."""
SECONDS_TO_REPLY = 30
SECONDS_TO_TRY = 180
STUDY, PLATFORM_MARK = "study-0123456789", "zqplatform"
"""The mark is in all that the platform calls people and sessions by: no place of the server may hold it."""
OK, CONFLICT, FAULT = 200, 409, 500


def platform_id(number: int) -> str:
    return f"{PLATFORM_MARK}-person-{number:06}"


@dataclass(kw_only=True)
class Told:
    """What the server said to all of them."""

    kept: dict[str, str] = field(default_factory=dict)
    """By the id of an answer that was acknowledged: what was chosen."""
    answers: list[float] = field(default_factory=list)
    """Seconds that each reply took."""
    offers: list[float] = field(default_factory=list)
    n_tasks: int = 0
    n_tried_again: int = 0
    n_repeats: int = 0
    faults: list[str] = field(default_factory=list)


class SimulatedAssessor:
    """One browser with its cookies, which keeps its connection and comes again where it breaks."""

    def __init__(self, url: str, *, number: int, told: Told) -> None:
        self._address = urlsplit(url)
        self._number, self._session = number, 0
        self._random = random.Random(number)
        self._is_careless = number % CARELESS == 1
        self._told = told
        self._cookies: dict[str, str] = {}
        self._earlier: list[tuple[dict[str, Any], bytes]] = []
        self._connection: http.client.HTTPConnection | None = None

    def work(self, until: float, *, thinks: float, comes_within: float) -> None:
        """Do tasks until then, and finish the one that was begun."""
        time.sleep(self._random.uniform(0, comes_within))
        self._arrive()
        self._post("consent/", {"agree": "1"})
        self._post("guidelines/", {"choice": "left"}, is_followed=False)  # the offer that it leads to is timed apart
        while time.monotonic() < until and self._do_task(thinks):
            self._told.n_tasks += 1
            self._session += 1
            self._arrive()
        self._hang_up()

    def _arrive(self) -> None:
        """By the link of the platform: the same session again goes on where it was. What it leads to is not opened."""
        session = f"{PLATFORM_MARK}-session-{self._number}-{self._session}"
        words = {"PROLIFIC_PID": platform_id(self._number), "STUDY_ID": STUDY, "SESSION_ID": session}
        self._follow("GET", f"?{urlencode(words)}", "", "text/html", is_followed=False)

    def _do_task(self, thinks: float) -> bool:
        began = time.monotonic()
        _, where, _ = self._get("ready/")
        if where.endswith("thanks/"):
            return False
        self._told.offers.append(time.monotonic() - began)
        self._post("ready/", {})
        status, _, body = self._get("task.json")
        if status != OK:
            self._told.faults.append(f"no task: {status}")
            return False
        task = json.loads(body)
        slots = list(task["open"])
        self._random.shuffle(slots)
        for slot in slots:
            time.sleep(self._random.expovariate(1 / thinks) if thinks else 0)
            self._answer(task["assignment"], slot, self._choose(task["pairs"][slot]))
        _, where, _ = self._post("hand-in/", {})
        if not where.endswith("thanks/"):
            self._told.faults.append(f"not handed in: {where}")
        return True

    def _choose(self, pair: dict[str, str]) -> str:
        """The passage that speaks of what is asked; where both do, or nothing is read, either."""
        asked = pair["question"].split()[3]
        fitting = [side for side in ("left", "right") if asked in pair[side]]
        return fitting[0] if len(fitting) == 1 and not self._is_careless else self._random.choice(("left", "right"))

    def _answer(self, assignment: str, slot: int, choice: str) -> None:
        answer_id = UUID(int=self._random.getrandbits(128), version=4).hex
        fields = {"assignment": assignment, "slot": slot, "choice": choice, "answer_id": answer_id, "ms": 1500}
        if self._random.random() < LOST:
            self._lose(fields)
        began = time.monotonic()
        status, _, body = self._post("answer/", fields, accept="application/json")
        self._told.answers.append(time.monotonic() - began)
        if status == OK and json.loads(body).get("kept") == answer_id:
            self._told.kept[answer_id] = choice
            self._earlier.append((fields, body))
        else:
            self._told.faults.append(f"{status}: {body[:200]!r}")
        self._disturb(fields, body)

    def _disturb(self, fields: dict[str, Any], body: bytes) -> None:
        """Send this answer or an earlier one once more, or come back without cookies."""
        if self._random.random() < DOUBLED:
            self._send_again(fields, body)
        if self._earlier and self._random.random() < LATE:
            self._send_again(*self._random.choice(self._earlier))
        if self._random.random() < FORGOTTEN:
            self._cookies.clear()
            self._arrive()

    def _send_again(self, fields: dict[str, Any], body: bytes) -> None:
        status, _, again = self._post("answer/", fields, accept="application/json")
        self._told.n_repeats += 1
        if (status, again) != (OK, body):
            self._told.faults.append(f"a repeat got another reply: {status}, {again[:200]!r}")

    def _lose(self, fields: dict[str, Any]) -> None:
        """Send it, and hang up before the reply."""
        with suppress(OSError):
            self._send("POST", "answer/", urlencode(fields), "application/json")
        self._hang_up()

    def _get(self, page: str) -> tuple[int, str, bytes]:
        return self._follow("GET", page, "", "text/html")

    def _post(
        self, page: str, fields: dict[str, Any], accept: str = "text/html", *, is_followed: bool = True
    ) -> tuple[int, str, bytes]:
        if "csrftoken" not in self._cookies:
            self._get("pairs/")  # wherever it leads to, there is a form
        return self._follow("POST", page, urlencode(fields), accept, is_followed=is_followed)

    def _follow(
        self, method: str, page: str, body: str, accept: str, *, is_followed: bool = True
    ) -> tuple[int, str, bytes]:
        """Where it ends: status, address and what came. What breaks is tried again."""
        where, end = page, time.monotonic() + SECONDS_TO_TRY
        while time.monotonic() < end:
            try:
                status, to, content = self._ask(method, where, body, accept)
            except (OSError, http.client.HTTPException):
                self._hang_up()
                status = FAULT
            if status >= FAULT:
                self._told.n_tried_again += 1
                time.sleep(0.3)
            elif not to or not is_followed:
                return status, where, content
            else:
                method, where, body = "GET", to, ""
        raise TimeoutError(f"{method} {where}: no end in {SECONDS_TO_TRY} seconds")

    def _ask(self, method: str, where: str, body: str, accept: str) -> tuple[int, str, bytes]:
        self._send(method, where, body, accept)
        assert self._connection is not None
        reply = self._connection.getresponse()
        content = reply.read()
        for line in reply.headers.get_all("Set-Cookie") or []:
            name, _, rest = line.partition("=")
            self._cookies[name] = rest.partition(";")[0]
        return reply.status, reply.headers.get("Location", ""), content

    def _send(self, method: str, where: str, body: str, accept: str) -> None:
        if self._connection is not None and _is_closed(self._connection):
            self._hang_up()
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._address.netloc, timeout=SECONDS_TO_REPLY)
        headers = {
            "Accept": accept,
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
            "X-CSRFToken": self._cookies.get("csrftoken", ""),
        }
        path = where if where.startswith("/") else self._address.path + where
        self._connection.request(method, path, body or None, headers)

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _is_closed(connection: http.client.HTTPConnection) -> bool:
    """Whether the server has hung up, which can be read: a browser opens another one then, and nobody waits."""
    return connection.sock is None or bool(select.select([connection.sock], [], [], 0)[0])

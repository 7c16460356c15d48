"""How is a server asked? JSON there and back, again where that can help; what it refuses is said in its own words.

A token goes to the server it is for and nowhere else: not over a line that others can read, not after a redirect.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from toprung.client.record import Record
from toprung.errors import InputError
from toprung.net.pace import Backoff, read_retry_after
from toprung.net.request import NoReplyError, Reply, exchange, is_this_machine, without_query
from toprung.version import __version__
from toprung.words.visible import in_one_line

API = "/api/v1"
TOKENS_PAGE = "/account/tokens/"
TRANSIENT = frozenset({408, 429, 502, 503, 504})
MOST_BYTES = 16 << 20
"""Of an answer; no page of a list comes near."""
LONGEST_WAIT = 120.0
"""Seconds that a server may ask a person to wait."""
WORTH_SAYING = 5.0
"""Seconds: whoever waits longer is told why."""
LONGEST_DETAIL = 600
NOT_THERE = 404


class ServerRefusedError(InputError):
    """The server heard and said no."""

    def __init__(self, message: str, *, status: int, answer: Record) -> None:
        super().__init__(message)
        self.status = status
        self.answer = answer


class BrokenError(InputError):
    """There was no whole answer, or one that may be another next time; the server may have heard nevertheless."""

    def __init__(self, message: str, *, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(kw_only=True)
class Connection:
    """Asks one server, as the owner of a token or as anybody."""

    server: str
    token: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    """Seconds for one answer."""
    backoff: Backoff = field(default_factory=lambda: Backoff(tries=6, first_seconds=0.5, most_seconds=20.0))
    tell: Callable[[str], None] = field(default=lambda _: None, repr=False)
    """Told why one waits."""
    sleep: Callable[[float], None] = time.sleep
    rng: random.Random = field(default_factory=random.Random, repr=False)

    def __post_init__(self) -> None:
        if self.token and not self.server.startswith("https://") and not is_this_machine(self.server):
            raise InputError(
                f"Found {self.server}, where anybody on the way could read the token; expected an address with "
                "https://, or a server on this machine."
            )

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Mapping[str, str | int | None] | None = None,
        payload: Mapping[str, Any] | None = None,
    ) -> Record:
        """The answer to a question that may be asked again: as often as the backoff says."""
        failed = 0
        while True:
            try:
                return self.ask_once(path, method=method, query=query, payload=payload)
            except BrokenError as broken:
                failed += 1
                if failed >= self.backoff.tries:
                    raise InputError(f"{broken} It was tried {failed} times.") from None
                self.wait(failed, broken)

    def wait(self, failed: int, broken: BrokenError) -> None:
        """After so many failures in a row, as long as they and the server say."""
        if broken.retry_after > LONGEST_WAIT:
            minutes = broken.retry_after / 60
            raise InputError(f"{broken} The server asks to be left alone for {minutes:,.0f} minutes.")
        seconds = max(self.backoff.wait_after(failed, self.rng), broken.retry_after)
        if seconds >= WORTH_SAYING:
            self.tell(f"{broken} Tried again in {seconds:.0f} s.")
        self.sleep(seconds)

    def ask_once(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Mapping[str, str | int | None] | None = None,
        payload: Mapping[str, Any] | None = None,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Record:
        """The answer, or a `ServerRefusedError` or a `BrokenError`."""
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        url = f"{self.server}{API}/{path}" + (f"?{urlencode(asked)}" if asked else "")
        content_type = "application/octet-stream" if body is not None else "application/json"
        sent = {
            "Accept": "application/json",
            "User-Agent": f"toprung/{__version__}",
            **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
            **({"Content-Type": content_type} if body is not None or payload is not None else {}),
            **(headers or {}),
        }
        if payload is not None:
            body = json.dumps(payload).encode()
        try:
            reply = exchange(method, url, body=body, headers=sent, timeout=self.timeout, most_bytes=MOST_BYTES)
        except NoReplyError as error:
            said = in_one_line(str(error))[:LONGEST_DETAIL]
            raise BrokenError(f"{self.server}: found no answer ({said}); expected one. Is it reachable?") from None
        return self._read(reply, f"{method} {without_query(url)}")

    def _read(self, reply: Reply, asked: str) -> Record:
        parsed = _parse(reply.body)
        answer = Record(fields=parsed or {}, source=self.server)
        if reply.status in TRANSIENT:
            wait = read_retry_after(reply.headers.get("Retry-After")) or 0.0
            said = self._say_detail(answer) or f"{self.server}: found status {reply.status}; expected an answer."
            raise BrokenError(said, retry_after=wait)
        if 300 <= reply.status < 400:
            where = in_one_line(reply.headers.get("Location", ""))[:200]
            raise InputError(
                f"{self.server}: found a redirect to '{where}', which is not followed with a token; expected an "
                "answer. Name the address that the board is really at."
            )
        if parsed is None:
            raise InputError(
                f"{asked}: found status {reply.status} and no JSON object; expected the API of a Toprung board. "
                "Is the address right?"
            )
        if reply.status == NOT_THERE:
            raise ServerRefusedError(self._say_nothing_there(asked), status=reply.status, answer=answer)
        if reply.status >= 400:
            detail = self._say_detail(answer) or f"{asked}: found status {reply.status}; expected an answer."
            raise ServerRefusedError(f"{detail}{self._advise(reply.status)}", status=reply.status, answer=answer)
        return answer

    def _say_nothing_there(self, asked: str) -> str:
        """A name that was typed wrong, or a board that is not for everyone: what was asked for, and where to look."""
        path = in_one_line(asked.partition(f"{API}/")[2])[:LONGEST_DETAIL]
        alone = "" if self.token else f" Without a token you see public boards alone: toprung login {self.server}"
        return (
            f"Found nothing that you may see by the name {path} at {self.server}; expected one of its boards, and what "
            f"is on it: they are listed at {self.server}/{alone}"
        )

    def _say_detail(self, answer: Record) -> str:
        detail = answer.fields.get("detail")
        if not detail:
            return ""
        text = detail if isinstance(detail, str) else json.dumps(detail, ensure_ascii=False)
        shown = in_one_line(text)[:LONGEST_DETAIL]
        return shown.replace(self.token, "***") if self.token else shown

    def _advise(self, status: int) -> str:
        if status != 401:
            return ""
        return f" Then run: toprung login {self.server}"


def _parse(body: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None

"""The connections of the web server: how a request arrives, is refused or answered, and when it is too slow.

One loop receives whole requests and sends responses. A thread only sees a request that is complete, so a slow sender
or reader holds a connection and no thread. Waitress does this, but lacks deadlines: its timeout counts idle time only.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import Error

LONGEST_LINE = 4094
"""Bytes of the first line of a request: its method, address and version."""
JUST_CONNECTED = 1.0
LONGEST_CONTROL_LINE, LONGEST_TRAILER = 1024, 8192
"""Bytes around the chunks of a body; waitress sets no limit."""
SMALL_BODY = 64 << 10
"""Bytes of a request that is soon sent again; larger ones wait for a thread however long it takes."""
RECEIVED_AT_ONCE, SENT_AT_ONCE, TAKEN_FROM_FILE = 64 << 10, 1 << 20, 128 << 10
"""Bytes that the loop moves for one connection before it turns to the next."""


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long a connection may take, in seconds, and how fast it must be, in bytes a second."""

    head: float = 20.0
    """For the whole head of a request, which fits into a packet or two."""
    idle: float = 20.0
    """Until the next request begins. The proxy of the docs keeps a connection for less, so it meets no closed one."""
    grace: float = 60.0
    """For every request and response, in addition to its size at the rates below."""
    upload_rate: float = 64_000.0
    """A request has its grace, plus its size at this rate. At that rate an upload of 240 MB takes more than an hour."""
    least_rate: float = 8_000.0
    """After the grace a body or response must have been this fast on average, whatever size was announced."""
    queue: float = 9.0
    """For a thread. With what a request of a hanging database takes, everybody has a response within 15 seconds."""
    linger: float = 20.0
    """For a refused sender to finish: who is cut off while sending may never see the response."""


class Refusal(Error):  # type: ignore[misc] # noqa: N818 - waitress has no types, and raises it nowhere
    """A response of the server itself, in one sentence."""

    def __init__(self, code: HTTPStatus, body: str) -> None:
        super().__init__(body)
        self.code, self.reason = code.value, code.phrase

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:  # noqa: ARG002
        headers = [("Content-Type", "text/plain; charset=utf-8"), ("X-Content-Type-Options", "nosniff")]
        headers += [("Retry-After", "10")] if self.code == HTTPStatus.SERVICE_UNAVAILABLE else []
        return f"{self.code} {self.reason}", headers, f"{self.body}\n".encode()


NOT_CHANGED = "Nothing was changed."
TOO_LONG = Refusal(
    HTTPStatus.REQUEST_URI_TOO_LONG,
    f"The address is too long. {NOT_CHANGED[:-1]}; open the link again as it was given to you.",
)
UNREADABLE = Refusal(HTTPStatus.BAD_REQUEST, f"The request is not valid HTTP. {NOT_CHANGED}")
HEAD_TOO_LARGE = Refusal(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    f"The headers of the request are too large. {NOT_CHANGED} Delete the cookies of this site and try again.",
)
TOO_LARGE = Refusal(
    HTTPStatus.CONTENT_TOO_LARGE, f"The request is larger than this server accepts. {NOT_CHANGED} Send a smaller file."
)
UNKNOWN_CODING = Refusal(
    HTTPStatus.NOT_IMPLEMENTED, f"Found a Transfer-Encoding that is not known; expected chunked. {NOT_CHANGED}"
)
UNKNOWN_VERSION = Refusal(
    HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, f"Found another version of HTTP; expected 1.0 or 1.1. {NOT_CHANGED}"
)
TOO_SLOW = Refusal(
    HTTPStatus.REQUEST_TIMEOUT,
    f"The request arrived too slowly; expected 64 kB a second after the first minute. {NOT_CHANGED} Send it again.",
)
NO_ROOM = Refusal(
    HTTPStatus.INSUFFICIENT_STORAGE, f"This server has no room for so many uploads at once. {NOT_CHANGED} Try later."
)
BUSY = Refusal(
    HTTPStatus.SERVICE_UNAVAILABLE,
    f"Too many requests wait on this server. {NOT_CHANGED} Try again in a minute.",
)
FAULT = Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "The server met a fault, and noted it.")
OF_WAITRESS = {each.code: each for each in (UNREADABLE, HEAD_TOO_LARGE, TOO_LARGE, UNKNOWN_CODING, FAULT)}


class Request(HTTPRequestParser):  # type: ignore[misc] # waitress has no types
    """A request while it arrives. What could be read in two ways is refused: a proxy may have read the other one."""

    error: Any
    had_coding = False

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.began = time.monotonic()

    def received(self, data: bytes) -> int:
        before, was_in_head = self.header_plus, not self.headers_finished
        consumed = int(super().received(data))
        if was_in_head:
            if self.error is None and self.headers_finished and not self.empty:
                self.error = self._find_fault()
            elif self.error is not None and b"\n" not in (before + data)[:LONGEST_LINE]:
                self.error = TOO_LONG
        elif self.chunked and self._is_lost_between_chunks():
            self.error = UNREADABLE
        if self.error is not None:
            self.completed = True
        if self.completed:  # Waitress would answer "100 Continue" also to what it has read or refused.
            self.expect_continue = False
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # an address or a number that Python refuses
            raise ParsingError("unreadable") from error
        self.had_coding = b"\ntransfer-encoding:" in header_plus.lower()

    def _find_fault(self) -> Refusal | None:
        if len(self.first_line) > LONGEST_LINE:
            return TOO_LONG
        if self.version not in ("1.0", "1.1"):
            return UNKNOWN_VERSION
        is_ambiguous = self.had_coding and (not self.chunked or "CONTENT_LENGTH" in self.headers)
        return UNREADABLE if is_ambiguous else None

    def _is_lost_between_chunks(self) -> bool:
        body = self.body_rcv
        return len(body.control_line) > LONGEST_CONTROL_LINE or len(body.trailer) > LONGEST_TRAILER

    def is_too_slow(self, now: float, patience: Patience) -> bool:
        seconds, received = now - self.began, self.body_bytes_received
        if not self.headers_finished:
            return seconds > patience.head
        size = received if self.chunked else self.content_length
        return bool(seconds > patience.grace + min(size / patience.upload_rate, received / patience.least_rate))


class Response(WSGITask):  # type: ignore[misc] # waitress has no types
    """What the application answers."""

    def build_response_header(self) -> bytes:
        head = bytes(super().build_response_header())
        if self.request.command == "HEAD":
            self.chunked_response = False  # There is no body, so no last chunk either.
        return head

    def set_close_on_finish(self) -> None:
        """Waitress would close the connection after each response without a length, and 304 and 204 have none."""
        asked = self.request.headers.get("CONNECTION", "").lower()
        if self.has_body or self.version == "1.0" or asked == "close":
            super().set_close_on_finish()


class RefusalTask(ErrorTask):  # type: ignore[misc] # waitress has no types
    """The same for what no page sees, in our words."""

    def execute(self) -> None:
        error = self.request.error
        self.request.error = error if isinstance(error, Refusal) else OF_WAITRESS.get(error.code, UNREADABLE)
        self.channel.was_refused = True
        super().execute()


def group_of(address: str) -> str:
    """What counts as one address: with IPv6 a household has a whole /64."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            return str(ipaddress.ip_network((found, 64), strict=False))
        found = found.ipv4_mapped
    return str(found)


class Connection(HTTPChannel):  # type: ignore[misc] # waitress has no types
    """One connection, and how fast its other end is."""

    request: Any
    task_class, error_task_class, parser_class = Response, RefusalTask, Request
    was_refused = False
    lingers_until: float | None = None
    """Set once a refusal is sent: until then what still arrives is thrown away."""
    takes_since: float | None = None
    """When a response began to wait for its reader."""
    taken = 0
    """Bytes sent since then."""
    room = 0
    """Bytes that may still be sent before it is the turn of others."""
    queued_at = 0.0
    """When its request began to wait for a thread."""
    has_next = False
    """Whether a pipelined request waits until the response before it is taken."""

    def __init__(self, server: Any, sock: socket.socket, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002
        self.group = group_of(str(addr[0]))
        self.idle_since = time.monotonic()
        super().__init__(server, sock, addr, adj, map=map)
        self.sendbuf_len = TAKEN_FROM_FILE

    # ---- in the loop ----

    def add_channel(self, map: Any = None) -> None:  # noqa: A002
        super().add_channel(map)
        self.server.crowd[self.group] += 1

    def del_channel(self, map: Any = None) -> None:  # noqa: A002
        if self._fileno in self.server.active_channels:
            self.server.crowd[self.group] -= 1
            if not self.server.crowd[self.group]:
                del self.server.crowd[self.group]
        super().del_channel(map)

    def readable(self) -> bool:
        return self.lingers_until is not None or bool(super().readable())

    def handle_read(self) -> None:
        try:
            data = self.socket.recv(RECEIVED_AT_ONCE)
        except BlockingIOError:  # meant for a connection that had this number before
            return
        except OSError:
            data = b""
        if not data:
            self.connected = False
            self.handle_close()
        elif self.lingers_until is None:
            self.received(data)

    def handle_write(self) -> None:
        super().handle_write()
        with self.requests_lock:
            is_due = self.has_next and not self.total_outbufs_len
            if is_due:
                self.has_next = False
        if is_due and self.connected:
            self.server.add_task(self)

    def handle_close(self) -> None:
        if self.was_refused and self.connected and self.lingers_until is None and not self.total_outbufs_len:
            self.will_close, self.lingers_until = False, time.monotonic() + self.server.patience.linger
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
            return
        if self.request is not None:
            self.request.close()
        super().handle_close()

    def check(self, now: float) -> None:
        """Called each second: closes the connection where its other end is too slow."""
        patience = self.server.patience
        if self.total_outbufs_len:
            if self.takes_since is None:
                self.takes_since, self.taken = now, 0
            is_late = now - self.takes_since > patience.grace + self.taken / patience.least_rate
        else:
            self.takes_since = None
            if self.lingers_until is not None:
                is_late = now > self.lingers_until
            elif self.is_at_work:
                is_late = False
            elif self.request is None:
                is_late = now - self.idle_since > patience.idle
            else:
                is_late = self.request.is_too_slow(now, patience)
                if is_late and self.request.headers_finished:
                    self.refuse(TOO_SLOW)
                    return
        if is_late:
            self.reset()

    def reset(self) -> None:
        """Close at once. Else the system would keep what a reader did not take, and offer it for minutes."""
        self.was_refused = False
        with suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.handle_close()

    def refuse(self, refusal: Refusal) -> None:
        """Answer a request that is still arriving."""
        with self.requests_lock:
            request, self.request = self.request, None
            request.close()
            request.error, request.completed = refusal, True
            self.requests.append(request)
        self.server.add_task(self)

    @property
    def is_at_work(self) -> bool:
        """Whether a thread has a request of it, or is about to."""
        return bool(self.requests)

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way that a stop of the server waits for."""
        return self.is_at_work or self.total_outbufs_len > 0 or self.request is not None

    @property
    def body_size(self) -> int:
        """Bytes of bodies that are kept for it."""
        requests = [self.request, *self.requests]
        return sum(each.body_bytes_received for each in requests if each is not None)

    def worth(self, now: float) -> tuple[int, float]:
        """Who has the least is closed first where there are too many: idle ones, then heads, then the slowest."""
        if self.total_outbufs_len:
            return 2, self.taken / max(now - (self.takes_since or now), 1.0)
        if self.request is None:  # A new connection has had no time to send anything.
            return int(now - self.idle_since < JUST_CONNECTED), self.idle_since
        if not self.request.headers_finished:
            return 1, self.request.began
        return 2, self.request.body_bytes_received / max(now - self.request.began, 1.0)

    # ---- in the loop and in threads ----

    def _flush_some(self, do_close: bool = True) -> bool:
        self.room = SENT_AT_ONCE
        return bool(super()._flush_some(do_close=do_close))

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent = int(super().send(data[: self.room], do_close=do_close)) if self.room > 0 else 0
        self.room -= sent
        self.taken += sent
        return sent

    # ---- in threads ----

    def service(self) -> None:
        request = self.requests[0]
        is_late = time.monotonic() - self.queued_at > self.server.patience.queue
        if is_late and request.error is None and request.body_bytes_received <= SMALL_BODY:
            request.error = BUSY
        super().service()
        now = self.idle_since = time.monotonic()
        if self.request is not None:
            self.request.began = now


class InTurns:
    """A queue in which addresses take turns, so that many requests from one address delay those from others little."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[Connection]] = {}

    def append(self, each: Connection) -> None:
        each.queued_at = time.monotonic()
        self.waiting.setdefault(each.group, []).append(each)

    def popleft(self) -> Connection:
        group = next(iter(self.waiting))
        waiting = self.waiting.pop(group)
        first = waiting.pop(0)
        if waiting:
            self.waiting[group] = waiting  # behind all others
        return first

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

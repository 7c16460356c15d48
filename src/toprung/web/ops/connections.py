"""The connections of the web server: how a request arrives, is refused or answered, and when it is too slow.

One loop receives whole requests and sends responses. A thread only sees a request that is complete, so a slow sender
or reader holds a connection and no thread. Waitress does this, but lacks deadlines: its timeout counts idle time only.
"""

from __future__ import annotations

import ipaddress
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import ChunkedReceiver
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import Error

from toprung.net.outward import Network

HEALTH = "/healthz"
"""Has a thread of its own, so that it is answered while all others hang."""
LONGEST_LINE = 4094
"""Bytes of the first line of a request: its method, address and version."""
JUST_CONNECTED = 1.0
MOST_HEADERS = 200
LONGEST_CHUNK_LINE, LONGEST_TRAILER = 1024, 8192
"""Bytes around the chunks of a body; waitress sets no limit."""
FRAMING, FRAMING_SHARE = 64 << 10, 4
"""A body in chunks may take so many bytes, and so many times its own, on the way."""
IN_MEMORY = 64 << 10
"""Bytes of a body; larger ones lie in a file without a name, and wait for a thread however long it takes."""
RECEIVED_AT_ONCE, SENT_AT_ONCE, TAKEN_FROM_FILE = 64 << 10, 1 << 20, 128 << 10
"""Bytes that the loop moves for one connection before it turns to the next."""
PARSED_AT_ONCE = 8 << 10
"""The same for heads and chunks; so much of what stands behind a request is kept until that one is answered."""
FIRST_LINE = re.compile(rb"[^ \r\n]+ [^ \r\n]+(?: HTTP/[0-9]\.[0-9])?[ \t]*\r\n")
"""Waitress would take a second for other lines of 4 kB."""
BLANKS = re.compile(rb"[ \t]{64}|\n[ \t]")
"""Waitress would take ten seconds for a value that begins with 32,000 blanks, here or on further lines."""
CODINGS = re.compile(rb"\ntransfer-encoding:[ \t]*([^\r]*?)[ \t]*\r", re.IGNORECASE)
CHUNK_LINE = re.compile(rb"([0-9a-fA-F]{1,16})(?:;[\t\x20-\x7e\x80-\xff]*)?")
FOR_API = re.compile(rb"\s*\S+ /api/")


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
    work: float = 4.0
    """For a thread that has a request. One that takes longer may hang behind a database, and others will too."""
    queue: float = 6.0
    """For a thread, while requests hang. With the time of a hanging database it is less than 15 seconds."""
    linger: float = 20.0
    """For a refused sender to finish: who is cut off while sending may never see the response."""


class Refusal(Error):  # type: ignore[misc] # noqa: N818 - waitress has no types, and raises it nowhere
    """A response of the server itself, in one sentence."""

    def __init__(self, code: HTTPStatus, body: str) -> None:
        super().__init__(body)
        self.code, self.reason = code.value, code.phrase

    def say(self, *, in_json: bool) -> tuple[list[tuple[str, str]], bytes]:
        """Headers and body."""
        kind = "application/json" if in_json else "text/plain; charset=utf-8"
        headers = [("Content-Type", kind), ("X-Content-Type-Options", "nosniff")]
        headers += [("Retry-After", "10")] if self.code == HTTPStatus.SERVICE_UNAVAILABLE else []
        return headers, (json.dumps({"detail": self.body}) if in_json else f"{self.body}\n").encode()


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


class Chunks(ChunkedReceiver):  # type: ignore[misc] # waitress has no types
    """A body in chunks. Waitress copies all that is left for each chunk, and takes a size of two lines for one."""

    error: Refusal | None = None
    completed = all_chunks_received = validate_chunk_end = False
    chunk_remainder = 0
    rest = b""
    """A line of which the end is missing."""
    trailer_size = 0

    def received(self, data: bytes) -> int:
        kept, data = len(self.rest), self.rest + data
        at, found = 0, []
        while not self.completed and self.error is None:
            if self.chunk_remainder:
                found.append(data[at : at + self.chunk_remainder])
                at += len(found[-1])
                self.chunk_remainder -= len(found[-1])
                if self.chunk_remainder:
                    break
                self.validate_chunk_end = True
            end = data.find(b"\r\n", at)
            if end < 0:
                break
            self._read_line(data[at:end])
            at = end + 2
        self.rest = data[at:]
        if len(self.rest) > LONGEST_CHUNK_LINE and not self.completed:
            self.error = UNREADABLE
        if found:
            self.buf.append(b"".join(found))
        return at - kept if self.completed else len(data) - kept

    def _read_line(self, line: bytes) -> None:
        size = CHUNK_LINE.fullmatch(line)
        if len(line) > LONGEST_CHUNK_LINE or b"\n" in line or b"\r" in line:
            self.error = UNREADABLE
        elif self.validate_chunk_end:
            self.validate_chunk_end, self.error = False, UNREADABLE if line else None
        elif self.all_chunks_received:
            self.completed = not line
            self.trailer_size += len(line) + 2
            self.error = UNREADABLE if self.trailer_size > LONGEST_TRAILER else None
        elif size is None:
            self.error = UNREADABLE
        else:
            self.chunk_remainder = int(size[1], 16)
            self.all_chunks_received = not self.chunk_remainder


class Request(HTTPRequestParser):  # type: ignore[misc] # waitress has no types
    """A request while it arrives. What could be read in two ways is refused: a proxy may have read the other one."""

    error: Any
    body_rcv: Any = None
    path = ""
    codings: Sequence[bytes] = ()
    is_for_api = False
    is_held = False
    """Whether a thread answers it."""

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.began = time.monotonic()

    def received(self, data: bytes) -> int:
        before, was_in_head = self.header_plus, not self.headers_finished
        try:
            consumed = int(super().received(data))
        except OSError:  # The disk is full, or the folder is gone.
            self.error, consumed = NO_ROOM, len(data)
        if was_in_head:
            start = (before + data)[:LONGEST_LINE]
            self.is_for_api = FOR_API.match(start) is not None
            if self.error is None and self.headers_finished and not self.empty:
                self.error = self._find_fault()
            elif self.error is not None and b"\n" not in start:
                self.error = TOO_LONG
        elif self.chunked and self.body_bytes_received > FRAMING + FRAMING_SHARE * len(self.body_rcv):
            self.error = self.error or UNREADABLE
        if self.error is not None:
            self.completed = True
        if self.completed:  # Waitress would answer "100 Continue" also to what it has read or refused.
            self.expect_continue = False
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        if header_plus.count(b"\n") > MOST_HEADERS:
            self.error = HEAD_TOO_LARGE
            return
        if not FIRST_LINE.match(header_plus) or BLANKS.search(header_plus):
            raise ParsingError("unreadable")
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # an address or a number that Python refuses
            raise ParsingError("unreadable") from error
        self.codings = CODINGS.findall(header_plus)
        if self.chunked:
            self.body_rcv = Chunks(self.body_rcv.getbuf())

    def close(self) -> None:
        with suppress(OSError):  # A file on a full disk is written once more, and closed all the same.
            super().close()

    def _find_fault(self) -> Refusal | None:
        if len(self.first_line) > LONGEST_LINE:
            return TOO_LONG
        if self.version not in ("1.0", "1.1"):
            return UNKNOWN_VERSION
        is_plain = self.chunked and len(self.codings) == 1 and self.codings[0].lower() == b"chunked"
        is_ambiguous = self.codings and (not is_plain or "CONTENT_LENGTH" in self.headers)
        return UNREADABLE if is_ambiguous else None

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
        refusal = error if isinstance(error, Refusal) else OF_WAITRESS.get(error.code, UNREADABLE)
        first = [*self.channel.requests, self.request][0]  # What waitress makes for a fault has no address.
        headers, body = refusal.say(in_json=first.is_for_api)
        self.channel.was_refused = True
        self.status, self.content_length = f"{refusal.code} {refusal.reason}", len(body)
        self.response_headers.extend(headers)
        self.set_close_on_finish()
        self.write(body)


def group_of(address: str, proxies: Sequence[Network] = ()) -> str:
    """What counts as one address: with IPv6 a household has a whole /64, but a proxy is one machine."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found
    if isinstance(found, ipaddress.IPv6Address) and not any(found in network for network in proxies):
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


class WebConnection(HTTPChannel):  # type: ignore[misc] # waitress has no types
    """One connection, and how fast its other end is."""

    request: Any
    requests: list[Any]
    sent_continue = False
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
    unread = b""
    """What came behind a request; it waits until that one is answered and its response taken."""

    def __init__(self, server: Any, sock: socket.socket, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002
        self.group = group_of(str(addr[0]), server.limits.proxies)
        self.idle_since = time.monotonic()
        super().__init__(server, sock, addr, adj, map=map)
        self.requests_lock = threading.RLock()  # Waitress may close a connection while it reads from it.
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
        return self.lingers_until is not None or bool(not self.unread and super().readable())

    def writable(self) -> bool:
        return self._may_read_on or bool(super().writable())

    @property
    def _may_read_on(self) -> bool:
        return bool(self.unread and self.connected and not self.requests and not self.total_outbufs_len)

    def handle_read(self) -> None:
        try:
            data = self.socket.recv(self._size_to_receive())
        except BlockingIOError:  # meant for a connection that had this number before
            return
        except OSError:
            data = b""
        if not data:
            self.connected = False
            self.handle_close()
        elif self.lingers_until is None:
            self.received(data)

    def _size_to_receive(self) -> int:
        if self.lingers_until is not None:
            return RECEIVED_AT_ONCE
        if self.request is None or self.request.chunked or not self.request.headers_finished:
            return PARSED_AT_ONCE
        return min(int(self.request.body_rcv.remain), RECEIVED_AT_ONCE)

    def received(self, data: bytes) -> bool:
        """Read until one request is complete."""
        with self.requests_lock:
            self.unread += data
            while self.unread and self.connected and not (self.requests or self.will_close or self.close_when_flushed):
                if self.request is None:
                    self.unread = self.unread.lstrip(b"\r\n")
                    if not self.unread:
                        break
                    self.request = self.parser_class(self.adj)
                request = self.request
                self.unread = self.unread[request.received(self.unread) :]
                if request.expect_continue and request.headers_finished and not self.sent_continue:
                    self.send_continue()
                if request.completed:
                    self.sent_continue, self.request = False, None
                    if not request.empty:
                        self.requests.append(request)
                        self.server.add_task(self)
        return True

    def handle_write(self) -> None:
        super().handle_write()
        if self._may_read_on:
            self.received(b"")

    def handle_close(self) -> None:
        self.unread = b""
        if self.was_refused and self.connected and self.lingers_until is None and not self.total_outbufs_len:
            self.will_close, self.lingers_until = False, time.monotonic() + self.server.patience.linger
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
            return
        with self.requests_lock:
            self.connected = False
            waiting = [each for each in self.requests if not each.is_held]
            self.requests = [each for each in self.requests if each.is_held]
            for each in (self.request, *waiting):
                if each is not None:
                    each.close()
        if waiting:
            self.server.remove_task(self)
        super().handle_close()

    def check(self, now: float) -> None:
        """Called each second: closes the connection where its other end is too slow."""
        patience = self.server.patience
        if self.total_outbufs_len:
            if self.takes_since is None:
                self.takes_since, self.taken = now, 0
            is_late = now - self.takes_since > patience.grace + self.taken / patience.least_rate
        else:
            if not self.unread:  # The next pipelined response has no time of its own.
                self.takes_since = None
            if self.lingers_until is not None:
                is_late = now > self.lingers_until
            elif self.is_at_work:
                self.idle_since, is_late = now, False
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
    def is_held(self) -> bool:
        """Whether a thread has a request of it."""
        return any(each.is_held for each in list(self.requests))

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way that a stop of the server waits for."""
        return bool(self.is_at_work or self.total_outbufs_len or self.request is not None or self.unread)

    @property
    def body_size(self) -> int:
        """Bytes of bodies that are kept for it."""
        requests = [self.request, *self.requests]
        return sum(each.body_bytes_received for each in requests if each is not None)

    def worth(self, now: float) -> tuple[int, float]:
        """Who has the least is closed first where there are too many.

        First idle ones, then heads, then the slowest, then who has waited for a thread the least.
        """
        if self.total_outbufs_len:
            return 2, self.taken / max(now - (self.takes_since or now), 1.0)
        if self.requests:
            return 3, -self.queued_at
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
        with self.requests_lock:
            if not self.connected:
                return
            request = self.requests[0]
            request.is_held = True
        began, patience = time.monotonic(), self.server.patience
        is_late = began - self.queued_at > patience.queue and began < self.server.hangs_until
        is_small = request.body_bytes_received <= IN_MEMORY
        if is_late and is_small and request.error is None and request.path != HEALTH:
            request.error = BUSY
        super().service()
        self.idle_since = time.monotonic()
        if self.idle_since - began > patience.work:
            self.server.hangs_until = self.idle_since + patience.work + patience.queue


class InTurns:
    """A queue in which addresses take turns, so that many requests from one address delay those from others little."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[WebConnection]] = {}

    def append(self, each: WebConnection) -> None:
        each.queued_at = time.monotonic()
        self.waiting.setdefault(each.group, []).append(each)

    def popleft(self) -> WebConnection:
        group = next(iter(self.waiting))
        waiting = self.waiting.pop(group)
        first = waiting.pop(0)
        if waiting:
            self.waiting[group] = waiting  # behind all others
        return first

    def remove(self, each: WebConnection) -> None:
        waiting = self.waiting.get(each.group, [])
        if each in waiting:
            waiting.remove(each)
            if not waiting:
                del self.waiting[each.group]

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

"""How is one HTTP request made? With a deadline for the whole of it, however slowly the reply drips.

A socket's own timeout starts anew with every byte; here a watch ends the connection when the time is up, and has it as
soon as it stands: a handshake of TLS drips as well as a header. A redirect is a reply like any other: to follow it
would carry a key to another host.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back, whatever its status."""

    status: int
    headers: Mapping[str, str]
    """By their names, in whichever case."""
    body: bytes


class NoReplyError(Exception):
    """There was no whole reply; the request may have been heard nevertheless."""


def exchange(
    method: str,
    url: str,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str],
    timeout: float,
    most_bytes: int,
    address: str | None = None,
) -> Reply:
    """Send a request to an address that was checked to be of the web; a `NoReplyError` if no whole reply came in time.

    A reply of more than ``most_bytes`` is none. Proxies that the environment names are used, but not for this machine.
    ``address`` is where to connect, whatever the name of the host is looked up as; no proxy stands between then.
    """
    request = urllib.request.Request(  # noqa: S310 - callers let only http and https pass
        url, data=body, headers=dict(headers), method=method
    )
    watch = _Watch(timeout)
    # Only these: the usual opener also follows redirects, raises errors for statuses and opens files.
    opener = urllib.request.OpenerDirector()
    opener.add_handler(urllib.request.ProxyHandler({} if address or is_this_machine(url) else None))
    is_https = request.type == "https"
    opener.add_handler(_Https(watch, address) if is_https else _Http(watch, address))  # TLS reads certificates first
    try:
        with watch, opener.open(request, timeout=timeout) as response:
            found = response.read(most_bytes + 1)
            if len(found) <= most_bytes and response.length:
                raise http.client.IncompleteRead(found, response.length)
    except (OSError, http.client.HTTPException) as error:
        raise NoReplyError(f"no reply in {timeout:g} s" if _is_timeout(error, watch) else _say(error)) from None
    if watch.is_over:
        raise NoReplyError(f"no whole reply in {timeout:g} s")
    if len(found) > most_bytes:
        raise NoReplyError(f"a reply of more than {most_bytes:,} bytes")
    return Reply(status=response.status, headers=response.headers, body=found)


def is_this_machine(url: str) -> bool:
    """Whether what is sent there goes over no wire.

    >>> is_this_machine("http://127.0.0.1:8000/b/"), is_this_machine("http://[::1]/"), is_this_machine("http://x.org")
    (True, True, False)
    """
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def without_query(url: str) -> str:
    """What may be shown of a URL: some servers take keys behind the question mark."""
    return url.partition("?")[0].partition("#")[0]


def _is_timeout(error: Exception, watch: _Watch) -> bool:
    return watch.is_over or isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)


def _say(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return f"{reason}" or type(error).__name__


class _Watch:
    """Ends a connection when its time is up; whoever waits for its bytes then sees its end."""

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._ends_at = time.monotonic() + seconds
        self._held: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()
        if self._held is not None:
            self._held.close()

    def connect(self, host: str, port: int, source: tuple[str, int] | None) -> socket.socket:
        """To the first address of the host that answers; all of them share the time."""
        why: OSError = TimeoutError()
        for *_, where in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            left = self._ends_at - time.monotonic()
            if left <= 0:
                break
            try:
                connected = socket.create_connection((str(where[0]), port), left, source)
            except OSError as error:
                why = error
                continue
            self._hold(connected)
            return connected
        raise why

    def _hold(self, connected: socket.socket) -> None:
        """By a handle of its own, for TLS takes the first one over before its handshake."""
        self._held = connected.dup()
        if self.is_over:
            self._end()

    def _end(self) -> None:
        self.is_over = True
        if self._held is not None:
            with suppress(OSError):
                self._held.shutdown(socket.SHUT_RDWR)


def _watched(
    kind: type[http.client.HTTPConnection], watch: _Watch, address: str | None
) -> Callable[..., http.client.HTTPConnection]:
    """Makes connections that a watch holds, to this address; certificates are still held to the name of the host."""

    def make(host: str, **options: Any) -> http.client.HTTPConnection:
        def connect(where: tuple[str, int], _: float, source: tuple[str, int] | None) -> socket.socket:
            return watch.connect(address or where[0], where[1], source)

        made = kind(host, **options)
        made._create_connection = connect  # type: ignore[attr-defined]  # its one seam
        return made

    return make


class _Http(urllib.request.HTTPHandler):
    def __init__(self, watch: _Watch, address: str | None) -> None:
        super().__init__()
        self._make = _watched(http.client.HTTPConnection, watch, address)

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._make, req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, watch: _Watch, address: str | None) -> None:
        super().__init__()
        self._make = _watched(http.client.HTTPSConnection, watch, address)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._make, req)

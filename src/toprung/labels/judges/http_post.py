"""How is one request made? A POST of JSON with a deadline for the whole of it, however slowly the answer drips.

A socket's own timeout starts anew with every byte; here a watch closes the connection when the time is up. A redirect
is a reply like any other: to follow it would carry the key to another host.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from toprung.errors import InputError

MOST_BYTES = 4 << 20
"""An answer is a few words; more is no answer."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back, whatever its status."""

    status: int
    retry_after: str | None
    body: bytes


class PostError(Exception):
    """There was no whole reply."""


def check_url(url: str) -> str:
    """The URL, if it is one of the web and holds no password."""
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # half an address in brackets, a port that is no number
        is_whole = False
    if not is_whole or not url.isascii() or not url.isprintable() or " " in url:
        raise InputError(f"Found endpoint {without_query(url)!r}; expected a URL such as https://host/v1.")
    if parts.username or parts.password:
        raise InputError("Found a password in the endpoint's URL; expected the key in an environment variable.")
    return url


def without_query(url: str) -> str:
    """What may be shown of a URL: some servers take keys behind the question mark."""
    return url.partition("?")[0].partition("#")[0]


def post_json(url: str, payload: Mapping[str, Any], *, headers: Mapping[str, str], timeout: float) -> Reply:
    """POST a JSON object; a `PostError` if there was no whole reply in time."""
    request = urllib.request.Request(  # noqa: S310 - check_url let only http and https pass
        url, data=json.dumps(payload).encode(), headers={"Content-Type": "application/json", **headers}, method="POST"
    )
    watch = _Watch(timeout)
    # Only these: the usual opener also follows redirects, raises errors for statuses and opens files.
    opener = urllib.request.OpenerDirector()
    for handler in (urllib.request.ProxyHandler(), _Http(watch), _Https(watch)):
        opener.add_handler(handler)
    try:
        with watch, opener.open(request, timeout=timeout) as response:
            body = response.read(MOST_BYTES + 1)
    except (OSError, http.client.HTTPException) as error:
        raise PostError(f"no reply in {timeout:g} s" if _is_timeout(error, watch) else _say(error)) from None
    if watch.is_over:
        raise PostError(f"no whole reply in {timeout:g} s")
    if len(body) > MOST_BYTES:
        raise PostError(f"a reply of more than {MOST_BYTES:,} bytes")
    return Reply(status=response.status, retry_after=response.headers.get("Retry-After"), body=body)


def _is_timeout(error: Exception, watch: _Watch) -> bool:
    return watch.is_over or isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError)


def _say(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return f"{reason}" or type(error).__name__


class _Watch:
    """Closes a connection when its time is up; whoever waits for its bytes then sees its end."""

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self.socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        if self.socket is not None:
            with suppress(OSError):
                # Of the plain socket: an encrypted one would first tidy up what another thread is reading.
                socket.socket.shutdown(self.socket, socket.SHUT_RDWR)


class _Http(urllib.request.HTTPHandler):
    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self._watch = watch

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        watch = self._watch

        class Watched(http.client.HTTPConnection):
            def connect(self) -> None:
                super().connect()
                watch.socket = self.sock

        return self.do_open(Watched, req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self._watch = watch

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        watch = self._watch

        class Watched(http.client.HTTPSConnection):
            def connect(self) -> None:
                super().connect()
                watch.socket = self.sock

        return self.do_open(Watched, req)

"""How is a page had without a server? Asked of Django's own handler, as somebody who is not signed in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.core.signals import request_finished
from django.db import close_old_connections
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from toprung.errors import InputError
from toprung.web.core.store.copies import Copy


@dataclass(frozen=True, kw_only=True)
class PublicResponse:
    """What everyone gets under an address."""

    status: int
    content_type: str
    disposition: str
    location: str
    """Where else to look, if it is a redirect."""
    body: bytes

    @property
    def is_page(self) -> bool:
        return self.content_type.startswith("text/html")


class Asker:
    """Asks for pages as they are in a copy."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.handler = BaseHandler()
        self.handler.load_middleware()

    def ask(self, address: str) -> PublicResponse:
        request = WSGIRequest(_environ(address))
        request.copy = self.copy  # type: ignore[attr-defined]  # read by `find_copy`; nobody outside can set it
        response = self.handler.get_response(request)
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise InputError(
                f"{address}: found a page that fails (status {response.status_code}); expected one. The log says why."
            )
        return PublicResponse(
            status=response.status_code,
            content_type=response.headers.get("Content-Type", ""),
            disposition=response.headers.get("Content-Disposition", ""),
            location=response.headers.get("Location", ""),
            body=_read_body(response),
        )


def _environ(address: str) -> dict[str, Any]:
    """As a request on the machine itself: that name is always let in, and as if by TLS nothing is sent elsewhere."""
    asked = urlsplit(address)
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(asked.path).decode("latin-1"),
        "QUERY_STRING": asked.query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "443",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "HTTP_X_FORWARDED_PROTO": "https",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "https",
        "wsgi.input": BytesIO(),
    }


def _read_body(response: HttpResponseBase) -> bytes:
    if isinstance(response, HttpResponse):
        return response.content
    if not isinstance(response, StreamingHttpResponse):
        raise TypeError(f"cannot read {type(response).__name__}")
    body = b"".join(response)
    with _kept_connection():
        response.close()
    return body


@contextmanager
def _kept_connection() -> Iterator[None]:
    """A server lets go of the database at the end of a request; here the next page is asked for at once."""
    request_finished.disconnect(close_old_connections)
    try:
        yield
    finally:
        request_finished.connect(close_old_connections)

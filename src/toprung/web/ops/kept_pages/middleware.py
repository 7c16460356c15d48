"""Need a page be made again for the next who looks? Not while all that it was made of is the same.

In front of sessions, tokens and packing: who has a session, a message or a token is passed on, and neither gets a kept
page nor gives one.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock
from typing import TypeIs
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response, patch_cache_control

from toprung.web.core.asked import is_same_for_everyone
from toprung.web.core.store.copies import find_copy
from toprung.web.ops.kept_pages.reading import PageReading
from toprung.web.ops.kept_pages.shelf import ROOM, ROOM_FOR_QUERIES, Address, KeptPage, Shelf

LONGEST_QUERY = 300
MADE_AT_ONCE = 64
"""Pages that are made at the same time, each by one thread; more than a process has threads."""
PACKED = re.compile(r"\bgzip\b")
BY_SCRIPT = "HTTP_HX_"
"""How names of headers begin that htmx sends: it asks for parts of pages."""
MESSAGES = "messages"
"""The cookie of Django's messages."""


class KeepPages:
    """Middleware; each process of the web server has pages of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.plain, self.with_query = Shelf(room=ROOM), Shelf(room=ROOM_FOR_QUERIES)
        self.making = [Lock() for _ in range(MADE_AT_ONCE)]

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not is_for_anyone(request):
            return self.get_response(request)
        address = address_of(request)
        shelf = self.with_query if request.META.get("QUERY_STRING") else self.plain
        kept = shelf.find(address)
        if kept is not None and kept.reading.is_answered_so():
            return _unless_had(request, kept.send_to(request))
        if kept is None and not _is_marked(request):
            return self.get_response(request)
        with self.making[hash(address) % len(self.making)]:  # who asks meanwhile waits for it
            made = shelf.find(address)
            if made is not None and made is not kept and made.reading.is_answered_so():
                return _unless_had(request, made.send_to(request))
            return self._make(request, shelf, address)

    def _make(self, request: HttpRequest, shelf: Shelf, address: Address) -> HttpResponseBase:
        reading = PageReading()
        with reading.noting():
            response = self.get_response(request)
        if not may_be_kept(response) or not reading.is_only_reading or request.resolver_match is None:
            return response
        _tag(response)
        headers = dict(response.headers)
        shelf.keep(
            address, KeptPage(body=response.content, headers=headers, match=request.resolver_match, reading=reading)
        )
        return _unless_had(request, response)


def is_for_anyone(request: HttpRequest) -> bool:
    """Whether who asks is nobody in particular, and asks for a whole page as everyone does."""
    meta = request.META
    return (
        request.method == "GET"
        and "HTTP_AUTHORIZATION" not in meta
        and not {settings.SESSION_COOKIE_NAME, MESSAGES} & request.COOKIES.keys()
        and not any(name.startswith(BY_SCRIPT) for name in meta)
        and len(meta.get("QUERY_STRING", "")) <= LONGEST_QUERY
        and find_copy(request) is None
        and is_called_by_name(request)
    )


def is_called_by_name(request: HttpRequest) -> bool:
    """Whether the host is written as this server is called: ports, letter case and names below a name can be made up.

    A page may have the host in it, so one made for another spelling is not for everyone.
    """
    host = _host_of(request)
    name, port = split_domain_port(host)
    ports = {"", request.META["SERVER_PORT"], str(urlsplit(settings.ENVIRONMENT.public_url).port or "")}
    is_as_written = host == (f"{name}:{port}" if port else name)
    return is_as_written and port in ports and name in {each.lower() for each in settings.ALLOWED_HOSTS}


def address_of(request: HttpRequest) -> Address:
    """All of a request that a page depends on."""
    meta = request.META
    packed = "packed" if PACKED.search(meta.get("HTTP_ACCEPT_ENCODING", "")) else ""
    return request.scheme or "", _host_of(request), request.path, meta.get("QUERY_STRING", ""), packed


def _host_of(request: HttpRequest) -> str:
    meta = request.META
    return meta.get("HTTP_HOST") or f"{meta['SERVER_NAME']}:{meta['SERVER_PORT']}"


def may_be_kept(response: HttpResponseBase) -> TypeIs[HttpResponse]:
    """A whole page that went well, sets no cookie, and was not said to be for one person."""
    return (
        isinstance(response, HttpResponse)
        and response.status_code == HTTPStatus.OK
        and not response.cookies
        and "Cache-Control" not in response.headers
    )


def _is_marked(request: HttpRequest) -> bool:
    try:
        return is_same_for_everyone(resolve(request.path_info).func)
    except Resolver404:
        return False


def _tag(response: HttpResponse) -> None:
    """Browsers keep it too, and ask each time whether it is the same still."""
    page = response.content
    if response.headers.get("Content-Encoding") == "gzip":  # packed twice, a page is not the same
        page = gzip.decompress(page)
    response.headers["ETag"] = f'W/"{hashlib.sha256(page).hexdigest()[:32]}"'
    patch_cache_control(response, no_cache=True)


def _unless_had(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """Empty where who asks has it already."""
    return get_conditional_response(request, etag=response.headers["ETag"], response=response) or response

"""How many pages are kept? As many as fit; what was not asked for longest goes first.

Whoever makes up query strings pushes out pages with other query strings, never those without.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from toprung.web.ops.kept_pages.reading import PageReading

type Address = tuple[str, ...]

ROOM, ROOM_FOR_QUERIES = 24 << 20, 8 << 20
"""Bytes that each process of the web server keeps of pages without, and with, a query string."""
LARGEST_SHARE = 8
"""No page takes more than this part of its shelf."""
OVERHEAD = 2_000
"""Bytes of objects and headers, about."""


@dataclass(frozen=True, kw_only=True)
class KeptPage:
    """What was sent, and all that it was made of."""

    body: bytes
    headers: dict[str, str]
    match: ResolverMatch
    reading: PageReading

    @property
    def size(self) -> int:
        return len(self.body) + self.reading.size + OVERHEAD

    def send_to(self, request: HttpRequest) -> HttpResponse:
        request.resolver_match = self.match  # what is logged and counted
        return HttpResponse(self.body, headers=self.headers)


@dataclass(kw_only=True)
class Shelf:
    """Pages by address, the one that was asked for last at the end."""

    room: int
    taken: int = 0
    pages: OrderedDict[Address, KeptPage] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def find(self, address: Address) -> KeptPage | None:
        with self.lock:
            if address in self.pages:
                self.pages.move_to_end(address)
            return self.pages.get(address)

    def keep(self, address: Address, page: KeptPage) -> None:
        """Where it fits; in the place of one that is there."""
        with self.lock:
            self._drop(address)
            if page.size * LARGEST_SHARE > self.room:
                return
            self.pages[address] = page
            self.taken += page.size
            while self.taken > self.room:
                self._drop(next(iter(self.pages)))

    def _drop(self, address: Address) -> None:
        before = self.pages.pop(address, None)
        self.taken -= 0 if before is None else before.size

"""Which pages are public? Found by following links from the leaderboard, so that no list has to be kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from toprung.errors import InputError
from toprung.web.ops.publish.addresses import CopyScope, is_elsewhere, is_static, locate, without_fragment
from toprung.web.ops.publish.asking import Asker, PublicResponse
from toprung.web.ops.publish.file_names import FileNames
from toprung.web.ops.publish.rewriting import rewrite

type OnProgress = Callable[[str, int], None]
"""Told the address that was asked for, and how many are known so far."""

MOST_ADDRESSES = 500_000
"""Links that lead on for ever would fill the disk."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What lies where in the copy."""

    files: dict[str, str]
    """By address: the name of the file."""
    pages: tuple[str, ...]
    """Addresses of those files that are pages, as the server sent them."""
    moved: dict[str, str]
    """Addresses that lead to others."""
    static: tuple[str, ...]
    """Names of static files that pages need."""

    def file_of(self, address: str) -> str | None:
        return self.files.get(self.moved.get(address, address))


@dataclass(kw_only=True)
class _Search:
    scope: CopyScope
    known: dict[str, None]
    waiting: deque[str]
    pages: list[str] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    static: dict[str, None] = field(default_factory=dict)

    def note(self, link: str, page: str) -> None:
        """A link of a page: ask for it too, if it belongs to the board."""
        found = locate(link, page)
        if is_elsewhere(found):
            return
        if is_static(found):
            self.static[found.path] = None
            return
        address = without_fragment(found)
        if self.scope.has(found.path) and address not in self.known:
            self.known[address] = None
            self.waiting.append(address)


def collect(asker: Asker, scope: CopyScope, folder: Path, on_progress: OnProgress) -> Found:
    """Ask for every public address once, and write what comes under the name it has in the copy."""
    starts = scope.starts()
    search = _Search(scope=scope, known=dict.fromkeys(starts), waiting=deque(starts))
    names = FileNames(home=scope.home)
    while search.waiting:
        address = search.waiting.popleft()
        answer = asker.ask(address)
        on_progress(address, len(search.known))
        if answer.status == HTTPStatus.OK:
            _take(answer, address, search, names, folder)
        elif answer.location:
            target = locate(answer.location, address)
            search.moved[address] = without_fragment(target)
            search.note(answer.location, address)
        if len(search.known) > MOST_ADDRESSES:
            raise InputError(f"Found more than {MOST_ADDRESSES:,} addresses; expected a board that comes to an end.")
    return Found(files=names.given, pages=tuple(search.pages), moved=search.moved, static=tuple(sorted(search.static)))


def _take(answer: PublicResponse, address: str, search: _Search, names: FileNames, folder: Path) -> None:
    links: tuple[str, ...] = ()
    if answer.is_page:
        page = rewrite(answer.body.decode(), lambda link: link)
        if page.asks:  # such as two runs that were not compared: a copy can do nothing
            return
        links = page.links
        search.pages.append(address)
    path = folder / names.give(address, answer.content_type, answer.disposition)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(answer.body)
    for link in links:
        search.note(link, address)

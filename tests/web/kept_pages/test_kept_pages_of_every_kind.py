"""Whichever page is kept, it is of a board that everyone may see, and looks at the clock only where that is noted."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from tests.web.asking import find
from tests.web.busy_boards import CLOSED, World
from tests.web.matrix import OWN_LINES

from toprung.web.core import asked

pytestmark = pytest.mark.usefixtures("db")


def test_nothing_of_a_board_that_is_not_public_is_kept(world: World) -> None:
    reader, member = Client(), Client()
    member.cookies["sessionid"] = world.sessions["organiser"]
    for path in _marked_pages(world, CLOSED):
        assert member.get(path).status_code in (200, 404)
        found = reader.get(path)
        assert found.status_code == 404, path
        assert "ETag" not in found.headers


def _marked_pages(world: World, slug: str) -> Iterator[str]:
    """Those of this board that a view makes which says that it is the same for everyone."""
    for line in OWN_LINES:
        path = find(world, world.boards[slug], line).url
        if slug in path and asked.is_same_for_everyone(resolve(path.partition("?")[0]).func):
            yield path


def test_no_kept_page_looks_at_the_clock_but_by_asking(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    now, who = timezone.now, set()

    def noted() -> object:
        who.add(sys._getframe(1).f_globals["__name__"])
        return now()

    monkeypatch.setattr(timezone, "now", noted)
    pages = [path for slug in world.boards if slug != CLOSED for path in _marked_pages(world, slug)]
    assert len(pages) > 40
    for path in ["/", *pages]:
        Client().get(path)
    assert who == {asked.__name__}
